"""Exact mine probabilities of a Sweepmine position.

Hidden cells next to the same clues are interchangeable and form a *box*. The boxes are taken one
after the other, and positions that agree in what their open clues still need and in the number
of mines so far are merged: a trellis whose paths are the arrangements. Where all its nodes need
the same, the future does not depend on the past, and a new *segment* starts; separate components
are separate segments. The segments are joined through the number of mines that they hold and the
ways to lay the rest, and a backward pass gives every box its probability.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.kernels import Records, kernel, records
from rsi_envs.tasks.games.sweepmine.kernels import HIDDEN, MARKED, OUTSIDE

# What is found out about a hidden cell; kept in `grid` beside the codes of `seen`.
SAFE, MINE = -4, -5
INCONSISTENT, ESTIMATED, EXACT = -1, 0, 1

SLOTS = 15  # clues open at the same time; each needs four bits of a key
LIMIT = 1 << 17  # edges of the trellis, after which components are cut

_COUNTERS = ("first", "last", "edges", "layers", "segments", "waiting", "boxes", "exact")
_AT = np.dtype([(name, np.int64) for name in _COUNTERS] + [("odds", np.float64)])


class Work(NamedTuple):
    """The scratch arrays of `analyse`, by cell of the bordered board, box, node, edge or layer."""

    at: Records
    grid: NDArray[np.int8]
    need: NDArray[np.int64]
    room: NDArray[np.int64]
    queue: NDArray[np.int64]
    box: NDArray[np.int64]
    boxes: NDArray[np.int64]
    clues: NDArray[np.int64]
    size: NDArray[np.int64]
    slot: NDArray[np.int64]
    holder: NDArray[np.int64]
    key: NDArray[np.int64]
    mines: NDArray[np.int64]
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    table: NDArray[np.int32]
    layer: NDArray[np.int64]
    weight: NDArray[np.float64]
    end: NDArray[np.int64]
