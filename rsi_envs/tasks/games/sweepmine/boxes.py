"""A Sweepmine position as clues and boxes: the form in which arrangements are counted.

A *clue* is a revealed count. A *box* holds the hidden cells next to the same clues: they are
interchangeable, so only the number of mines in a box matters. Cells that a single clue proves
safe or mined are taken out first, which breaks most positions into small independent parts.

Cells are numbered row by row over the board with a border of one cell, so that every cell of the
board has eight neighbours. All arrays are fields of one record `w` of fixed size: numba counts
references to arrays passed between functions, which here would take ten times as long as the
work itself, but not to records.
"""

import numpy as np

from rsi_envs.core.kernels import kernel
from rsi_envs.tasks.games.sweepmine.kernels import HIDDEN, MARKED, OUTSIDE

CELLS = 102 * 102  # of the largest board, with its border
REST = CELLS - 1  # the box of the cells without clue
SAFE, MINE = -4, -5  # what single clues prove; in `grid` beside the codes of `seen`
UNSEEN = -1  # in place of a slot: the trellis has not come to this clue

# Fields of the record, by cell unless said otherwise.
POSITION = [
    ("cells", np.int64),  # of this board
    ("steps", np.int64, 8),  # from a cell to its neighbours
    ("grid", np.int8, CELLS),  # `seen`, marks read as hidden, proved cells as SAFE or MINE
    ("need", np.int64, CELLS),  # of a clue: mines to be found around it
    ("room", np.int64, CELLS),  # of a clue: hidden cells around it that no trellis has taken
    ("slot", np.int64, CELLS),  # of a clue: its slot in the trellis
    ("near", np.int64, (CELLS, 9)),  # of a clue: how many boxes are next to it, and which
    ("queue", np.int64, 9 * CELLS),  # clues to look at
    ("member", np.int64, CELLS),  # of a hidden cell: its box
    ("loose", np.int64),  # mines that are not proved
    ("boxes", np.int64),  # how many boxes there are beside REST
    ("volume", np.int64, CELLS),  # by box: its cells; 1-8 but for REST
    ("clues", np.int64, (CELLS, 9)),  # by box: how many clues are next to it, and which
    ("taken", np.int64, CELLS),  # by box: whether it is in the trellis
    ("mine", np.float64, CELLS),  # by box: the probability that one of its cells holds a mine
]


@kernel
def load(w, board):
    """Copy a board of `seen` codes, int8 (rows, cols), into the grid; marks are no evidence."""
    rows, cols = board.shape
    width = cols + 2
    w.cells = (rows + 2) * width
    w.grid[: w.cells] = OUTSIDE
    for r in range(rows):
        start = (r + 1) * width + 1
        for c in range(cols):
            w.grid[start + c] = HIDDEN if board[r, c] == MARKED else board[r, c]
    for i in range(4):
        w.steps[i] = i - 1 - width if i < 3 else -1
        w.steps[7 - i] = -w.steps[i]


@kernel
def read_clues(w):
    """Set need and room of every clue and queue it; return the length of the queue."""
    length = 0
    for cell in range(w.cells):
        if w.grid[cell] >= 0:
            room = 0
            for step in w.steps:
                room += w.grid[cell + step] == HIDDEN
            w.need[cell] = w.grid[cell]
            w.room[cell] = room
            w.slot[cell] = UNSEEN
            w.near[cell, 0] = 0
            w.queue[length] = cell
            length += 1
    return length


@kernel
def prove(w, cell, fact, length):
    """Note that a hidden cell is SAFE or MINE and queue its clues; return the queue's length."""
    w.grid[cell] = fact
    for step in w.steps:
        clue = cell + step
        if w.grid[clue] >= 0:
            w.room[clue] -= 1
            w.need[clue] -= fact == MINE
            w.queue[length] = clue
            length += 1
    return length


@kernel
def propagate(w):
    """Prove what single clues prove until nothing changes; return whether no clue is broken."""
    length = read_clues(w)
    while length > 0:
        length -= 1
        clue = w.queue[length]
        need, room = w.need[clue], w.room[clue]
        if need < 0 or need > room:
            return False
        if room > 0 and (need == 0 or need == room):
            for step in w.steps:
                if w.grid[clue + step] == HIDDEN:
                    length = prove(w, clue + step, SAFE if need == 0 else MINE, length)
    return True


@kernel
def same(a, b):
    """Return whether two lists, each a count and its members, are the same."""
    for i in range(a[0] + 1):
        if a[i] != b[i]:
            return False
    return True


@kernel
def list_clues(w, cell, box):
    """Write the clues next to a cell as those of a box; return how many there are."""
    clues = w.clues[box]
    count = 0
    for step in w.steps:
        if w.grid[cell + step] >= 0:
            count += 1
            clues[count] = cell + step
    clues[0] = count
    return count


@kernel
def find_box(w, cell):
    """Return the box of a hidden cell next to a clue, made where it is missing."""
    new = w.boxes
    clues = w.clues[new]
    near = w.near[clues[1]]
    for i in range(1, near[0] + 1):
        if same(clues, w.clues[near[i]]):
            return near[i]
    for i in range(1, clues[0] + 1):
        near = w.near[clues[i]]
        near[0] += 1
        near[near[0]] = new
    w.volume[new] = 0
    w.taken[new] = 0
    w.boxes += 1
    return new


@kernel
def make_boxes(w, mines):
    """Group the hidden cells of a board with so many mines."""
    w.boxes = 0
    w.volume[REST] = 0
    w.loose = mines
    for cell in range(w.cells):
        if w.grid[cell] == MINE:
            w.loose -= 1
        elif w.grid[cell] == HIDDEN:
            box = find_box(w, cell) if list_clues(w, cell, w.boxes) > 0 else REST
            w.member[cell] = box
            w.volume[box] += 1
