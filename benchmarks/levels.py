"""Do the levels make a ladder? ``python -m benchmarks.levels [TASK ...] [--write]``.

For every task of the suite selfimprove (or those named) and each of its difficulties: mean scores
with 95 % intervals of blind, random and greedy play, program search and the references "paper"
and "best"; how many contents are distinct; and what a bare success is worth. Then what holds of
the ladder of levels and what does not, in plain words (`benchmarks.leveltable`). ``--write``
keeps it in docs/results/levels.md and levels.json. Exit code 1 if something does not hold.

* Everybody plays the same instances, each with random numbers of its own.
* "progsearch" are the final agents of some evolution runs whose held-in tasks are all of that
  difficulty, none of them among the instances; they play the first of the instances only. Their
  interval is over runs and instances, the others' is 1.96 standard errors.
* A bare success is worth the mean of the weakest tenth of the scores of all successful episodes
  (`Score.success`) of the players: random, the task's hand-written policies and program search.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import platform
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.leveltable import Level, check, section
from rsi_envs.baselines import agents
from rsi_envs.core import registry
from rsi_envs.core.instance import Instance
from rsi_envs.core.rng import derive
from rsi_envs.protocol import Config, evolve
from rsi_envs.protocol.agents import Agent, execute
from rsi_envs.protocol.evolve import Run
from rsi_envs.protocol.feedback import Evaluation
from rsi_envs.protocol.statistics import Estimate, level

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results"
SEARCH = "progsearch"
PACKAGES = ("rsi-envs", "gymnasium", "numba", "numpy", "scipy")


class Plan(NamedTuple):
    """How much to measure: instances for everybody; runs, tasks and instances of the search."""

    instances: int = 500
    runs: int = 3
    tasks: int = 40
    searched: int = 100


def estimate(scores: list[float]) -> Estimate:
    """Return the mean of independent scores with its normal 95 % interval."""
    mean, error = float(np.mean(scores)), float(np.std(scores, ddof=1)) / len(scores) ** 0.5
    return Estimate(mean, mean - 1.96 * error, mean + 1.96 * error)


def dealt(name: str, difficulty: int, count: int) -> list[Instance]:
    task = registry.task(name)
    seeds = [derive("levels", name, difficulty, number) for number in range(count)]
    return [task.generate(difficulty, seed) for seed in seeds]


def played(
    make: Callable[[Instance, int], Agent], instances: list[Instance], player: str
) -> list[Evaluation]:
    """Return how a player did on each instance; raise RuntimeError if it broke on one."""
    found = []
    for instance in instances:
        seed = derive("levels", player, instance.seed)
        result = execute(instance, partial(make, instance), seed, player, record=False).evaluation
        if result.status != "completed":
            raise RuntimeError(f"{player} broke on {instance.task}, instance {instance.seed}")
        found.append(result)
    return found


def searched(name: str, difficulty: int, plan: Plan) -> list[Run]:
    """Return the evolution runs of program search on a task at a difficulty."""
    block = {"game": name, "difficulty": difficulty, "count": plan.tasks}
    config = Config.parse({"schedule": [block]})
    return [evolve(config, SEARCH, run=number) for number in range(plan.runs)]


def search_results(runs: list[Run], instances: list[Instance]) -> list[list[Evaluation]]:
    """Return how each run's final agent did on the instances that no run was trained on."""
    trained = {e.parsed.content_key for run in runs for e in run.manifest.held_in}
    fresh = [instance for instance in instances if instance.content_key not in trained]
    return [
        played(lambda _, seed, run=run: run.method.agent(run.final, seed), fresh, SEARCH)
        for run in runs
    ]


def measure(name: str, difficulty: int, plan: Plan) -> Level:
    """Return the row of a task at a difficulty."""
    task, start = registry.task(name), time.process_time()
    instances = dealt(name, difficulty, plan.instances)
    players = {
        player: played(lambda i, seed, p=player: agents.make(p, i, seed), instances, player)
        for player in agents.names(name)
        if player != "reference"
    }
    every = [result for results in players.values() for result in results]
    scores = {player: [result.score for result in found] for player, found in players.items()}
    scores["paper"] = [task.reference_score(instance) for instance in instances]
    scores["best"] = [task.best_score(instance) for instance in instances]
    row = {player: estimate(found) for player, found in scores.items()}
    found = search_results(searched(name, difficulty, plan), instances[: plan.searched])
    every += [result for results in found for result in results]
    row[SEARCH] = level([np.array([result.score for result in one]) for one in found])
    wins = [task.retrace(i, task.reference(i).actions).score.success for i in instances]
    print(f"{name} d={difficulty}: {time.process_time() - start:.0f} s of CPU", file=sys.stderr)
    return Level(
        task=name,
        difficulty=difficulty,
        scores=row,
        counts={**{player: plan.instances for player in scores}, SEARCH: len(found[0])},
        instances=plan.instances,
        distinct=len({instance.content_key for instance in instances}),
        solved=float(np.mean(wins)),
        successes=tuple(sorted(result.score for result in every if result.success)),
    )


