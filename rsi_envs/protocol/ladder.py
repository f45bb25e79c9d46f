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
from rsi_envs.protocol.feedback import Evaluation
from rsi_envs.protocol.manifest import Entry
from rsi_envs.protocol.rungs import rung_of
from rsi_envs.protocol.statistics import Scores


class Row(BaseModel):
    """One rung for one target.

    Attributes:
        game, difficulty: the target's; n: instances a run, replay events in all for G0.
        failed: executions behind this row that did not complete; they count as they stood.
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
    failed: int
    initial: float
    final: float
    reference: float
    gain: float
    gain_low: float
    gain_high: float
    hci: float | None = None
    hci_low: float | None = None
    hci_high: float | None = None


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


class _Player:
    """Plays what the ladder needs: each agent and reference meets an instance once."""

    def __init__(self) -> None:
        self._agents: dict[tuple[str, str], Evaluation] = {}
        self._references: dict[str, float] = {}

    def agent(self, run: Run, workspace: Workspace, entry: Entry) -> Evaluation:
        key = (workspace.digest, entry.parsed.key)
        if key not in self._agents:
            self._agents[key] = play(run.method, workspace, entry, record=False).evaluation
        return self._agents[key]

    def reference(self, entry: Entry) -> float:
        instance = entry.parsed
        if instance.key not in self._references:
            score = registry.task(instance.task).reference_score(instance)
            self._references[instance.key] = score
        return self._references[instance.key]


class _Part(NamedTuple):
    """What one run contributes to a row."""

    scores: Scores
    failed: int


Cell = tuple[str, str, int]  # rung, game, difficulty


def evaluate_ladder(
    runs: Run | Sequence[Run], progress: Callable[[int, int], None] | None = None
) -> Ladder:
    """Evaluate the runs of one method on every rung that their configuration has targets for.

    G0 compares each replay with the first execution of the same task; the others compare A_0
    and A_T on the same held-out instances (`rungs.rung_of` says which are on which).

    Raises:
        ValueError: no runs, the same run twice, or runs of different methods or with different
            held-out instances.
    """
    runs = [runs] if isinstance(runs, Run) else list(runs)
    _check_runs(runs)
    player = _Player()
    total = sum(len(run.manifest.held_out) for run in runs)
    cells: dict[Cell, list[_Part]] = {}
    done = 0
    for run in runs:
        for cell, part in _replays(run, player):
            cells.setdefault(cell, []).append(part)
        for cell, entries in _targets(run).items():
            cells.setdefault(cell, []).append(_compare(run, entries, player))
            done += len(entries)
            if progress is not None:
                progress(done, total)
    rows = tuple(_row(cell, cells[cell]) for cell in sorted(cells))
    evaluations = sum(1 + len(e.candidates) for run in runs for e in run.executions)
    return Ladder(method=runs[0].method.name, runs=len(runs), evaluations=evaluations, rows=rows)


def _check_runs(runs: list[Run]) -> None:
    if not runs or len({run.method.name for run in runs}) != 1:
        raise ValueError("evaluate_ladder takes one or more runs of one method")
    if len({run.manifest.seed for run in runs}) != len(runs):
        raise ValueError("the same evolution run is given twice; runs differ in their seed")
    if any(run.manifest.held_out != runs[0].manifest.held_out for run in runs):
        raise ValueError("the runs have different held-out instances; evaluate them apart")


def _targets(run: Run) -> dict[Cell, list[Entry]]:
    """Return the held-out entries of each rung and target."""
    found: dict[Cell, list[Entry]] = {}
    for entry in run.manifest.held_out:
        game, difficulty = entry.parsed.task, entry.parsed.difficulty
        cell = (rung_of(run.config.held_in(), game, difficulty), game, difficulty)
        found.setdefault(cell, []).append(entry)
    return found


def _replays(run: Run, player: _Player) -> Iterable[tuple[Cell, _Part]]:
    entries = {entry.id: entry for entry in run.manifest.held_in}
    executions = {execution.id: execution for execution in run.executions}
    found: dict[Cell, list[tuple[float, float, float, int]]] = {}
    for replay in run.executions:
        if replay.replay_of is not None:
            entry, first = entries[replay.id], executions[replay.replay_of]
            cell = ("G0", entry.parsed.task, entry.parsed.difficulty)
            failed = (first.status != "completed") + (replay.status != "completed")
            row = (first.score, replay.score, player.reference(entry), failed)
            found.setdefault(cell, []).append(row)
    for cell, rows in found.items():
        before, after, reference, lost = np.array(rows, float).T
        yield cell, _Part(Scores(before, after, reference), int(lost.sum()))


def _compare(run: Run, entries: list[Entry], player: _Player) -> _Part:
    before = [player.agent(run, run.initial, entry) for entry in entries]
    after = [player.agent(run, run.final, entry) for entry in entries]
    return _Part(
        Scores(
            np.array([result.score for result in before]),
            np.array([result.score for result in after]),
            np.array([player.reference(entry) for entry in entries]),
        ),
        sum(result.status != "completed" for result in (*before, *after)),
    )


def _row(cell: Cell, parts: list[_Part]) -> Row:
    rung, game, difficulty = cell
    scores, shared = [part.scores for part in parts], rung != "G0"
    found = statistics.compare(scores, derive("bootstrap", *cell), shared)
    hci = found.hci
    return Row(
        rung=rung,
        game=game,
        difficulty=difficulty,
        n=len(scores[0].before) if shared else sum(len(run.before) for run in scores),
        failed=sum(part.failed for part in parts),
        initial=found.before,
        final=found.after,
        reference=found.reference,
        gain=found.gain.value,
        gain_low=found.gain.low,
        gain_high=found.gain.high,
        hci=hci and hci.value,
        hci_low=hci and hci.low,
        hci_high=hci and hci.high,
    )
