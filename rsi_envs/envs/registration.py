"""Ids: ``rsi/<name>-d<k>`` for every difficulty of every task, and ``rsi/<name>``."""

from __future__ import annotations

import gymnasium as gym

from rsi_envs.core.registry import TASKS
from rsi_envs.core.task import Task

NAMESPACE = "rsi"


def ids(task: type[Task]) -> dict[str, dict[str, int]]:
    """Return a task's ids with the keywords each fixes; the id without d is the last."""
    found: dict[str, dict[str, int]] = {
        f"{NAMESPACE}/{task.name}-d{d}": {"difficulty": d} for d in task.difficulties
    }
    found[f"{NAMESPACE}/{task.name}"] = {}
    return found


def register_task(task: type[Task]) -> None:
    """Register a task's ids with Gymnasium; ids that exist already are left alone.

    The rules version is in the keywords, so that every saved spec names it. No
    `max_episode_steps`: limits belong to the rules.
    """
    for env_id, fixed in ids(task).items():
        if env_id not in gym.registry:
            gym.register(
                env_id,
                entry_point="rsi_envs.envs.single:TaskEnv",
                vector_entry_point="rsi_envs.envs.factory:make_vector",
                kwargs={"task": task.name, "rules_version": task.rules_version, **fixed},
            )


def register_all() -> None:
    """Register the ids of every task in the registry."""
    for task in TASKS.values():
        register_task(task)
