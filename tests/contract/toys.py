"""Registering toy tasks for the time of a test."""

import contextlib

import gymnasium as gym

import rsi_envs
from rsi_envs.core import registry


@contextlib.contextmanager
def registered(task):
    """Register a task and its ids; afterwards the registries are as they were."""
    before = dict(gym.registry)
    registry.register(task)
    rsi_envs.register_task(task)
    try:
        yield
    finally:
        del registry.TASKS[task.name]
        for env_id in set(gym.registry) - set(before):
            del gym.registry[env_id]
