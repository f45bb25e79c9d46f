"""How large a farm is, and the records that its kernels work on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rsi_envs.core.layout import Layout
from rsi_envs.tasks.games.farm.catalog import LONGEST_GROWTH


def size(difficulty: int) -> tuple[int, int]:
    """Return the number of crops and the number of plots and days (papers/000 B.1.2)."""
    return 2 * difficulty + 2, 4 * difficulty + 4


@lru_cache(maxsize=64)
def layout_of(crops: int, days: int) -> Layout:
    """Return the records of farms with up to `crops` crops and `days` days and plots."""
    sizes = [(name, np.int64) for name in ("d", "cash", "crops", "days", "plots")]
    columns = [(name, np.int64, crops) for name in ("crop", "price", "growth", "units", "value")]
    counts = ("day", "cash", "planted", "harvested", "sold", "skipped")
    state = [(name, np.int64) for name in counts]
    return Layout(
        np.dtype([*sizes, *columns], align=True),
        np.dtype(
            [
                *state, ("seeds", np.int64, crops), ("stock", np.int64, crops),
                ("ripe", np.int64, days), ("curve", np.int64, days), ("plot", np.int8, days),
                ("calendar", np.int8, (days, days)),
            ],
            align=True,
        ),
        np.dtype(
            [
                ("status", np.int32, 5), ("crops", np.int32, (crops, 4)),
                ("seeds", np.int32, crops), ("stock", np.int32, crops),
                ("growing", np.int32, (crops, LONGEST_GROWTH + 1)),
            ],
            align=True,
        ),
    )  # fmt: skip
