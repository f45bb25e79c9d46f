"""The reference of Sweepmine: exact probabilities, most information first, marks at the end.

The score counts actions, and every mine costs one mark however it is found. What can be saved is
opens, so the solver opens the cell that tells most about where the mines are, sure or not: a
mine forfeits what was learnt about this board, which weighs little at the beginning and much
later on. Marks are set when all mines are known, since a mine would take them away, or when the
arrangements left are so few that trying them (success shows only when all marks are right) is
expected to take fewer actions than another open.
"""

from __future__ import annotations

import numpy as np

from rsi_envs.core.kernels import Records, kernel
from rsi_envs.tasks.games.sweepmine.boxes import SAFE
from rsi_envs.tasks.games.sweepmine.kernels import HIDDEN, MARK, MARKED, OPEN, OUTSIDE, UNMARK, step
from rsi_envs.tasks.games.sweepmine.probabilities import chance, survey, workspace
from rsi_envs.tasks.games.sweepmine.worlds import (
    MOST_WORLDS, TOTAL_BITS, bits_left, draw_worlds, partition, size,
)  # fmt: skip

FLOOD = 2.0
USELESS = -1000.0


@kernel
def unsure(risk):
    """Return how open it is whether a cell of this risk holds a mine: 0 to 1, about in bits."""
    return 4.0 * risk * (1.0 - risk)


@kernel
def stake(w, p):
    """Return what a mine would forfeit: about the bits learnt about this board so far."""
    cells = p.rows * p.cols
    bits = cells * unsure(p.mines / cells)
    for cell in range(w.cells):
        bits -= unsure(chance(w, cell))
    return max(bits, 0.0)


@kernel
def flood_bits(w, cell, worlds, parts):
    """Return the bits, times worlds, that the neighbours' counts tell in worlds with a zero."""
    before = TOTAL_BITS[size(worlds)]
    told = 0.0
    for way in w.steps:
        if w.grid[cell + way] == HIDDEN or w.grid[cell + way] == SAFE:
            partition(w, cell + way, worlds, parts)
            told += before - bits_left(parts)
    return told


@kernel
def gain(w, cell, risk, forfeit, parts):
    """Return the bits that opening a cell is expected to win."""
    full = (1 << w.worlds) - 1
    safe = full & ~w.world[cell]
    count = size(safe)
    if count == 0:
        return -forfeit
    partition(w, cell, safe, parts)
    left = bits_left(parts)
    zero = parts[0]
    if size(zero) > 1:
        told = FLOOD * flood_bits(w, cell, zero, parts)
        left -= min(told, TOTAL_BITS[size(zero)]) if w.whole else told
    won = TOTAL_BITS[w.worlds] / w.worlds - left / count
    if w.whole and won < 1e-6:
        return USELESS
    return (1.0 - risk) * won - risk * forfeit


@kernel
def best_open(w, p, s):
    """Return the cell to open and the bits that it is expected to win; the first of the best."""
    parts = np.zeros(9, np.int64)
    forfeit = stake(w, p)
    best, most = -1, 0.0
    for cell in range(w.cells):
        if w.grid[cell] == HIDDEN or w.grid[cell] == SAFE:
            risk = chance(w, cell)
            if p.first_open_safe and s.opened == 0:
                risk = 0.0
            won = gain(w, cell, risk, forfeit, parts)
            if risk < 1.0 and (best < 0 or won > most):
                best, most = cell, won
    return best, most


@kernel
def distance(w, a, b):
    """Return how many cells hold a mine in one of two worlds only."""
    count = 0
    for cell in range(w.cells):
        count += ((w.world[cell] >> a) ^ (w.world[cell] >> b)) & 1
    return count


@kernel
def tour(w, order):
    """Order all worlds, each the nearest to the one before.

    Returns:
        The actions that trying them in turn is expected to take beyond one mark for each mine.
    """
    for i in range(w.worlds):
        order[i] = i
    travelled = total = 0
    for i in range(1, w.worlds):
        nearest, least = i, distance(w, order[i - 1], order[i])
        for j in range(i + 1, w.worlds):
            far = distance(w, order[i - 1], order[j])
            if far < least:
                nearest, least = j, far
        order[i], order[nearest] = order[nearest], order[i]
        travelled += least
        total += travelled
    return total / w.worlds


@kernel
def play(p, s, kind, cell, actions):
    """Play an action on a cell of the bordered board, write it down and return `done`."""
    rows, cols = s.seen.shape
    r, c = cell // (cols + 2) - 1, cell % (cols + 2) - 1
    action = (kind * rows + r) * cols + c
    actions[s.actions] = action
    return step(p, s, action, np.zeros(0, np.int64))[1]


@kernel
def seen_at(s, cell):
    width = s.seen.shape[1] + 2
    return s.seen[cell // width - 1, cell % width - 1]


@kernel
def set_marks(w, p, s, world, actions):
    """Change the marks to those of a world; return `done`."""
    for kind in (UNMARK, MARK):
        for cell in range(w.cells):
            if w.grid[cell] < 0 and w.grid[cell] != OUTSIDE:
                mine = (w.world[cell] >> world) & 1
                if mine == (kind == MARK) and seen_at(s, cell) == (HIDDEN if mine else MARKED):
                    if play(p, s, kind, cell, actions):
                        return 1
    return 0


@kernel
def move(w, p, s, order, actions):
    """Open the best cell, or set the marks of all worlds in turn; return `done`."""
    _, before, after = survey(w, s.seen, p.mines)
    draw_worlds(w, before, after)
    cell, won = best_open(w, p, s)
    left = 1.0 + TOTAL_BITS[w.worlds] / w.worlds - won
    if not w.whole or w.worlds - 1 > left or tour(w, order) > left:
        return play(p, s, OPEN, cell, actions)
    for i in range(w.worlds):
        if set_marks(w, p, s, order[i], actions):
            return 1
    return 0


@kernel
def play_out(work, params, state, actions):
    """Play an episode to its end, writing its actions; return how many there are."""
    w, p, s = work[0], params[0], state[0]
    w.draws = 0
    order = np.zeros(MOST_WORLDS, np.int64)
    while not move(w, p, s, order, actions):
        pass
    return s.actions


def solve(params: Records, state: Records) -> tuple[int, ...]:
    """Play an episode to its end in place and return the actions.

    Args:
        params: one PARAMS record (1,), of which only sizes, budget and options are looked at.
        state: one STATE record (1,), freshly begun, of which only what is seen is looked at.
    """
    actions = np.zeros(int(params["budget"][0]), np.int64)
    count = play_out(workspace(), params, state, actions)
    return tuple(actions[:count].tolist())
