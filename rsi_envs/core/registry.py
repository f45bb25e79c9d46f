"""The registry: every task by name. Ids, documentation, tests and goldens follow from it."""

from __future__ import annotations

import difflib
from typing import Any, TypeVar

from rsi_envs.core.task import SUITES, Task

TASKS: dict[str, type[Task]] = {}

T = TypeVar("T", bound=type[Task])


def register(task_class: T) -> T:
    """Register a task class under its name; use as a decorator.

    Raises:
        ValueError: another class has the name, or the suite is unknown.
    """
    name = task_class.name
    if task_class.suite not in SUITES:
        raise ValueError(f"{name}: suite must be one of {', '.join(SUITES)}")
    known, path = TASKS.get(name), _path(task_class)
    if known is not None and _path(known) != path:
        raise ValueError(f"the task name {name!r} is taken by {_path(known)}, not free for {path}")
    TASKS[name] = task_class
    return task_class


def _path(task_class: type[Task]) -> str:
    return f"{task_class.__module__}.{task_class.__qualname__}"


def task(name: str | Task, **options: Any) -> Task:
    """Return the task `name` with the given options; a task object is returned as it is.

    Raises:
        ValueError: no such task, or an unknown or wrong option; the message lists the choices.
    """
    if isinstance(name, Task):
        if options:
            given = ", ".join(sorted(options))
            raise ValueError(f"the options {given} belong into the {name.name} object itself")
        return name
    if not isinstance(name, str) or name not in TASKS:
        near = difflib.get_close_matches(str(name), TASKS, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"no task {name!r}; tasks: {', '.join(sorted(TASKS))}.{hint}")
    task_class = TASKS[name]
    valid = task_class.option_names()
    unknown = sorted(set(options) - set(valid))
    if unknown:
        raise ValueError(
            f"{name} has no option {', '.join(map(repr, unknown))}; "
            f"options: {', '.join(valid) or 'none'}"
        )
    return task_class(**options)
