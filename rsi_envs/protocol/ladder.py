"""The generalization ladder (papers/000 section 3.3): scores before and after, rung by rung."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from rsi_envs.core import registry
from rsi_envs.core.rng import derive
from rsi_envs.protocol import statistics
from rsi_envs.protocol.agents import Workspace
from rsi_envs.protocol.evolve import Run, play
from rsi_envs.protocol.manifest import Entry
from rsi_envs.protocol.rungs import rung_of
from rsi_envs.protocol.statistics import Floats


class Row(BaseModel):
    """One rung for one target.

    Attributes:
        game, difficulty: the target's; n: instances a run, replay events in all for G0.
        initial, final: mean scores of A_0 and A_T (first execution and replay for G0).
        reference: s_r, the reference's mean score on the same instances.
        gain: final - initial, with low and high ends of its 95 % interval.
        hci: closed headroom with its interval; None where the headroom is too small.
    """

    model_config = ConfigDict(frozen=True)

    rung: str
    game: str
    difficulty: int
    n: int
    initial: float
    final: float
    reference: float
    gain: float
    gain_low: float
    gain_high: float
    hci: float | None
    hci_low: float | None
    hci_high: float | None


class Ladder(BaseModel):
    """The ladder of a method over one or more evolution runs.

    Attributes:
        method: its name; runs: how many; single-run intervals are conditional on that run.
        evaluations: agent executions during evolution, over all runs.
    """

    model_config = ConfigDict(frozen=True)

    method: str
    runs: int
    evaluations: int
    rows: tuple[Row, ...]

    def __str__(self) -> str:
        from rsi_envs.protocol.report import as_text

        return as_text(self)

    def save(self, path: str | Path) -> None:
        """Write the ladder as JSON."""
        Path(path).write_text(json.dumps(self.model_dump(), indent=1) + "\n", encoding="utf-8")


class _Scores:
    """Scores that are needed more than once: each agent and reference plays an instance once."""

    def __init__(self) -> None:
        self._agents: dict[tuple[str, str], float] = {}
        self._references: dict[str, float] = {}

    def agent(self, run: Run, workspace: Workspace, entry: Entry) -> float:
        key = (workspace.digest, entry.parsed.key)
        if key not in self._agents:
            result = play(run.method, workspace, entry, record=False)
            self._agents[key] = result.evaluation.score
        return self._agents[key]

    def reference(self, entry: Entry) -> float:
        instance = entry.parsed
        if instance.key not in self._references:
            score = registry.task(instance.task).reference_score(instance)
            self._references[instance.key] = score
        return self._references[instance.key]


class _Pair(NamedTuple):
    """Scores of one run on one target, (n,) each, aligned."""

    initial: Floats
    final: Floats
    reference: Floats


Cell = tuple[str, str, int]  # rung, game, difficulty


def evaluate_ladder(
    runs: Run | Sequence[Run], progress: Callable[[int, int], None] | None = None
) -> Ladder:
    """Evaluate the runs of one method on every rung that their configuration has targets for.

    G0 compares each replay with the first execution of the same task; the others compare A_0
    and A_T on the same held-out instances (`rungs.rung_of` says which are on which).

    Raises:
        ValueError: no runs, or runs of different methods.
    """
    runs = [runs] if isinstance(runs, Run) else list(runs)
    if not runs or len({run.method.name for run in runs}) != 1:
        raise ValueError("evaluate_ladder takes one or more runs of one method")
    scores = _Scores()
    total = sum(len(run.manifest.held_out) for run in runs)
    cells: dict[Cell, list[_Pair]] = {}
    done = 0
    for run in runs:
        for cell, pair in _replays(run, scores):
            cells.setdefault(cell, []).append(pair)
        for cell, entries in _targets(run).items():
            cells.setdefault(cell, []).append(_compare(run, entries, scores))
            done += len(entries)
            if progress is not None:
                progress(done, total)
    if progress is not None:
        progress(total, total)
    rows = tuple(_row(cell, cells[cell]) for cell in sorted(cells))
    evaluations = sum(1 + len(e.candidates) for run in runs for e in run.executions)
    return Ladder(method=runs[0].method.name, runs=len(runs), evaluations=evaluations, rows=rows)


def _targets(run: Run) -> dict[Cell, list[Entry]]:
    """Return the held-out entries of each rung and target."""
    found: dict[Cell, list[Entry]] = {}
    for entry in run.manifest.held_out:
        game, difficulty = entry.parsed.task, entry.parsed.difficulty
        cell = (rung_of(run.config.held_in(), game, difficulty), game, difficulty)
        found.setdefault(cell, []).append(entry)
    return found


def _replays(run: Run, scores: _Scores) -> Iterable[tuple[Cell, _Pair]]:
    entries = {entry.id: entry for entry in run.manifest.held_in}
    first = {execution.id: execution.score for execution in run.executions}
    found: dict[Cell, list[tuple[float, float, float]]] = {}
    for execution in run.executions:
        if execution.replay_of is not None:
            entry = entries[execution.id]
            cell = ("G0", entry.parsed.task, entry.parsed.difficulty)
            pair = (first[execution.replay_of], execution.score, scores.reference(entry))
            found.setdefault(cell, []).append(pair)
    for cell, rows in found.items():
        yield cell, _Pair(*np.array(rows).T)


def _compare(run: Run, entries: list[Entry], scores: _Scores) -> _Pair:
    return _Pair(
        np.array([scores.agent(run, run.initial, entry) for entry in entries]),
        np.array([scores.agent(run, run.final, entry) for entry in entries]),
        np.array([scores.reference(entry) for entry in entries]),
    )


def _row(cell: Cell, pairs: list[_Pair]) -> Row:
    rung, game, difficulty = cell
    initial, final = [pair.initial for pair in pairs], [pair.final for pair in pairs]
    shared = rung != "G0"
    before, after = np.concatenate(initial), np.concatenate(final)
    reference = float(np.concatenate([pair.reference for pair in pairs]).mean())
    gain = statistics.gain(initial, final, derive("bootstrap", *cell), shared)
    room = statistics.headroom(before, reference)
    scaled = [None if room is None else value / room for value in gain]
    return Row(
        rung=rung,
        game=game,
        difficulty=difficulty,
        n=len(initial[0]) if shared else len(before),
        initial=float(before.mean()),
        final=float(after.mean()),
        reference=reference,
        gain=gain.value,
        gain_low=gain.low,
        gain_high=gain.high,
        hci=scaled[0],
        hci_low=scaled[1],
        hci_high=scaled[2],
    )
