"""Goldens: fingerprints of three instances of every id, in golden.json beside this file.

    python -m tests.golden.update [TASK ...]            write them anew (after a rules_version bump)
    python -m tests.golden.update --check [TASK ...]    print what differs, exit 1 if anything does

They may only change together with the task's `rules_version`. With NUMBA_DISABLE_JIT=1 the same
values must come out; `--without-reference` leaves the (then slow) references aside. Tasks with
physics are compared with a tolerance, and left out without JIT.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import rsi_envs
from rsi_envs.envs.registration import ids
from rsi_envs.testing import fingerprint, mismatches

PATH = Path(__file__).with_name("golden.json")
COMMAND = "python -m tests.golden.update"
WITHOUT_JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
SEEDS = (0, 4711, 2**62 + 2**33 + 7)


def cases(names=()):
    """Return {id: (task name, difficulty)} for every id that fixes a difficulty."""
    return {
        env_id: (name, fixed["difficulty"])
        for name, task in rsi_envs.TASKS.items()
        if not names or name in names
        for env_id, fixed in ids(task).items()
        if fixed
    }


def compute(env_id, reference=True):
    """Return the fingerprints of an id as they are now, by seed."""
    name, difficulty = cases()[env_id]
    task = rsi_envs.task(name)
    found = {str(s): fingerprint(task, difficulty, s, reference) for s in SEEDS}
    return {"rules_version": task.rules_version, "instances": found}


def stored():
    """Return what golden.json holds."""
    return json.loads(PATH.read_text()) if PATH.exists() else {}


def differences(env_id, golden, reference=True):
    """Return what is different now from the golden values of an id, one line each."""
    if env_id not in golden:
        return [f"{env_id} has no golden values: run {COMMAND}"]
    found, known = compute(env_id, reference), golden[env_id]
    if found["rules_version"] != known["rules_version"]:
        return [f"{env_id}: the rules version changed: run {COMMAND}"]
    task = rsi_envs.task(cases()[env_id][0])
    return [
        f"{env_id} seed {seed}: {key} was {known['instances'][seed].get(key)}, is {values[key]}"
        for seed, values in found["instances"].items()
        for key in mismatches(task, known["instances"][seed], values)
    ]


def main():
    """Write or check the golden values of the tasks that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=", ".join(rsi_envs.TASKS))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--without-reference", action="store_true")
    chosen = parser.parse_args()
    if unknown := sorted(set(chosen.tasks) - set(rsi_envs.TASKS)):
        parser.error(f"no task {', '.join(unknown)}; tasks: {', '.join(rsi_envs.TASKS)}")
    golden = stored()
    if chosen.check:
        lines = [
            line
            for env_id, (name, _) in cases(chosen.tasks).items()
            if not (WITHOUT_JIT and rsi_envs.TASKS[name].physics)
            for line in differences(env_id, golden, not chosen.without_reference)
        ]
        print("\n".join(lines))
        sys.exit(bool(lines))
    golden.update({env_id: compute(env_id) for env_id in cases(chosen.tasks)})
    kept = {env_id: golden[env_id] for env_id in sorted(cases()) if env_id in golden}
    PATH.write_text(json.dumps(kept, indent=1) + "\n")
    print(f"wrote {len(kept)} ids to {PATH}")


if __name__ == "__main__":
    main()
