"""The commands list, show, check and warmup."""

from __future__ import annotations

import importlib
import sys
from typing import Annotated

import typer
from rich.table import Table

import rsi_envs
from rsi_envs.cli.terminal import EnvId, Named, Seed, begin, console, plain, progress
from rsi_envs.core.registry import TASKS
from rsi_envs.envs.registration import ids


def list_tasks(
    area: Annotated[str | None, typer.Option(help="only tasks of this area")] = None,
    suite: Annotated[str | None, typer.Option(help="only tasks of this suite")] = None,
) -> None:
    """List the tasks and their ids."""
    for word, value, known in (
        ("area", area, {task.area for task in TASKS.values()}),
        ("suite", suite, {task.suite for task in TASKS.values()}),
    ):
        if value is not None and value not in known:
            raise ValueError(f"no {word} {value!r}; there are: {', '.join(sorted(known))}")
    table = Table("task", "suite", "area", "ids", "options")
    for name, task in sorted(TASKS.items()):
        if area in (None, task.area) and suite in (None, task.suite):
            names = list(ids(task))
            shown = f"{names[0]} .. {names[-2].rsplit('-')[-1]}, {names[-1]}"
            table.add_row(name, task.suite, task.area, shown, ", ".join(task.option_names()))
    console.print(table)


def show(env_id: EnvId, seed: Seed = 0, instance: Named = None) -> None:
    """Show an instance: its prompt with the board, its reference, its key."""
    env, _ = begin(env_id, seed, instance)
    task, played = env.task, env.instance
    solution = task.reference(played)
    console.rule("prompt")
    plain(task.prompt(env.problem, env.state))
    console.rule("reference")
    score = task.normalise(played, solution.raw)
    console.print(
        f"{len(solution.actions)} actions, raw {solution.raw:.4f}, score {score:.4f}, "
        f"proof: {solution.proof}\nkey {played.key}",
        markup=False,
    )


def check(
    target: Annotated[str, typer.Argument(help="a task's name, or a module that registers tasks")],
) -> None:
    """Run the conformance suite on a task, or on the tasks that a module registers."""
    from rsi_envs.testing import check_env, check_task

    names = [target] if target in TASKS else _registered_by(target)
    for name in names:
        rsi_envs.register_task(TASKS[name])
    work = [(name, ids(TASKS[name])) for name in names]
    with progress() as told:
        for name, env_ids in work:
            count = len(check_task(rsi_envs.task(name)))
            for done, env_id in enumerate(env_ids):
                told(name, done + 1, len(env_ids) + 1)
                count += len(check_env(env_id))
            told(name, 1, 1)
            console.print(f"{name}: {count} checks passed", markup=False)


def _registered_by(target: str) -> list[str]:
    """Return the tasks that importing a module registers."""
    before, known = set(TASKS), ", ".join(sorted(TASKS))
    if not all(part.isidentifier() for part in target.split(".")):
        raise ValueError(f"{target!r} is no module; give a dotted name or a task: {known}")
    sys.path.insert(0, "")
    try:
        module = importlib.import_module(target)
    except Exception as error:  # the module's own code may raise anything
        told = f"{target!r} cannot be imported: {type(error).__name__}: {error}"
        raise ValueError(f"the module {told}; give a module or a task: {known}") from error
    registered = {name for name, task in TASKS.items() if task.__module__ == module.__name__}
    if names := sorted(registered | (set(TASKS) - before)):
        return names
    raise ValueError(f"the module {target!r} registers no task")


def warmup() -> None:
    """Compile every kernel once, so that later processes start from the cache."""
    for name in sorted(TASKS):
        task = rsi_envs.task(name)
        instance = task.generate(task.difficulties[0], 0)
        problem = task.prepare(instance)
        task.observe(problem, task.start(problem))
        task.reference(instance)
        console.print(f"{name}: ready", markup=False)
