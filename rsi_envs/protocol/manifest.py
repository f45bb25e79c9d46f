"""The manifest: every instance of a run, in order. It alone reproduces the run's tasks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict

from rsi_envs.core import registry
from rsi_envs.core.instance import Instance
from rsi_envs.core.rng import derive
from rsi_envs.protocol.config import Block, Config
from rsi_envs.protocol.schedule import insert_replays

# After so many rejected seeds in a row a pool counts as exhausted.
PATIENCE = 1000


class Entry(BaseModel):
    """One execution that the manifest asks for.

    Attributes:
        id: the only name of it that an agent sees, e.g. "in-004" or "out-017".
        instance: the instance as plain JSON, with its key.
        replay_of: the id of the first execution, for a replay.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    instance: dict[str, Any]
    replay_of: str | None = None

    @cached_property
    def parsed(self) -> Instance:
        """The instance, its key checked."""
        return Instance.from_dict(self.instance)


class Manifest(BaseModel):
    """All instances of a run: held in, in order of play, and held out.

    Attributes:
        seed: the run's root seed; rejected: how many duplicates generation threw away.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int
    held_in: tuple[Entry, ...]
    held_out: tuple[Entry, ...]
    rejected: int


class _Pool:
    """Distinct instances: remembers the content of everything generated so far."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.rejected = 0

    def draw(self, root: int, phase: str, block: Block, index: int) -> Instance:
        task = registry.task(block.game)
        for attempt in range(PATIENCE):
            seed = derive(root, phase, block.game, block.difficulty, index, attempt)
            instance = task.generate(block.difficulty, seed)
            if instance.content_key not in self.seen:
                self.seen.add(instance.content_key)
                return instance
            self.rejected += 1
        raise ValueError(
            f"{phase}: {block.game} at difficulty {block.difficulty} gave no new instance in "
            f"{PATIENCE} attempts after {index} distinct ones of this pool "
            f"({len(self.seen)} in all); ask for fewer"
        )


def build_manifest(config: Config, run: int = 0) -> Manifest:
    """Return the manifest of evolution run `run` of a configuration.

    The whole held-out pool comes first and is the same for every run; then the held-in tasks,
    from a seed of the run's own. An instance whose content occurred before is drawn again.

    Raises:
        ValueError: a pool cannot be filled; says how many distinct instances were found.
    """
    pool = _Pool()
    held_out = tuple(
        Entry(id=f"out-{n:03d}", instance=instance.to_dict())
        for n, instance in enumerate(_held_out(config, pool))
    )
    seed = derive(config.seed, "run", run)
    tasks = list(_held_in(config, pool, seed))
    allowed = [block.replay for block in config.schedule for _ in range(block.count)]
    order = insert_replays(allowed, config.replay.interval, config.replay.lag)
    ids = {task: f"in-{n:03d}" for n, (task, replay) in enumerate(order) if not replay}
    held_in = tuple(
        Entry(
            id=f"in-{n:03d}",
            instance=tasks[task].to_dict(),
            replay_of=ids[task] if replay else None,
        )
        for n, (task, replay) in enumerate(order)
    )
    return Manifest(seed=seed, held_in=held_in, held_out=held_out, rejected=pool.rejected)


def _held_out(config: Config, pool: _Pool) -> Iterator[Instance]:
    pools: dict[tuple[str, int], list[Instance]] = {}
    for block in config.holdout:
        cell = (block.game, block.difficulty)
        if cell not in pools:
            size = range(config.holdout_tasks_per_difficulty)
            pools[cell] = [pool.draw(config.holdout_seed, "held-out", block, i) for i in size]
    for block in config.holdout:
        yield from pools[(block.game, block.difficulty)][: block.count]


def _held_in(config: Config, pool: _Pool, seed: int) -> Iterator[Instance]:
    index: dict[tuple[str, int], int] = {}
    for block in config.schedule:
        cell = (block.game, block.difficulty)
        for _ in range(block.count):
            yield pool.draw(seed, "held-in", block, index.setdefault(cell, 0))
            index[cell] += 1
