"""Checks of instances: generation, freezing, JSON, keys, refusals."""

from __future__ import annotations

import contextlib
import json
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rsi_envs.core.instance import Instance, canonical_json
from rsi_envs.core.rng import SEED_END, derive
from rsi_envs.core.task import Task
from rsi_envs.testing.compare import require_same
from rsi_envs.testing.conformance import refusal, require, task_check
from rsi_envs.testing.play import begin, deal, play, player

SEEDS = (0, 1, SEED_END - 1)
BAD_SEEDS: tuple[Any, ...] = (-1, SEED_END, True, 1.0, float("nan"), "7", None, [1])
MANY = 200


@task_check
def generate_is_pure(task: Task, difficulty: int) -> None:
    """A seed gives one instance, whatever was generated before, and its key is stable."""
    first = {seed: task.generate(difficulty, seed) for seed in SEEDS}
    for seed in reversed(SEEDS):
        again, known = task.generate(difficulty, seed), first[seed]
        require(again == known and again.key == known.key, f"seed {seed} gave two instances")
        found = (known.task, known.difficulty, known.seed, known.rules_version)
        expected = (task.name, difficulty, seed, task.rules_version)
        require(found == expected, f"generate gave {found}, expected {expected}")


@task_check
def instances_are_frozen_json(task: Task, difficulty: int) -> None:
    """Data is plain JSON that cannot be changed, and survives JSON text with its key."""
    instance = deal(task, difficulty, 0)
    text = json.dumps(instance.to_dict(), allow_nan=False)
    again = Instance.from_dict(json.loads(text))
    require(again == instance and again.key == instance.key, "JSON text gave another instance")
    require_same(instance.to_dict(), again.to_dict(), "an instance and its JSON copy")
    _require_frozen(instance.data, "data")


def _require_frozen(value: Any, where: str) -> None:
    if isinstance(value, Mapping):
        refusal(f"setting a key of {where}", operator.setitem, value, "new", 1, errors=TypeError)
        for name, item in value.items():
            _require_frozen(item, f"{where}[{name!r}]")
        return
    require(isinstance(value, tuple | str | int | float | None), f"{where} can be changed")
    for item in value if isinstance(value, tuple) else ():
        _require_frozen(item, where)


@task_check
def seeds_give_other_content(task: Task, difficulty: int) -> None:
    """Of 200 consecutive seeds at most half may repeat content, even in small data sets."""
    found = {task.generate(difficulty, seed).content_key for seed in range(MANY)}
    require(len(found) >= MANY // 2, f"{MANY} seeds gave {len(found)} different instances")


@task_check
def prepare_matches_deal(task: Task, difficulty: int) -> None:
    """``deal`` is ``prepare(generate)``, and ``prepare`` loses nothing of an instance."""
    for seed in (*SEEDS, derive("check", 0)):
        direct = task.deal(difficulty, seed)
        problem = task.prepare(task.generate(difficulty, seed))
        states = task.start(direct), task.start(problem)
        blobs = task.freeze(direct, states[0]), task.freeze(problem, states[1])
        require(blobs[0] == blobs[1], f"deal and prepare start seed {seed} differently")
        seen = task.observe(direct, states[0]), task.observe(problem, states[1])
        require_same(*seen, "the first observations after deal and prepare")


@task_check
def starting_is_pure(task: Task, difficulty: int) -> None:
    """Episodes of one problem start alike, whatever was played before."""
    problem, state = begin(task, difficulty, 1)
    first = task.freeze(problem, state)
    for _ in range(3):
        task.step(problem, state, task.invalid(problem, state))
    require(task.freeze(problem, task.start(problem)) == first, "an episode changed its problem")


@task_check
def foreign_instances_are_refused(task: Task, difficulty: int) -> None:
    """Instances of other tasks, other rules, edited or incomplete ones give a ValueError."""
    instance = deal(task, difficulty, 2)
    foreign = replace(instance, task="NoSuchTask")
    refusal("an instance of another task", task.prepare, foreign, names="NoSuchTask")
    other = replace(instance, rules_version=task.rules_version + 1)
    refusal("an instance of other rules", task.prepare, other)
    for wrong in (None, instance.to_dict()):
        refusal(f"a {type(wrong).__name__} in place of an instance", task.prepare, wrong)
    edits: tuple[dict[str, Any], ...] = ({"difficulty": difficulty + 1}, {"seed": 5}, {"data": {}})
    for edited in edits:
        values = {**instance.to_dict(), **edited}
        refusal(f"an instance with edited {[*edited]}", Instance.from_dict, values)
    for name in instance.data:
        _prepare_or_refuse(task, replace(instance, data=_without(instance.data, name)))


def _without(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}


def _prepare_or_refuse(task: Task, instance: Instance) -> None:
    """Prepare an instance that lacks data; only a ValueError may come of it."""
    with contextlib.suppress(ValueError):
        task.prepare(instance)


@task_check
def named_instances_are_playable(task: Task, difficulty: int) -> None:
    """Names are "SET/NAME", their instances stable, of the task, and played to an end.

    Of tasks with physics the first of each set is played.
    """
    named, again = task.named(), task.named()
    same = {name: one.key for name, one in named.items()}
    require(same == {name: one.key for name, one in again.items()}, "named() differs between calls")
    refusal("a name of none", task.named_instance, "no/such", names=next(iter(named), task.name))
    backwards = reversed([*named.items()])
    firsts = {(name.partition("/")[0], one.difficulty): name for name, one in backwards}
    played = firsts.values() if task.physics else named
    for name, instance in named.items():
        parts = name.split("/")
        good = len(parts) == 2 and all(part and part == part.strip() for part in parts)
        require(good, f"the name {name!r} is not SET/NAME")
        require(task.named_instance(name) == instance, f"{name!r} names another instance")
        problem = task.prepare(instance)
        if instance.difficulty == difficulty and name in played:
            state = task.start(problem)
            for _ in play(task, problem, state, player(task, difficulty, name)):
                pass


@task_check
def bad_seeds_and_difficulties_are_refused(task: Task, difficulty: int) -> None:
    """Seeds outside [0, 2**63) and unsupported difficulties give a ValueError."""
    for seed in BAD_SEEDS:
        refusal(f"the seed {seed!r}", task.generate, difficulty, seed)
    lowest = task.difficulties[0]
    beyond = [] if task.hardest is None else [task.hardest + 1]
    for wrong in (lowest - 1, float(difficulty), True, "1", None, *beyond):
        refusal(f"the difficulty {wrong!r}", task.generate, wrong, 0, names=str(lowest))


@task_check
def difficulties_share_spaces(task: Task, difficulty: int) -> None:
    """All difficulties with an id have the same spaces, and building them twice gives equals."""
    require(task.spaces(difficulty) == task.spaces(difficulty), "spaces() differs between calls")
    if difficulty in task.difficulties:
        first = task.spaces(task.difficulties[0])
        same = task.spaces(difficulty) == first
        require(same, f"d={difficulty} has other spaces than d={task.difficulties[0]}")


@task_check
def public_view_hides_the_rest(task: Task, difficulty: int) -> None:
    """``public`` gives plain JSON without seed, keys and private data."""
    instance = deal(task, difficulty, 3)
    public = task.public(instance)
    canonical_json(public)
    unknown = [name for name in task.private if name not in instance.data]
    require(not unknown, f"private names {unknown}, which the data does not have")
    told = {"seed", "key", "content_key", *task.private} & ({*public} | {*public.get("data", ())})
    require(not told, f"public() shows {sorted(told)}")
