"""The frame of the conformance suite: what a check is, how it fails, how all of them are run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import gymnasium as gym

from rsi_envs.core import registry
from rsi_envs.core.task import Task

TaskCheck = Callable[[Task, int], None]
EnvCheck = Callable[[str], None]

CHECKS: dict[str, TaskCheck] = {}
ENV_CHECKS: dict[str, EnvCheck] = {}


class ConformanceError(AssertionError):
    """A task or environment breaks the contract; the message names it, the check and why."""


def require(ok: Any, message: str) -> None:
    """Raise `ConformanceError` unless `ok`; unlike `assert` it also works under ``python -O``."""
    if not ok:
        raise ConformanceError(message)


def refusal(
    what: str,
    call: Callable[..., Any],
    *args: Any,
    errors: type[Exception] = ValueError,
    names: str = "",
) -> str:
    """Return the message with which ``call(*args)`` refuses `what`.

    Raises:
        ConformanceError: it does not raise one of `errors`, or the message lacks `names`.
    """
    try:
        found = call(*args)
    except errors as error:
        message = str(error)
    except Exception as error:
        text = f"{what} must raise {errors.__name__}, not {type(error).__name__}: {error}"
        raise ConformanceError(text) from error
    else:
        raise ConformanceError(f"{what} must raise {errors.__name__}, but gave {found!r:.200}")
    require(message, f"the {errors.__name__} for {what} says nothing")
    require(names in message, f"the message for {what} must name {names!r}; it is {message!r}")
    return message


def _named(where: str, check: str, run: Callable[[], None]) -> None:
    try:
        run()
    except ConformanceError as error:
        raise ConformanceError(f"{where}, check {check}: {error}") from error
    except Exception as error:
        text = f"{where}, check {check}: {type(error).__name__}: {error}"
        raise ConformanceError(text) from error


def task_check(function: TaskCheck) -> TaskCheck:
    """Add ``function(task, difficulty)`` to CHECKS; its errors then name task and check."""

    @functools.wraps(function)
    def check(task: Task, difficulty: int) -> None:
        where = f"{task.name} d={difficulty}"
        played = replace(task, **task.brief) if task.brief else task
        _named(where, function.__name__, lambda: function(played, difficulty))

    CHECKS[function.__name__] = check
    return check


def _brief(env_id: str) -> str:
    """Return an id of the same task with its `brief` options; `env_id` itself where it has none."""
    spec = gym.spec(env_id)
    task = spec.kwargs.get("task")
    task = registry.TASKS.get(task) if isinstance(task, str) else None
    if task is None or not task.brief:
        return env_id
    brief_id = f"brief/{env_id.rpartition('/')[2]}"
    if brief_id not in gym.registry:
        vector, kwargs = spec.vector_entry_point, {**spec.kwargs, **task.brief}
        gym.register(brief_id, spec.entry_point, vector_entry_point=vector, kwargs=kwargs)
    return brief_id


def env_check(function: EnvCheck) -> EnvCheck:
    """Add ``function(env_id)`` to ENV_CHECKS; its errors then name the id and the check."""

    @functools.wraps(function)
    def check(env_id: str) -> None:
        _named(env_id, function.__name__, lambda: function(_brief(env_id)))

    ENV_CHECKS[function.__name__] = check
    return check


def check_task(task: Task, difficulties: Iterable[int] | None = None) -> list[str]:
    """Run every check of CHECKS on a task and return their names.

    Args:
        task: any `Task` object, registered or not.
        difficulties: those of the task that have an id by default.

    Raises:
        ConformanceError: the first check that fails.
    """
    for difficulty in task.difficulties if difficulties is None else difficulties:
        for check in CHECKS.values():
            check(task, difficulty)
    return list(CHECKS)


def check_env(env_id: str) -> list[str]:
    """Run every check of ENV_CHECKS on a registered id and return their names.

    Raises:
        ConformanceError: the id is unknown, or the first check that fails.
    """
    require(env_id in gym.registry, f"the id {env_id!r} is not registered with Gymnasium")
    for check in ENV_CHECKS.values():
        check(env_id)
    return list(ENV_CHECKS)
