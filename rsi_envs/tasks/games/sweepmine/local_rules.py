"""What a careful beginner reads off a Sweepmine board: local rules, no counting of boards.

Used by the hand-written players and by program agents at effort 0; the exact probabilities are
in probabilities.py.
"""

import numpy as np

from rsi_envs.core.kernels import kernel

UNKNOWN, SAFE, MINE = 0, 1, 2


@kernel
def deduce(board, known):
    """Apply the two single-count rules until nothing changes; write SAFE or MINE into `known`."""
    rows, cols = board.shape
    changed = True
    while changed:
        changed = False
        for r in range(rows):
            for c in range(cols):
                if board[r, c] >= 0 and conclude(board, known, r, c):
                    changed = True


@kernel
def tally(board, known, r, c):
    """Return the mines that the count at (r, c) leaves open, and over how many unknown cells."""
    rows, cols = board.shape
    left, unknown = board[r, c], 0
    for i in range(max(r - 1, 0), min(r + 2, rows)):
        for j in range(max(c - 1, 0), min(c + 2, cols)):
            if board[i, j] == -1 or board[i, j] == -2:
                left -= known[i, j] == MINE
                unknown += known[i, j] == UNKNOWN
    return left, unknown


@kernel
def conclude(board, known, r, c):
    """Settle the unknown neighbours of one count if they are all safe or all mines."""
    left, unknown = tally(board, known, r, c)
    if unknown == 0 or (left > 0 and left < unknown):
        return False
    verdict = SAFE if left <= 0 else MINE
    rows, cols = board.shape
    for i in range(max(r - 1, 0), min(r + 2, rows)):
        for j in range(max(c - 1, 0), min(c + 2, cols)):
            if (board[i, j] == -1 or board[i, j] == -2) and known[i, j] == UNKNOWN:
                known[i, j] = verdict
    return True


@kernel
def local_risk(board, known, r, c):
    """Return the mean share of mines that the counts around (r, c) leave open, or -1 for none."""
    rows, cols = board.shape
    risk, counts = 0.0, 0
    for i in range(max(r - 1, 0), min(r + 2, rows)):
        for j in range(max(c - 1, 0), min(c + 2, cols)):
            if board[i, j] >= 0:
                left, unknown = tally(board, known, i, j)
                risk += left / max(unknown, 1)
                counts += 1
    return risk / counts if counts > 0 else -1.0


@kernel
def density(board, known, mines):
    """Return the share of mines among the cells that the local rules leave open."""
    found, unknown = 0, 0
    rows, cols = board.shape
    for r in range(rows):
        for c in range(cols):
            if board[r, c] == -1 or board[r, c] == -2:
                found += known[r, c] == MINE
                unknown += known[r, c] == UNKNOWN
    return min(max((mines - found) / max(unknown, 1), 0.0), 1.0)


@kernel
def local_risks(board, mines):
    """Return the risk of a mine by local rules, float64 (R, C).

    0 and 1 are certain; zero for revealed cells and cells outside the board. Marks are no
    evidence.
    """
    rows, cols = board.shape
    known = np.zeros((rows, cols), np.int64)
    deduce(board, known)
    far = density(board, known, mines)
    found = np.zeros((rows, cols))
    for r in range(rows):
        for c in range(cols):
            if board[r, c] == -1 or board[r, c] == -2:
                risk = local_risk(board, known, r, c)
                if known[r, c] != UNKNOWN:
                    found[r, c] = known[r, c] == MINE
                else:
                    # What no rule has settled is never certain, whatever the shares say.
                    found[r, c] = min(max(far if risk < 0.0 else risk, 0.001), 0.999)
    return found


@kernel
def survey(board, risk):
    """Return float64 (2, R, C) for unrevealed cells: what opening would show, touching counts / 8.

    The first is the chance that no neighbour holds a mine, so that the flood shows them all,
    times the share of the eight neighbours that are unrevealed.
    """
    rows, cols = board.shape
    found = np.zeros((2, rows, cols))
    for r in range(rows):
        for c in range(cols):
            if board[r, c] == -1 or board[r, c] == -2:
                clear, hidden, counts = 1.0, 0, 0
                for i in range(max(r - 1, 0), min(r + 2, rows)):
                    for j in range(max(c - 1, 0), min(c + 2, cols)):
                        if board[i, j] >= 0:
                            counts += 1
                        elif board[i, j] > -3 and (i != r or j != c):
                            clear *= 1.0 - risk[i, j]
                            hidden += 1
                found[0, r, c] = clear * hidden / 8.0
                found[1, r, c] = counts / 8.0
    return found
