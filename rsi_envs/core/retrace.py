"""Retracing: play recorded actions again and prove the logged result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rsi_envs.core.instance import Instance
from rsi_envs.core.task import BadAction, Score, Task


class Retrace(NamedTuple):
    """Where recorded actions lead: the problem, the final state and its score."""

    problem: Any
    state: Any
    score: Score


def read_action(task: Task, problem: Any, state: Any, answer: str) -> tuple[Any, BadAction | None]:
    """Return the action in a text answer; an unreadable one is the invalid action and why."""
    try:
        return task.parse(problem, state, answer), None
    except BadAction as bad:
        return task.invalid(problem, state), bad


def retrace(task: Task, instance: Instance, actions: Iterable[Any]) -> Retrace:
    """Play `actions` (or text answers) on `instance` and return the end.

    Raises:
        ValueError: the instance is not of this task, or actions go on after the episode's end.
    """
    problem = task.prepare(instance)
    state = task.start(problem)
    done = 0
    for index, action in enumerate(actions):
        if done:
            raise ValueError(f"the episode ended before action {index} of the recording")
        if isinstance(action, str):
            action, _ = read_action(task, problem, state, action)
        done = task.step(problem, state, action).done
    return Retrace(problem, state, task.score(problem, state))