def versions(names: list[str]) -> dict[str, str]:
    """Return the versions of everything that the figures depend on."""
    rules = {f"{name} rules": str(registry.TASKS[name].rules_version) for name in names}
    packages = {package: version(package) for package in PACKAGES}
    return {"Python": platform.python_version(), **packages, **rules}


INTRODUCTION = """\
# The table of levels

`{command}`

{versions}.

Mean scores with 95 % intervals over {instances} instances of each level.

- Program search: the final agents of {runs} evolution runs of {tasks} tasks at that level, on the
  first {searched} of the instances; those that a run was trained on are left out. The interval is
  over runs and instances: with few runs it is wide.
- Paper, best: the score of the "paper" reference; the best known score or a bound (`best_score`).
- Paper succeeds: the share of instances on which the "paper" reference succeeds.
- Distinct: how many of the generated contents differ.
- Successes: successful episodes of all players, the references not counted; least: the least
  score among them; bare success: the mean of their weakest tenth; of paper: its share of the
  "paper" reference's score. A quarter should be left above it. An estimate from play: players
  that only ever succeed by playing well make a bare success look dearer than it is, and the
  weakest scores come from instances on which a success is cheap.
"""


def grouped(levels: list[Level]) -> dict[str, list[Level]]:
    """Return the rows of each task."""
    return {row.task: [other for other in levels if other.task == row.task] for row in levels}


def document(levels: list[Level], plan: Plan, command: str) -> str:
    """Return the whole text: what was measured, then table and findings of each task."""
    tasks = grouped(levels)
    made = ", ".join(f"{name} {number}" for name, number in versions(list(tasks)).items())
    head = INTRODUCTION.format(command=command, versions=made, **plan._asdict())
    return "\n".join([head, *(section(name, rows) for name, rows in tasks.items())])


def write(levels: list[Level], plan: Plan, command: str, folder: Path = RESULTS) -> None:
    """Write levels.md and levels.json into a folder."""
    tasks = grouped(levels)
    found = {
        "command": command,
        "versions": versions(list(tasks)),
        "plan": plan._asdict(),
        "levels": [row.as_dict() for row in levels],
        "findings": {
            name: [finding._asdict() for finding in check(rows)] for name, rows in tasks.items()
        },
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "levels.md").write_text(document(levels, plan, command), encoding="utf-8")
    (folder / "levels.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    every = sorted(name for name, task in registry.TASKS.items() if task.suite == "selfimprove")
    parser.add_argument("tasks", nargs="*", default=every, metavar="TASK")
    parser.add_argument("--instances", type=int, default=Plan().instances)
    parser.add_argument("--runs", type=int, default=Plan().runs, help="of program search")
    parser.add_argument("--train", type=int, default=Plan().tasks, help="held-in tasks of a run")
    parser.add_argument("--searched", type=int, default=Plan().searched, help="instances it plays")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/results")
    given = parser.parse_args()
    if given.instances < 2 or min(given.runs, given.train, given.searched, given.jobs) < 1:
        parser.error("at least two instances, and one of everything else")
    if unknown := sorted({*given.tasks} - {*registry.TASKS}):
        parser.error(f"no task {', '.join(unknown)}; tasks: {', '.join(sorted(registry.TASKS))}")
    plan = Plan(given.instances, given.runs, given.train, min(given.searched, given.instances))
    cells = [(name, d) for name in given.tasks for d in registry.task(name).difficulties]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(given.jobs, mp_context=spawn) as pool:
        levels = list(pool.map(partial(measure, plan=plan), *zip(*cells)))
    command = " ".join(["python -m benchmarks.levels", *sys.argv[1:]])
    print(document(levels, plan, command))
    if given.write:
        write(levels, plan, command)
    findings = [finding for rows in grouped(levels).values() for finding in check(rows)]
    return int(any(finding.holds is False for finding in findings))


if __name__ == "__main__":
    sys.exit(main())
