"""A check that Gymnasium's own vector environments take ours."""

from __future__ import annotations

import functools
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from rsi_envs.core import registry
from rsi_envs.core.task import Task
from rsi_envs.testing.compare import require_same
from rsi_envs.testing.conformance import env_check, require
from rsi_envs.testing.recording import chooses, record, task_of

STEPS = 12


def _make_elsewhere(task: type[Task], spec: Any) -> gym.Env[Any, Any]:
    """Make an environment in a process that need not have imported the task's module yet."""
    if task.name not in registry.TASKS:
        registry.register(task)
    return gym.make(spec)


@env_check
def gymnasium_vectors_work(env_id: str) -> None:
    """SyncVectorEnv and AsyncVectorEnv (in a spawned process) give what a single one gives."""
    spec = gym.spec(env_id)
    make = functools.partial(_make_elsewhere, type(task_of(env_id)), spec)
    single = gym.make(env_id)
    first = single.reset(seed=9)
    log = record(single, first[0], chooses(single, "async"), STEPS)
    for kind, arguments in ((SyncVectorEnv, {}), (AsyncVectorEnv, {"context": "spawn"})):
        env = kind([make], **arguments)  # type: ignore[arg-type]
        try:
            observation, _ = env.reset(seed=[9])
            _require_row(observation, first[0], kind.__name__)
            for action, expected in zip(log.actions, log.results):
                observation, reward, *_ = env.step(np.array([action]))
                _require_row(observation, expected[0], kind.__name__)
                require(reward[0] == expected[1], f"rewards of {kind.__name__} and single differ")
        finally:
            env.close()


def _require_row(batch: Any, observation: Any, kind: str) -> None:
    row = {name: value[0] for name, value in batch.items()}
    require_same(row, observation, f"observations of {kind} and single")
