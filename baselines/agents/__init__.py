"""Agents by name, for the command line and comparisons: blind, greedy, random, reference."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from gymnasium import spaces

from rsi_envs.core import registry
from rsi_envs.core.instance import Instance
from rsi_envs.protocol.agents import Agent, View


class PolicyAgent:
    """Plays one of a task's hand-written policies."""

    def __init__(self, policy: Callable[..., Any], seed: int) -> None:
        self.policy, self.rng = policy, random.Random(seed)

    def act(self, view: View) -> Any:
        return self.policy(view.observation, self.rng)


class RandomAgent:
    """Plays legal actions with equal chance, or any of the space where there is no mask."""

    def __init__(self, seed: int, space: spaces.Space[Any]) -> None:
        self.rng, self.space = random.Random(seed), space
        space.seed(seed % 2**32)

    def act(self, view: View) -> Any:
        if "action_mask" not in view.observation:
            return self.space.sample()
        legal = np.flatnonzero(view.observation["action_mask"])
        return int(legal[int(self.rng.random() * len(legal))])


class ScriptedAgent:
    """Plays given actions in order, such as the reference's."""

    def __init__(self, actions: Iterable[Any]) -> None:
        self.actions = iter(actions)

    def act(self, view: View) -> Any:
        return next(self.actions)


def names(task: str) -> tuple[str, ...]:
    """Return the names of the agents that can play a task."""
    return ("random", *registry.task(task).policies(), "reference")


def make(name: str, instance: Instance, seed: int) -> Agent:
    """Return an agent for one episode on an instance.

    Only "reference" reads the instance; the others see observations.

    Raises:
        ValueError: no such agent; lists those of the task.
    """
    task = registry.task(instance.task)
    policies = task.policies()
    if name == "random":
        return RandomAgent(seed, task.spaces(instance.difficulty)[1])
    if name == "reference":
        return ScriptedAgent(task.reference(instance).actions)
    if name in policies:
        return PolicyAgent(policies[name], seed)
    raise ValueError(f"no agent {name!r} for {task.name}; agents: {', '.join(names(task.name))}")
