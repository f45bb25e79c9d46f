"""Exact mine probabilities of a Sweepmine position.

The position's boxes (boxes.py) are laid out as a trellis of arrangements (trellis.py). Its
segments are joined through the numbers of mines that they hold and the ways to lay the rest,
and a pass backwards over the edges gives each box its probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.kernels import Records, kernel, records
from rsi_envs.tasks.games.sweepmine.boxes import (
    CELLS,
    MINE,
    POSITION,
    REST,
    load,
    make_boxes,
    propagate,
)
from rsi_envs.tasks.games.sweepmine.kernels import HIDDEN
from rsi_envs.tasks.games.sweepmine.trellis import CUT, LIMIT, TRELLIS, grow
from rsi_envs.tasks.games.sweepmine.worlds import WORLDS

INCONSISTENT, ESTIMATED, EXACT = -1, 0, 1
WORK = np.dtype([*POSITION, *TRELLIS, *WORLDS], align=True)


class Estimate(NamedTuple):
    """Mine probabilities, float64 (rows, columns) in [0, 1], and whether they are exact."""

    mine: NDArray[np.float64]
    exact: bool


# Taking from a list and appending to it are atomic, so threads never share a record.
_SPARE: list[Records] = []


@contextmanager
def workspace(limit: int = LIMIT) -> Iterator[Records]:
    """Lend a WORK record (1,) to analyse any boards with. A new one of 22 MB would take 1 ms.

    Args:
        limit: about how many edges a trellis may have, from 0 to LIMIT.

    Raises:
        ValueError: the limit is not in this range.
    """
    if not 0 <= limit <= LIMIT:
        raise ValueError(f"limit must be from 0 to {LIMIT}, got {limit}")
    work = _SPARE.pop() if _SPARE else records(1, WORK)
    work["limit"] = limit
    try:
        yield work
    finally:
        _SPARE.append(work)


@kernel
def ways_of_rest(rest, mines, width, odds):
    """Return float64 (width,): the weight of i mines elsewhere, the others in `rest` free cells.

    The ratio of neighbouring binomials leads from the largest weight, which is 1, to the others.
    """
    weight = np.zeros(width)
    start, stop = max(0, mines - rest), min(width - 1, mines)
    if start > stop:
        return weight
    ratio = np.empty(width)
    for i in range(start, stop):
        ratio[i] = (mines - i) / (rest - mines + i + 1) / odds
    top = start
    while top < stop and ratio[top] > 1.0:
        top += 1
    weight[top] = 1.0
    for i in range(top, stop):
        weight[i + 1] = weight[i] * ratio[i]
    for i in range(top - 1, start - 1, -1):
        weight[i] = weight[i + 1] / ratio[i]
    return weight


@kernel
def scale(weights):
    """Scale weights to a largest of 1; return whether there is one above 0."""
    top = weights.max()
    if top > 0.0:
        weights /= top
    return top > 0.0


@kernel
def join_forwards(w, width):
    """Return float64 (segments + 1, width): weights by spare mines in the segments before each.

    Spare mines are those beyond the least that the segments can hold.
    """
    before = np.zeros((w.segments + 1, width))
    before[0, 0] = 1.0
    reach = 1
    for i in range(w.segments):
        for node in range(w.end_first[i], w.end_last[i]):
            spare = w.mines[node] - w.least[i]
            for k in range(reach):
                before[i + 1, k + spare] += before[i, k] * w.behind[node]
        reach += w.most[i] - w.least[i]
        scale(before[i + 1])
    return before


@kernel
def join_backwards(w, before, after):
    """Set the weight ahead of every segment's last nodes; return whether anything fits.

    `after`, float64 (width,), holds the weights of the rest by spare mines in the segments.
    """
    reach = len(after)
    for i in range(w.segments - 1, -1, -1):
        reach -= w.most[i] - w.least[i]
        joined = np.zeros(reach)
        for node in range(w.end_first[i], w.end_last[i]):
            spare = w.mines[node] - w.least[i]
            ahead = 0.0
            for k in range(reach):
                ahead += before[i, k] * after[k + spare]
                joined[k] += w.behind[node] * after[k + spare]
            w.ahead[node] = ahead
        if not scale(joined):
            return False
        after = joined
    return True


@kernel
def spread(w):
    """Go back over all edges and set the probability of a mine in each box with clues."""
    for layer in range(w.layers - 1, -1, -1):
        box = w.layer_box[layer]
        size = 0 if box == CUT else w.volume[box]
        mine = safe = 0.0
        for edge in range(w.layer_edge[layer], w.layer_edge[layer + 1]):
            source, target = w.source[edge], w.target[edge]
            mines = w.mines[target] - w.mines[source]
            ahead = w.weight[layer, mines] * w.ahead[target]
            w.ahead[source] += ahead
            mine += w.behind[source] * ahead * mines
            safe += w.behind[source] * ahead * (size - mines)
        if box != CUT:
            w.mine[box] = mine / (mine + safe)


@kernel
def weigh_rest(w, weights, mines):
    """Set the probability of the REST from weights of mines - i mines in it."""
    mine = safe = 0.0
    for i in range(len(weights)):
        mine += weights[i] * (mines - i)
        safe += weights[i] * (w.volume[REST] - mines + i)
    w.mine[REST] = mine / (mine + safe) if w.volume[REST] > 0 else 0.0


@kernel
def weigh(w):
    """Set the probability of every box.

    Returns:
        Whether any arrangement fits, and float64 (segments + 1, width) and (width,): the weights
        of the segments before each and of the rest, by spare mines in the segments.
    """
    hidden = w.volume[: w.boxes].sum() + w.volume[REST]
    if w.loose < 0 or w.loose > hidden:
        return False, np.zeros((1, 1)), np.zeros(1)
    w.odds = (w.loose + 1) / (hidden - w.loose + 1)
    if not grow(w):
        return False, np.zeros((1, 1)), np.zeros(1)
    least = w.least[: w.segments].sum()
    width = 1 + w.most[: w.segments].sum() - least
    before = join_forwards(w, width)
    after = ways_of_rest(w.volume[REST], w.loose - least, width, w.odds)
    fits = join_backwards(w, before, after)
    if fits:
        spread(w)
        weigh_rest(w, before[w.segments] * after, w.loose - least)
    return fits, before, after


@kernel
def chance(w, cell):
    """Return the probability of a mine in a cell of the bordered board."""
    seen = w.grid[cell]
    return w.mine[w.member[cell]] if seen == HIDDEN else 1.0 * (seen == MINE)


@kernel
def survey(w, board, mines):
    """Read a board and find the probabilities, for `chance` to tell; see `analyse`, `weigh`."""
    load(w, board)
    if not propagate(w):
        return False, np.zeros((1, 1)), np.zeros(1)
    make_boxes(w, mines)
    return weigh(w)


@kernel
def analyse(w, board, mines, mine):
    """Write the mine probabilities of a board to `mine`, float64 of the board's shape.

    Args:
        w: a WORK record, of which only `limit` matters.
        board: int8 (rows, columns): 0-8 revealed, -1 hidden, -2 marked, -3 outside.
        mines: the number of mines on the board.

    Returns:
        EXACT, ESTIMATED where the limit was reached, or INCONSISTENT where nothing was written.
    """
    if not survey(w, board, mines)[0]:
        return INCONSISTENT
    rows, cols = board.shape
    for r in range(rows):
        for c in range(cols):
            mine[r, c] = chance(w, (r + 1) * (cols + 2) + c + 1)
    return EXACT if w.cuts == 0 else ESTIMATED


def estimate(board: NDArray[np.int8], mines: int, limit: int = LIMIT) -> Estimate:
    """Return the mine probabilities of a position and whether they are exact.

    Args:
        board: int8 (rows, columns) as observed: 0-8 revealed, -1 hidden, -2 marked, -3 outside.
            Marks are read as hidden cells: they are no evidence.
        mines: the number of mines on the board.
        limit: about how many edges the trellis may have, at most LIMIT. Beyond it some clues are
            left out (see trellis.py): the same board and limit always give the same estimate,
            and an estimate of 0 or 1 is still certain.

    Raises:
        ValueError: no arrangement of the mines fits the board, or the arguments are malformed.
    """
    seen = np.asarray(board)
    if seen.ndim != 2 or (seen.shape[0] + 2) * (seen.shape[1] + 2) > CELLS:
        raise ValueError(f"board must be two-dimensional and up to 100x100, got {seen.shape}")
    if seen.dtype.kind not in "iu" or seen.min(initial=0) < -3 or seen.max(initial=0) > 8:
        raise ValueError("board must hold whole numbers from -3 to 8")
    mine = np.zeros(seen.shape)
    with workspace(limit) as work:
        status = analyse(work[0], np.ascontiguousarray(seen, np.int8), mines, mine)
    if status == INCONSISTENT:
        raise ValueError(f"no arrangement of {mines} mines fits the board")
    return Estimate(mine, status == EXACT)


def mine_probabilities(board: NDArray[np.int8], mines: int) -> NDArray[np.float64]:
    """Return the probability of a mine in every cell, float64 (rows, columns); see `estimate`.

    Revealed cells and cells outside the board have 0.
    """
    return estimate(board, mines).mine
