"""Sources: which instance an environment's next episode plays, from a manifest.

A source is what `TaskEnv.source` and `TaskVectorEnv.source` take, so that replay and splits work
in single and in native vector environments alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from rsi_envs.core.instance import Instance
from rsi_envs.core.rng import derive
from rsi_envs.envs.episodes import Source
from rsi_envs.protocol.config import Config
from rsi_envs.protocol.manifest import Entry, Manifest
from rsi_envs.protocol.rungs import rung_of


def walk(entries: Sequence[Entry], rows: int = 1) -> Source:
    """Return a source that plays entries in order, from the start again after the last.

    Args:
        entries: what to play, e.g. a manifest's held-in sequence with its replays.
        rows: how many rows share the sequence; row r plays every rows-th entry from the r-th on.

    Raises:
        ValueError: there are no entries.
    """
    instances = _instances(entries)

    def source(row: int, seed: int, k: int) -> Instance:
        return instances[position(len(instances), row, k, rows)]

    return source


def position(length: int, row: int, k: int, rows: int = 1) -> int:
    """Return which of `length` entries the k-th episode of a row plays under `walk`."""
    return (k * rows + row) % length


def draw(entries: Sequence[Entry]) -> Source:
    """Return a source that draws entries, determined by the reset's seed, the row and k.

    Raises:
        ValueError: there are no entries.
    """
    instances = _instances(entries)

    def source(row: int, seed: int, k: int) -> Instance:
        return instances[derive("draw", seed, row, k) % len(instances)]

    return source


def _instances(entries: Sequence[Entry]) -> list[Instance]:
    if not entries:
        raise ValueError("there is no entry to play")
    return [entry.parsed for entry in entries]


def on_rung(config: Config, manifest: Manifest, rung: str) -> list[Entry]:
    """Return the held-out entries of a rung, G1 to G4, in order.

    Raises:
        ValueError: the configuration has no target on this rung; lists those it has.
    """
    held_in = config.held_in()
    found: dict[str, list[Entry]] = {}
    for entry in manifest.held_out:
        instance = entry.parsed
        of = rung_of(held_in, instance.task, instance.difficulty)
        found.setdefault(of, []).append(entry)
    if rung not in found:
        known = ", ".join(sorted(found)) or "none"
        raise ValueError(f"no held-out target is on rung {rung!r}; rungs with targets: {known}")
    return found[rung]
