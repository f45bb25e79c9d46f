"""Do the references of all physics tasks succeed here? Run by mujoco_versions.py; no pytest.

Usage: mujoco_script.py VERSION, which must be the installed MuJoCo's or the start of it.
"""

import sys
from importlib.metadata import version

import rsi_envs

SEEDS = range(3)


def physics():
    return [rsi_envs.task(name) for name, task in rsi_envs.TASKS.items() if task.physics]


def solve(task, seed):
    """Return what a reference at the easiest level states and what its actions reach."""
    instance = task.generate(task.difficulties[0], seed)
    solution = task.reference(instance)
    return solution.raw, task.retrace(instance, solution.actions).score


def main(wanted):
    found = version("mujoco")
    if not (found + ".").startswith(wanted):
        sys.exit(f"MuJoCo {wanted} was wanted, {found} is installed")
    if not physics():
        sys.exit("no physics task is registered")
    wrong = []
    for task in physics():
        for seed in SEEDS:
            stated, score = solve(task, seed)
            print(f"MuJoCo {found}, {task.name}, seed {seed}: {score.raw:.6g}")
            if stated != score.raw or not score.success:
                wrong.append(f"{task.name} seed {seed} states {stated} and reaches {score}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
