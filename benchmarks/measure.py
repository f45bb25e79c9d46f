"""Timing two workloads against each other on a noisy machine.

A and B run in turn, A B A B ..., in CPU time, and what counts is the ratio of neighbours: the
machine may change its speed, but not between two neighbours.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

# A workload does a fixed amount of work and returns how many units it did.
Workload = Callable[[], int]


class NotHere(Exception):
    """What is to be measured does not run on this machine."""


class Ratio(NamedTuple):
    """What was measured: rates in units per CPU second, and ours / other pair by pair."""

    ours: float
    other: float
    median: float
    low: float
    high: float
    halves: tuple[float, float]

    def as_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "halves": list(self.halves)}


def rate(work: Workload) -> float:
    """Return units per CPU second of one run of a workload."""
    start = time.process_time()
    units = work()
    return units / (time.process_time() - start)


def interleaved(ours: Workload, other: Workload, repeats: int = 7) -> Ratio:
    """Run both workloads `repeats` times in turn after one warm-up of each."""
    ours(), other()
    pairs = [(rate(ours), rate(other)) for _ in range(repeats)]
    ratios = [a / b for a, b in pairs]
    middle = len(ratios) // 2
    return Ratio(
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(ratios),
        min(ratios),
        max(ratios),
        (statistics.median(ratios[: middle + 1]), statistics.median(ratios[middle:])),
    )
