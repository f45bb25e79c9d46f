"""Exact mine probabilities of a Sweepmine position.

Hidden cells next to the same clues are interchangeable and form a *box*. Boxes are taken one
after the other; partial arrangements that agree in what every open clue still needs, and in the
number of mines so far, are merged into one *node*. The result is a trellis whose paths are the
arrangements. Where all nodes of a layer need the same, the future does not depend on the past
and a new *segment* starts; separate components are separate segments. Segments are joined
through the numbers of mines they hold and the ways to lay the rest, and a pass backwards gives
each box its probability. Weights are tilted by odds^mines and scaled layer by layer, so that
boards up to 100x100 neither overflow nor vanish.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.kernels import Records, kernel, records
from rsi_envs.tasks.games.sweepmine.kernels import HIDDEN, MARKED, OUTSIDE

SAFE, MINE = -4, -5  # what single clues prove; kept in `grid` beside the codes of `seen`
INCONSISTENT, ESTIMATED, EXACT = -1, 0, 1
SLOTS = 15  # most clues open at a time; each takes four bits of a key
FORGOTTEN = -2
LIMIT = 1 << 17

BINOMIAL = np.array([[1] + [0] * 8] * 9)
for _n in range(1, 9):
    for _k in range(1, 9):
        BINOMIAL[_n, _k] = BINOMIAL[_n - 1, _k - 1] + BINOMIAL[_n - 1, _k]

_COUNTERS = ("limit", "first", "last", "edges", "layers", "segments", "boxes", "waiting", "status")
_STATE = np.dtype([*((name, np.int64) for name in _COUNTERS), ("odds", np.float64)])


class Work(NamedTuple):
    """Scratch arrays of `analyse`.

    Attributes:
        at: one record of counters; nodes first to last are the current layer.
        grid, need, room, holder, box, boxes: by cell of the board with a border. Of a clue: the
            mines it still needs, its cells not yet counted, its slot, and [count, its boxes].
        size, clues: by box: its cells, and [count, its clues].
        slot: the clue that holds each slot, or -1.
        key, held, alpha, beta: by node: needs of the open clues, mines so far, weights of the
            ways from the segment's start and to the end.
        source, target: by edge. table: hash table of the next layer's nodes.
        layer, weight: by layer: [box, first edge], and weight by mines in the box.
        end: by segment: [first, last] node of its last layer.
    """

    at: Records
    grid: NDArray[np.int8]
    need: NDArray[np.int64]
    room: NDArray[np.int64]
    holder: NDArray[np.int64]
    box: NDArray[np.int64]
    boxes: NDArray[np.int64]
    queue: NDArray[np.int64]
    size: NDArray[np.int64]
    clues: NDArray[np.int64]
    slot: NDArray[np.int64]
    key: NDArray[np.int64]
    held: NDArray[np.int64]
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    table: NDArray[np.int64]
    layer: NDArray[np.int64]
    weight: NDArray[np.float64]
    end: NDArray[np.int64]


def workspace(rows: int, cols: int, limit: int = LIMIT) -> Work:
    """Return scratch arrays for boards up to rows x cols, with a limit of trellis edges."""
    cells, most = (rows + 2) * (cols + 2), limit + 40 * rows * cols
    at = records(1, _STATE)
    at["limit"] = limit
    whole = [np.zeros(shape, np.int64) for shape in (cells, cells, cells, cells, (cells, 9))]
    nodes = [np.empty(most, dtype) for dtype in (np.int64, np.int64, np.float64, np.float64)]
    edges = [np.empty(most, np.int64) for _ in range(2)]
    return Work(
        at, np.zeros(cells, np.int8), *whole, np.empty(9 * cells, np.int64),
        np.zeros(cells, np.int64), np.zeros((cells, 9), np.int64), np.full(SLOTS, -1),
        *nodes, *edges, np.empty(4 * limit + 64, np.int64),
        np.zeros((2 * cells, 2), np.int64), np.zeros((2 * cells, 9)),
        np.zeros((cells, 2), np.int64),
    )  # fmt: skip


@kernel
def around(width):
    """Return the offsets of the eight neighbours on a board with a border."""
    return (-width - 1, -width, 1 - width, -1, 1, width - 1, width, width + 1)


@kernel
def load(w, board):
    """Copy a board (R, C) of `seen` codes into the grid; marks are no evidence."""
    rows, cols = board.shape
    width = cols + 2
    w.grid[:] = OUTSIDE
    for r in range(rows):
        for c in range(cols):
            seen = board[r, c]
            w.grid[(r + 1) * width + c + 1] = HIDDEN if seen == MARKED else seen
    return width


@kernel
def read_clues(w, width):
    """Set need and room of every clue and queue it; return the length of the queue."""
    top = 0
    for cell in range(width, w.grid.size - width):
        if w.grid[cell] >= 0:
            w.need[cell] = w.grid[cell]
            w.room[cell] = 0
            for d in around(width):
                w.room[cell] += w.grid[cell + d] == HIDDEN
            w.queue[top] = cell
            top += 1
    return top


@kernel
def prove(w, width, cell, fact, top):
    """Note that a hidden cell is SAFE or MINE and queue its clues; return the queue's length."""
    w.grid[cell] = fact
    for d in around(width):
        clue = cell + d
        if w.grid[clue] >= 0:
            w.room[clue] -= 1
            w.need[clue] -= fact == MINE
            w.queue[top] = clue
            top += 1
    return top


@kernel
def propagate(w, width, top):
    """Prove what single clues prove, until nothing changes; return whether no clue is broken."""
    while top > 0:
        top -= 1
        clue = w.queue[top]
        need, room = w.need[clue], w.room[clue]
        if need < 0 or need > room:
            return False
        if room > 0 and (need == 0 or need == room):
            fact = SAFE if need == 0 else MINE
            for d in around(width):
                if w.grid[clue + d] == HIDDEN:
                    top = prove(w, width, clue + d, fact, top)
    return True


@kernel
def same_clues(w, a, b):
    """Return whether boxes a and b are next to the same clues."""
    for i in range(w.clues[a, 0] + 1):
        if w.clues[a, i] != w.clues[b, i]:
            return False
    return True


@kernel
def find_box(w, width, cell):
    """Return the box of a hidden cell, made where it is the first, or -1 without a clue."""
    new = w.at[0].boxes
    count = 0
    for d in around(width):
        if w.grid[cell + d] >= 0:
            count += 1
            w.clues[new, count] = cell + d
    w.clues[new, 0] = count
    if count == 0:
        return -1
    lead = w.clues[new, 1]
    for i in range(1, w.boxes[lead, 0] + 1):
        if same_clues(w, new, w.boxes[lead, i]):
            return w.boxes[lead, i]
    for i in range(1, count + 1):
        mine = w.boxes[w.clues[new, i]]
        mine[0] += 1
        mine[mine[0]] = new
    w.size[new] = 0
    w.at[0].boxes += 1
    return new


@kernel
def make_boxes(w, width):
    """Group the hidden cells into boxes; return (mines proved, cells without a clue)."""
    proved = rest = 0
    w.at[0].boxes = 0
    w.boxes[:, 0] = 0
    w.holder[:] = -1
    for cell in range(width, w.grid.size - width):
        if w.grid[cell] == HIDDEN:
            box = find_box(w, width, cell)
            w.box[cell] = box
            if box < 0:
                rest += 1
            else:
                w.size[box] += 1
        elif w.grid[cell] == MINE:
            proved += 1
    return proved, rest
