"""The reference of Sweepmine: exact probabilities, most information first, marks at the end.

The score counts actions, and every mine costs one mark however it is found. What can be saved is
opens, so the solver opens the cell that tells most about where the mines are, safe or not: a
mine forfeits what was learnt about the board, which is little at first and much later on. Marks
are set when all mines are known, since a mine would take them away, or when so few arrangements
are left that trying one after the other (success shows only when all marks are right) is
expected to take fewer actions than opening. That also settles what no open can.

A move depends only on what is seen, so the same position always gets the same move. Under the
option `first_open_safe` some arrangements are a little likelier than others; that is left out.
"""

from __future__ import annotations

import numpy as np

from rsi_envs.core.kernels import Records, kernel
from rsi_envs.tasks.games.sweepmine.boxes import SAFE
from rsi_envs.tasks.games.sweepmine.kernels import HIDDEN, MARK, MARKED, OPEN, UNMARK, step
from rsi_envs.tasks.games.sweepmine.probabilities import chance, survey, workspace
from rsi_envs.tasks.games.sweepmine.worlds import (
    MOST_WORLDS,
    TOTAL_BITS,
    bits_left,
    draw_worlds,
    partition,
    size,
)

# What a zero tells, against the sum of what its neighbours' counts tell one by one: more, since
# they may be zeros too. Chosen by trial; from 1 to 2 mean scores differ by less than .01.
FLOOD = 1.5
USELESS = -1000.0  # bits, of an open that tells arrangements apart no further


@kernel
def unsure(risk):
    """Return how open it is whether a cell of this risk holds a mine, 0 to 1: about its bits."""
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
def may_open(w, cell):
    """Return whether a cell is hidden and no single clue proves a mine in it."""
    return w.grid[cell] == HIDDEN or w.grid[cell] == SAFE


@kernel
def told_by_flood(w, cell, zero, parts):
    """Return the bits that opening the neighbours tells, times the worlds with a zero here."""
    most = TOTAL_BITS[size(zero)]
    told = 0.0
    for way in w.steps:
        if may_open(w, cell + way):
            partition(w, cell + way, zero, parts)
            told += FLOOD * (most - bits_left(parts))
    return min(told, most) if w.whole else told


@kernel
def gain(w, cell, risk, forfeit, parts):
    """Return the bits that opening a cell is expected to win; `parts` is int64 (9,) to work in."""
    safe = ((1 << w.worlds) - 1) & ~w.world[cell]
    count = size(safe)
    if count == 0:
        return -forfeit
    partition(w, cell, safe, parts)
    left = bits_left(parts)
    if size(parts[0]) > 1:
        left -= told_by_flood(w, cell, parts[0], parts)
    won = TOTAL_BITS[w.worlds] / w.worlds - left / count
    if w.whole and won < 1e-6:
        return USELESS
    return (1.0 - risk) * won - risk * forfeit


@kernel
def best_open(w, p, s):
    """Return the first of the best cells to open, or -1, and the bits it is expected to win."""
    parts = np.zeros(9, np.int64)
    forfeit = stake(w, p)
    spared = p.first_open_safe and s.opened == 0
    best, most = -1, 0.0
    for cell in range(w.cells):
        if may_open(w, cell):
            risk = 0.0 if spared else chance(w, cell)
            won = gain(w, cell, risk, forfeit, parts)
            if risk < 1.0 and (best < 0 or won > most):
                best, most = cell, won
    return best, most


@kernel
def distance(w, a, b):
    """Return how many cells hold a mine in only one of two worlds."""
    count = 0
    for cell in range(w.cells):
        count += ((w.world[cell] >> a) ^ (w.world[cell] >> b)) & 1
    return count


@kernel
def bring_nearest(w, order, i):
    """Swap to place i of `order` the nearest world to that before, and return its distance."""
    nearest, least = i, distance(w, order[i - 1], order[i])
    for j in range(i + 1, w.worlds):
        far = distance(w, order[i - 1], order[j])
        if far < least:
            nearest, least = j, far
    order[i], order[nearest] = order[nearest], order[i]
    return least


@kernel
def tour(w, order):
    """Order all worlds, int64 (MOST_WORLDS,), each the nearest to the one before.

    Returns:
        The actions that trying them in turn is expected to take beyond one mark for each mine.
    """
    for i in range(w.worlds):
        order[i] = i
    travelled = total = 0
    for i in range(1, w.worlds):
        travelled += bring_nearest(w, order, i)
        total += travelled
    return total / w.worlds


@kernel
def play(p, s, kind, r, c, actions):
    """Play an action, write it down and return `done`."""
    rows, cols = s.seen.shape
    action = (kind * rows + r) * cols + c
    actions[s.actions] = action
    return step(p, s, action, np.zeros(0, np.int64))[1]


@kernel
def set_marks(w, p, s, world, actions):
    """Change the marks to the mines of a world; return `done`."""
    width = s.seen.shape[1] + 2
    for kind in (UNMARK, MARK):
        old = HIDDEN if kind == MARK else MARKED
        for r in range(p.rows):
            for c in range(p.cols):
                mine = (w.world[(r + 1) * width + c + 1] >> world) & 1
                wanted = s.seen[r, c] == old and mine == (kind == MARK)
                if wanted and play(p, s, kind, r, c, actions):
                    return 1
    return 0


@kernel
def try_worlds(w, p, s, order, actions):
    """Set the marks of all worlds in turn until one is right; return `done`."""
    for i in range(w.worlds):
        if set_marks(w, p, s, order[i], actions):
            return 1
    return 0


@kernel
def move(w, p, s, order, actions):
    """Open a cell or try all worlds, whichever is expected to take fewer actions; return `done`.

    The estimate for opens is one for each bit that is left after the first; found by trial.
    """
    _, before, after = survey(w, s.seen, p.mines)
    w.draws = 0  # the same position always gets the same worlds
    draw_worlds(w, before, after)
    cell, won = best_open(w, p, s)
    opens = 1.0 + TOTAL_BITS[w.worlds] / w.worlds - won
    # A tour of k worlds takes at least k - 1 actions on average; only a short one is laid out.
    if w.whole and w.worlds - 1 <= opens and tour(w, order) <= opens:
        return try_worlds(w, p, s, order, actions)
    width = s.seen.shape[1] + 2
    return play(p, s, OPEN, cell // width - 1, cell % width - 1, actions)


@kernel
def play_out(work, params, state, actions):
    """Play an episode to its end and write its actions, each at its number; see `solve`."""
    w, p, s = work[0], params[0], state[0]
    order = np.zeros(MOST_WORLDS, np.int64)
    while not move(w, p, s, order, actions):
        pass


def solve(params: Records, state: Records) -> tuple[int, ...]:
    """Play an episode in place from where it stands to its end and return the actions.

    Args:
        params: one PARAMS record (1,), of which only sizes, budget and options are looked at.
        state: one STATE record (1,) without marks, of which only what a player sees is looked at.
    """
    actions = np.zeros(int(params["budget"][0]), np.int64)
    first = int(state["actions"][0])
    with workspace() as work:
        play_out(work, params, state, actions)
    return tuple(actions[first : int(state["actions"][0])].tolist())
