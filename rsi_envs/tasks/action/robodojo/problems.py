"""From instances to problems and solutions; the last ones are kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from rsi_envs.core.instance import Instance
from rsi_envs.core.results import RUNNING, Solution
from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.shapes import Look
from rsi_envs.tasks.action.robodojo import actions
from rsi_envs.tasks.action.robodojo.checks import LONGEST_EPISODE, check_whole
from rsi_envs.tasks.action.robodojo.dojo import RoboDojoTask
from rsi_envs.tasks.action.robodojo.episode import Episode, Problem
from rsi_envs.tasks.action.robodojo.splits import DATA_KEYS

PROBLEMS, SOLUTIONS = 16, 64  # kept


@lru_cache(maxsize=PROBLEMS)
def problem_of(task: RoboDojoTask, instance: Instance) -> Problem:
    """Return the problem of an instance; compiling and settling takes tens of milliseconds.

    Raises:
        ValueError: the instance's data is wrong.
    """
    data, difficulty = instance.data, instance.difficulty
    try:
        if {*data} != {*DATA_KEYS}:
            raise ValueError(f"the data has the keys {', '.join(DATA_KEYS)}, not {sorted(data)}")
        check_whole("horizon", data["horizon"], LONGEST_EPISODE)
        if data["calls"] is not None:
            check_whole("calls", data["calls"], LONGEST_EPISODE)
        things = task.things(data["objects"], difficulty)
        bench = Bench(things, Look.from_data(data["look"]))
        return Problem(task, instance, bench, task.rubric(data["objects"], difficulty))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        kind = type(error).__name__
        raise ValueError(f"the data of this {task.name} instance is wrong: {kind}") from None


@lru_cache(maxsize=SOLUTIONS)
def solved(task: RoboDojoTask, instance: Instance) -> Solution:
    """Return the oracle's episode as actions of the task's options."""
    problem = task.prepare(instance)
    state = task.start(problem)
    played = tuple(_oracle_actions(task, problem, state))
    return Solution(played, task.score(problem, state).raw, "heuristic")


def _oracle_actions(task: RoboDojoTask, problem: Problem, state: Episode) -> Iterator[Any]:
    """Play the oracle's rows, in chunks of the task's length."""
    oracle = task.oracle(problem)
    done = RUNNING
    while not done:
        rows = oracle(state)
        for at in range(0, len(rows), task.rows):
            action = actions.chunk(rows[at : at + task.rows], task.rows)
            yield action
            done = task.step(problem, state, action).done
            if done:
                return
