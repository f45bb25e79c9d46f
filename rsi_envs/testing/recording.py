"""Recording what environments return, to compare episodes with each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import gymnasium as gym

from rsi_envs.core.task import Task
from rsi_envs.testing.conformance import ConformanceError
from rsi_envs.testing.play import LONGEST, WILD, Choose, Dice, chooser

Result = tuple[Any, float, bool, bool, dict[str, Any]]


class Log(NamedTuple):
    """The actions of an episode, or of a part of it, and what each step returned."""

    actions: list[Any]
    results: list[Result]


def task_of(env_id: str) -> Task:
    """Return the task object behind an id."""
    found: Task = gym.make(env_id).unwrapped.task  # type: ignore[attr-defined]
    return found


def chooses(env: gym.Env[Any, Any], *parts: str | int, wild: int = WILD) -> Choose:
    """Return a player for an environment whose dice are named by `parts`."""
    return chooser(env.action_space, Dice(*parts), wild)


def record(env: gym.Env[Any, Any], observation: Any, choose: Choose, steps: int = LONGEST) -> Log:
    """Play on from an observation until the episode ends or `steps` are done.

    Raises:
        ConformanceError: the episode does not end within LONGEST steps.
    """
    actions: list[Any] = []
    results: list[Result] = []
    for _ in range(steps):
        actions.append(choose(observation))
        results.append(env.step(actions[-1]))  # type: ignore[arg-type]
        observation, _, terminated, truncated, _ = results[-1]
        if terminated or truncated:
            return Log(actions, results)
    if steps >= LONGEST:
        raise ConformanceError(f"an episode has not ended after {steps} steps")
    return Log(actions, results)


def to_the_middle(env: gym.Env[Any, Any], seed: int) -> Any:
    """Play half of the second episode after `seed` and return what is seen then."""
    env.reset(seed=seed)
    log = record(env, env.reset()[0], chooses(env, "middle"))
    env.reset(seed=seed)
    results = [env.reset(), *follow(env, log.actions[: len(log.actions) // 2])]
    return results[-1][0]


def follow(env: gym.Env[Any, Any], actions: Iterable[Any]) -> list[Result]:
    """Return what the steps with the given actions return."""
    return [env.step(action) for action in actions]  # type: ignore[misc]
