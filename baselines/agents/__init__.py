"""Agents by name, for the command line and comparisons: blind, greedy, random, reference."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from gymnasium import spaces

from rsi_envs.core import registry
from rsi_envs.core.instance import Instance
from rsi_envs.core.task import Task
from rsi_envs.envs.access import sample_action
from rsi_envs.protocol.agents import Agent, View


class PolicyAgent:
    """Plays one of a task's hand-written policies."""

    def __init__(self, policy: Callable[..., Any], seed: int) -> None:
        self.policy, self.rng = policy, random.Random(seed)

    def act(self, view: View) -> Any:
        return self.policy(view.observation, self.rng)


class RandomAgent:
    """Plays random actions, legal ones where there is an action mask."""

    def __init__(self, space: spaces.Space[Any], seed: int) -> None:
        self.space = space
        space.seed(seed % 2**32)

    def act(self, view: View) -> Any:
        return sample_action(self.space, view.observation)


class ScriptedAgent:
    """Plays given actions in order, such as the reference's."""

    def __init__(self, actions: Iterable[Any]) -> None:
        self.actions = iter(actions)

    def act(self, view: View) -> Any:
        return next(self.actions)


def names(task: str) -> tuple[str, ...]:
    """Return the names of the agents that can play a task."""
    return ("random", *registry.task(task).policies(), "reference")


def make(name: str, instance: Instance, seed: int, task: Task | None = None) -> Agent:
    """Return an agent for one episode on an instance.

    Only "reference" reads the instance; the others see observations.

    Args:
        task: the instance's, with the options that are played; by default with none.

    Raises:
        ValueError: no such agent; lists those of the task.
    """
    task = registry.task(instance.task if task is None else task)
    policies = task.policies()
    if name == "random":
        return RandomAgent(task.spaces(instance.difficulty)[1], seed)
    if name == "reference":
        return ScriptedAgent(task.reference(instance).actions)
    if name in policies:
        return PolicyAgent(policies[name], seed)
    raise ValueError(f"no agent {name!r} for {task.name}; agents: {', '.join(names(task.name))}")
