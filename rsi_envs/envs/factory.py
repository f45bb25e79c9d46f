"""The vector entry point: the native environment for kernel tasks, else one after the other."""

from __future__ import annotations

import inspect
from typing import Any

from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

from rsi_envs.core import registry
from rsi_envs.core.kernel_task import KernelTask
from rsi_envs.core.task import Task
from rsi_envs.envs import episodes
from rsi_envs.envs.single import TaskEnv
from rsi_envs.envs.vector import TaskVectorEnv

_ENV_KEYWORDS = tuple(
    name
    for name, parameter in inspect.signature(TaskEnv).parameters.items()
    if parameter.kind is not parameter.VAR_KEYWORD and name != "task"
)


def make_vector(
    task: str | Task,
    num_envs: int = 1,
    *,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    **kwargs: Any,
) -> VectorEnv[Any, Any, Any]:
    """Return the vector environment of a task.

    Args:
        task: its name or object; num_envs: how many rows, at least 1.
        autoreset_mode: as in Gymnasium, enum or text.
        kwargs: as for `TaskEnv`; `score` is off by default, since it may need a reference.

    Raises:
        ValueError: as `TaskEnv`, for `num_envs` below 1 and for an unknown mode.
    """
    if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
        raise ValueError(f"num_envs must be an integer of at least 1, got {num_envs!r}")
    own = {name: kwargs.pop(name) for name in _ENV_KEYWORDS if name in kwargs}
    own.setdefault("score", False)
    made = registry.task(task, **kwargs)
    if isinstance(made, KernelTask):
        return TaskVectorEnv(made, num_envs, autoreset_mode=autoreset_mode, **own)
    return SyncTaskVectorEnv(made, num_envs, autoreset_mode=autoreset_mode, **own)


class SyncTaskVectorEnv(SyncVectorEnv):
    """A vector environment of a task without kernels; seeds its rows as `TaskVectorEnv` does."""

    def __init__(
        self, task: Task, num_envs: int, *, autoreset_mode: AutoresetMode | str, **kwargs: Any
    ) -> None:
        mode = episodes.parse_autoreset_mode(autoreset_mode)
        super().__init__([lambda: TaskEnv(task, **kwargs)] * num_envs, autoreset_mode=mode)

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        """Start episodes; an integer seed is derived per row, a list is taken literally."""
        bases = None if seed is None else episodes.row_bases(seed, self.num_envs)
        return super().reset(seed=bases, options=options)
