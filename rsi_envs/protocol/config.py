"""The configuration theta (papers/000 A.1): what is generated, and in which order it is played."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rsi_envs.core import registry
from rsi_envs.core.rng import SEED_END
from rsi_envs.protocol.rungs import rung_of

Seed = Annotated[int, Field(ge=0, lt=SEED_END, strict=True)]
Count = Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
Whole = Annotated[int, Field(ge=0, strict=True)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Block(_Strict):
    """Consecutive instances of one task at one difficulty.

    Attributes:
        game: the task's name; difficulty: its coefficient; count: how many instances, at least 1.
    """

    game: str
    difficulty: Annotated[int, Field(ge=1, strict=True)]
    count: Count


class ScheduleBlock(Block):
    """A held-in block; `replay` says whether replays may be inserted while it is placed."""

    replay: bool = True


class Replay(_Strict):
    """Insert a replay of the task `lag` back after every `interval` tasks; 0 and 0: never."""

    interval: Whole = 0
    lag: Whole = 0


class Config(_Strict):
    """The configuration theta.

    Attributes:
        seed: root seed of held-in generation; holdout_seed: of the held-out pools.
        schedule: ordered held-in blocks; holdout: ordered held-out blocks.
        holdout_tasks_per_difficulty: size of the pool that is generated for each held-out task
            and difficulty; a block takes the first `count` of it.
        replay: when replays are inserted (A.2).
    """

    seed: Seed = 0
    holdout_seed: Seed = 1
    schedule: Annotated[tuple[ScheduleBlock, ...], Field(min_length=1)]
    holdout: tuple[Block, ...] = ()
    holdout_tasks_per_difficulty: Count = 256
    replay: Replay = Replay()

    @classmethod
    def parse(cls, values: Any) -> Config:
        """Return a checked configuration.

        Raises:
            ValueError: unknown keys, wrong values, unknown games or difficulties, a held-out
                block that is on no rung or asks for more than its pool; the message names each
                and the valid choices.
        """
        try:
            config = cls.model_validate(values)
        except ValidationError as error:
            raise ValueError("\n".join(map(_explain, error.errors()))) from None
        cells = [(block.game, block.difficulty) for block in config.holdout]
        for place, block in config.blocks():
            try:
                registry.task(block.game).check_difficulty(block.difficulty)
                if not isinstance(block, ScheduleBlock):
                    config._check_held_out(block)
                    if cells.count((block.game, block.difficulty)) > 1:
                        raise ValueError("the same game and difficulty is held out twice")
            except ValueError as error:
                raise ValueError(f"{place}: {error}") from None
        return config

    def _check_held_out(self, block: Block) -> None:
        rung_of(self.held_in(), block.game, block.difficulty)
        if block.count > self.holdout_tasks_per_difficulty:
            raise ValueError(
                f"count {block.count} is more than the pool's "
                f"holdout_tasks_per_difficulty = {self.holdout_tasks_per_difficulty}"
            )

    def held_in(self) -> set[tuple[str, int]]:
        """Return the held-in games with their difficulties."""
        return {(block.game, block.difficulty) for block in self.schedule}

    def blocks(self) -> list[tuple[str, Block]]:
        """Return every block with its place in the file, e.g. "schedule[0]"."""
        held_in = [(f"schedule[{i}]", block) for i, block in enumerate(self.schedule)]
        return [*held_in, *((f"holdout[{i}]", block) for i, block in enumerate(self.holdout))]

    @classmethod
    def load(cls, name: str | Path, **overrides: Any) -> Config:
        """Return a shipped configuration by name, or one from a TOML file.

        Args:
            name: e.g. "medium-sweepmine", or a path ending in .toml.
            overrides: top-level fields to replace, e.g. ``holdout_seed=5``.

        Raises:
            ValueError: no such configuration (lists the shipped ones), malformed TOML, or as
                `parse`.
        """
        path = Path(name)
        if path.suffix == ".toml":
            if not path.is_file():
                raise ValueError(f"no configuration file {str(path)!r}")
            text = path.read_text(encoding="utf-8")
        elif str(name) in shipped():
            folder = resources.files("rsi_envs.protocol.configs")
            text = (folder / f"{name}.toml").read_text(encoding="utf-8")
        else:
            known = ", ".join(shipped())
            raise ValueError(f"no configuration {str(name)!r}; shipped: {known}; or a .toml file")
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{name}: malformed TOML: {error}") from None
        return cls.parse({**values, **overrides})


def shipped() -> list[str]:
    """Return the names of the shipped configurations."""
    files = resources.files("rsi_envs.protocol.configs").iterdir()
    return sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml"))


_MODELS: dict[str, type[BaseModel]] = {
    "schedule": ScheduleBlock,
    "holdout": Block,
    "replay": Replay,
}


def _explain(error: Any) -> str:
    """Return one line for a pydantic error: where, what, and the valid keys."""
    parts = error["loc"]
    place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts).lstrip(".")
    if error["type"] != "extra_forbidden":
        return f"{place}: {error['msg']}, got {error['input']!r}"
    model = _MODELS.get(str(parts[0]), Config) if len(parts) > 1 else Config
    return f"{place}: unknown key; valid keys: {', '.join(model.model_fields)}"
