"""Gain and HCI with their intervals, bootstrapped over runs and instances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RESAMPLES = 2000


class Scores(NamedTuple):
    """Scores of one run on its targets, (n,) each and aligned: before, after, reference."""

    before: Floats
    after: Floats
    reference: Floats


class Estimate(NamedTuple):
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


class Comparison(NamedTuple):
    """What changed: mean scores, the gain, and the closed headroom or None where undefined."""

    before: float
    after: float
    reference: float
    gain: Estimate
    hci: Estimate | None


def headroom(baseline: Floats, reference: float) -> float | None:
    """Return s_r - s_b, or None where it is too small to divide by [ours].

    Too small is at most max(0.02 * abs(s_r), one standard error of s_b).

    Args:
        baseline: scores of A_0, one for each target, at least one; reference: s_r.
    """
    error = float(baseline.std(ddof=1) / np.sqrt(baseline.size)) if baseline.size > 1 else 0.0
    room = reference - float(baseline.mean())
    return room if room > max(0.02 * abs(reference), error) else None


def compare(runs: Sequence[Scores], seed: int, shared: bool) -> Comparison:
    """Return the gain and HCI (papers/000 eq. 1, on means) of one or more runs.

    The intervals are a hierarchical bootstrap, runs first, then instances, in which the scores
    of an instance stay together. With R > 1 runs they are widened by sqrt(R / (R - 1)), since
    few runs show less spread than there is; with one run they are conditional on it.

    Args:
        runs: the scores of each run, at least one.
        seed: makes the bootstrap reproducible.
        shared: whether all runs have the same targets in the same order; a resample then draws
            the targets once for all its runs.
    """
    before, after, reference = np.mean([np.mean(run, axis=1) for run in runs], axis=0)
    drawn = resampled(runs, seed, shared)
    widening = np.sqrt(len(runs) / (len(runs) - 1)) if len(runs) > 1 else 1.0
    gain = _estimate(after - before, drawn[:, 1] - drawn[:, 0], widening)
    # Runs that share targets share A_0's scores; counting them once a run would add certainty.
    alike = [run.before for run in runs]
    baseline = np.mean(alike, axis=0) if shared else np.concatenate(alike)
    room = headroom(baseline, float(reference))
    hci = None
    if room is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = (drawn[:, 1] - drawn[:, 0]) / (drawn[:, 2] - drawn[:, 0])
        hci = _estimate((after - before) / (reference - before), ratios, widening)
    return Comparison(float(before), float(after), float(reference), gain, hci)


def _estimate(value: float, drawn: Floats, widening: float) -> Estimate:
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return Estimate(
        float(value),
        float(value + widening * (low - value)),
        float(value + widening * (high - value)),
    )


def resampled(runs: Sequence[Scores], seed: int, shared: bool) -> Floats:
    """Return bootstrap means (RESAMPLES, 3) of before, after and reference; see `compare`."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(runs), size=(RESAMPLES, len(runs)))
    means = _shared_means if shared else _nested_means
    averages: Floats = means(runs, chosen, rng).mean(axis=1)
    return averages


def _shared_means(runs: Sequence[Scores], chosen: Ints, rng: np.random.Generator) -> Floats:
    """Return the means of the chosen runs over instances that a resample draws once for all."""
    instances = len(runs[0].before)
    counts = rng.multinomial(instances, np.full(instances, 1 / instances), size=len(chosen))
    by_run = np.einsum("bn,rkn->brk", counts, np.stack(runs)) / instances
    taken: Floats = np.take_along_axis(by_run, chosen[:, :, None], axis=1)
    return taken


def _nested_means(runs: Sequence[Scores], chosen: Ints, rng: np.random.Generator) -> Floats:
    """Return the means of the chosen runs, each over instances drawn anew."""
    means = np.empty((*chosen.shape, 3))
    for run, scores in enumerate(runs):
        size = len(scores.before)
        drawn = rng.integers(size, size=(int((chosen == run).sum()), size))
        means[chosen == run] = np.stack(scores)[:, drawn].mean(axis=2).T
    return means
