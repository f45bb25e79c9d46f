"""HCI and its intervals: closed headroom, bootstrapped over runs and instances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RESAMPLES = 2000


class Estimate(NamedTuple):
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


def headroom(baseline: Floats, reference: float) -> float | None:
    """Return s_r - s_b, or None where it is too small to divide by [ours].

    Too small is at most max(0.02 * abs(s_r), one standard error of s_b).

    Args:
        baseline: scores of A_0, any shape, at least one; reference: s_r.
    """
    error = float(baseline.std(ddof=1) / np.sqrt(baseline.size)) if baseline.size > 1 else 0.0
    room = reference - float(baseline.mean())
    return room if room > max(0.02 * abs(reference), error) else None


def hci(baseline: Floats, comparison: Floats, reference: float) -> float | None:
    """Return (s_a - s_b) / (s_r - s_b) on means (papers/000 eq. 1); None where undefined."""
    room = headroom(baseline, reference)
    return None if room is None else float(comparison.mean() - baseline.mean()) / room


def resampled(differences: list[Floats], seed: int, shared: bool) -> Floats:
    """Return bootstrap means of a hierarchical sample: runs first, then instances.

    Args:
        differences: for each run, one difference an instance.
        shared: whether all runs were evaluated on the same instances in the same order; these
            are then drawn once for all runs of a resample.
        seed: makes the draw reproducible.
    """
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(differences), size=(RESAMPLES, len(differences)))
    means = _shared_means if shared else _nested_means
    averages: Floats = means(differences, chosen, rng).mean(axis=1)
    return averages


def _shared_means(differences: list[Floats], chosen: Ints, rng: np.random.Generator) -> Floats:
    """Return the means of the chosen runs over instances that a resample draws once for all."""
    instances = len(differences[0])
    counts = rng.multinomial(instances, np.full(instances, 1 / instances), size=len(chosen))
    by_run: Floats = counts @ np.stack(differences).T / instances
    taken: Floats = np.take_along_axis(by_run, chosen, axis=1)
    return taken


def _nested_means(differences: list[Floats], chosen: Ints, rng: np.random.Generator) -> Floats:
    """Return the means of the chosen runs, each over instances drawn anew."""
    means = np.empty(chosen.shape)
    for run, values in enumerate(differences):
        drawn = rng.integers(len(values), size=((chosen == run).sum(), len(values)))
        means[chosen == run] = values[drawn].mean(axis=1)
    return means


def gain(initial: list[Floats], final: list[Floats], seed: int, shared: bool) -> Estimate:
    """Return the mean of final - initial with its 95 % interval over runs and instances.

    With a single run the interval is conditional on that run.
    """
    differences = [after - before for before, after in zip(initial, final, strict=True)]
    low, high = np.quantile(resampled(differences, seed, shared), [0.025, 0.975])
    return Estimate(float(np.mean([d.mean() for d in differences])), float(low), float(high))
