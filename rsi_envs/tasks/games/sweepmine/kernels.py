"""The rules of Sweepmine as kernels over records; see task.py for the fields.

Cells are numbered row by row over the padded layout. `seen` holds what the player sees of each
cell: 0-8 a revealed count, HIDDEN, MARKED, or OUTSIDE the board.
"""

import numpy as np

from rsi_envs.core.kernels import below, bits, emit, kernel

HIDDEN, MARKED, OUTSIDE = -1, -2, -3
OPEN, MARK, UNMARK = 0, 1, 2
EXPLODED, UNREADABLE, OFF_BOARD, NOT_HIDDEN, NOT_MARKED = 1, 2, 3, 4, 5

FIRST_BOARD = 0  # hash stream of the board in the parameters; restarts draw from `chance`


@kernel
def lay(mine, rows, cols, mines, seed, stream):
    """Lay `mines` mines uniformly on a cleared board by Floyd's sampling: no retries."""
    cells = rows * cols
    for k in range(mines):
        last = cells - mines + k
        cell = below(seed, stream, k, last + 1)
        if mine[cell // cols, cell % cols]:
            cell = last
        mine[cell // cols, cell % cols] = 1


@kernel
def draw(p, seed):
    lay(p.mine, p.rows, p.cols, p.mines, seed, FIRST_BOARD)
    p.chance = ((bits(seed, 1, 0) >> 1) << 32) | bits(seed, 1, 1)


@kernel
def conceal(p, s):
    """Hide every cell of a new board and take all marks away."""
    s.seen[:] = OUTSIDE
    s.seen[: p.rows, : p.cols] = HIDDEN
    s.opened = 0
    s.marks = 0
    s.right = 0


@kernel
def begin(p, s):
    s.mine[:] = p.mine
    conceal(p, s)


@kernel
def restart(p, s):
    """Deal the next board: a hash of the instance's chance seed and the restart count."""
    s.restarts += 1
    s.mine[:] = 0
    lay(s.mine, p.rows, p.cols, p.mines, p.chance, s.restarts)
    conceal(p, s)


@kernel
def neighbours(mine, rows, cols, r, c):
    """Return how many of the eight cells around (r, c) hold a mine."""
    count = 0
    for i in range(max(r - 1, 0), min(r + 2, rows)):
        for j in range(max(c - 1, 0), min(c + 2, cols)):
            count += mine[i, j]
    return count - mine[r, c]


@kernel
def reveal(p, s, r, c):
    """Show a safe cell's count; a zero opens its neighbourhood. Marked cells stay as they are."""
    s.seen[r, c] = neighbours(s.mine, p.rows, p.cols, r, c)
    s.opened += 1
    if s.seen[r, c] != 0:
        return
    width = s.seen.shape[1]
    stack = np.empty(s.seen.size, np.int64)
    stack[0] = r * width + c
    top = 1
    while top > 0:
        top -= 1
        y, x = stack[top] // width, stack[top] % width
        for i in range(max(y - 1, 0), min(y + 2, p.rows)):
            for j in range(max(x - 1, 0), min(x + 2, p.cols)):
                if s.seen[i, j] == HIDDEN:
                    s.seen[i, j] = neighbours(s.mine, p.rows, p.cols, i, j)
                    s.opened += 1
                    if s.seen[i, j] == 0:
                        stack[top] = i * width + j
                        top += 1


@kernel
def spare(p, s, r, c):
    """Move the mine at (r, c) to the first cell that holds none (option first_open_safe)."""
    s.mine[r, c] = 0
    for i in range(p.rows):
        for j in range(p.cols):
            if not s.mine[i, j] and (i != r or j != c):
                s.mine[i, j] = 1
                return


@kernel
def open_cell(p, s, r, c, log):
    if s.mine[r, c] and s.opened == 0 and p.first_open_safe:
        spare(p, s, r, c)
        s.right = recount(p, s)
    if s.mine[r, c]:
        emit(log, EXPLODED, r, c)
        restart(p, s)
    else:
        reveal(p, s, r, c)


@kernel
def recount(p, s):
    """Return how many marks stand on mines."""
    right = 0
    for i in range(p.rows):
        for j in range(p.cols):
            if s.seen[i, j] == MARKED and s.mine[i, j]:
                right += 1
    return right


@kernel
def set_mark(p, s, r, c, marked):
    """Set or take away a mark. Only this can win: opening never tells if marks are right."""
    s.seen[r, c] = MARKED if marked else HIDDEN
    change = 1 if marked else -1
    s.marks += change
    s.right += change * s.mine[r, c]
    s.solved = s.right == p.mines and s.marks == p.mines


@kernel
def act(p, s, a, log):
    """Apply one action; an invalid one only emits an event."""
    width = s.seen.shape[1]
    cells = s.seen.size
    if a < 0 or a >= 3 * cells:
        emit(log, UNREADABLE, a, 0)
        return
    kind, cell = a // cells, a % cells
    r, c = cell // width, cell % width
    seen = s.seen[r, c]
    if seen == OUTSIDE:
        emit(log, OFF_BOARD, r, c)
    elif kind == UNMARK:
        if seen == MARKED:
            set_mark(p, s, r, c, False)
        else:
            emit(log, NOT_MARKED, r, c)
    elif seen != HIDDEN:
        emit(log, NOT_HIDDEN, r, c)
    elif kind == MARK:
        set_mark(p, s, r, c, True)
    else:
        open_cell(p, s, r, c, log)


@kernel
def step(p, s, a, log):
    """Play one action; every attempt costs one, invalid ones included."""
    act(p, s, a, log)
    s.actions += 1
    done = 1 if s.solved or s.actions == p.budget else 0
    reward = -1.0 / p.budget
    if s.solved:
        reward += raw_score(p, s) - 1.0 + s.actions / p.budget
    return reward, done


@kernel
def raw_score(p, s):
    """Return (B - a) / (B - m) on success, else 0 (papers/000 B.2.1)."""
    return (p.budget - s.actions) / (p.budget - p.mines) if s.solved else 0.0


@kernel
def observe(p, s, o):
    o.board[:] = s.seen
    o.status[0] = p.rows
    o.status[1] = p.cols
    o.status[2] = p.mines
    o.status[3] = s.marks
    o.status[4] = p.budget - s.actions
    o.status[5] = s.restarts
    cells = s.seen.size
    seen = s.seen.reshape(cells)
    for cell in range(cells):
        o.action_mask[cell] = seen[cell] == HIDDEN
        o.action_mask[cells + cell] = seen[cell] == HIDDEN
        o.action_mask[2 * cells + cell] = seen[cell] == MARKED


@kernel
def outcome(p, s, m):
    m[0] = raw_score(p, s)
    m[1] = s.solved
    m[2] = s.actions
    m[3] = s.restarts


@kernel
def run(rows):
    for i in range(len(rows)):
        r = rows[i]
        if r.live:
            r.log[0] = 0
            r.reward, r.done = step(r.p, r.s, r.a, r.log)
            if r.done:
                outcome(r.p, r.s, r.m)
        observe(r.p, r.s, r.o)


@kernel
def fill(rows, which, seeds, template):
    for k in range(len(which)):
        r = rows[which[k]]
        if seeds[k] >= 0:
            r.p = template[0].p
            draw(r.p, seeds[k])
        r.s = template[0].s
        r.done = 0
        begin(r.p, r.s)
        observe(r.p, r.s, r.o)
