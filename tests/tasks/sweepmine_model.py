"""The rules of Sweepmine again, slowly and with other means: numpy, scipy and sets."""

import numpy as np
from scipy import ndimage

import rsi_envs
from rsi_envs.core.instance import Instance
from rsi_envs.core.kernels import below

HIDDEN, MARKED = -1, -2
OPEN, MARK, UNMARK = 0, 1, 2
AROUND = np.ones((3, 3), int)


def counts(mine):
    """Return for every cell how many of its eight neighbours hold a mine."""
    return ndimage.convolve(mine.astype(int), AROUND, mode="constant") - mine


def dealt(seed, stream, rows, cols, mines):
    """Return the board of a hash stream: Floyd's sample of the cells, as a set."""
    chosen = set()
    for k, last in enumerate(range(rows * cols - mines, rows * cols)):
        cell = below(seed, stream, k, last + 1)
        chosen.add(last if cell in chosen else cell)
    mine = np.zeros(rows * cols, bool)
    mine[sorted(chosen)] = True
    return mine.reshape(rows, cols)


class Model:
    """One episode; boards have no padding, actions count the cells of the padded board."""

    def __init__(self, data, padded):
        self.rows, self.cols, self.mines, self.budget = (
            data[name] for name in ("rows", "cols", "mines", "budget")
        )
        self.padded, self.chance, self.safe = padded, data["chance"], data["first_open_safe"]
        self.mine = np.array([[cell == "*" for cell in row] for row in data["board"]])
        self.restarts = self.actions = 0
        self.solved = False
        self.conceal()

    def conceal(self):
        self.seen = np.full((self.rows, self.cols), HIDDEN)
        self.opened = False

    @property
    def raw(self):
        return (self.budget - self.actions) / (self.budget - self.mines) if self.solved else 0.0

    def step(self, action):
        """Play an action and return (event code or None, done)."""
        self.actions += 1
        code = self.act(action)
        if code is None and self.kind != OPEN:
            self.solved = np.array_equal(self.seen == MARKED, self.mine)
        return code, self.solved or self.actions == self.budget

    def act(self, action):
        height, width = self.padded
        if not 0 <= action < 3 * height * width:
            return "unreadable"
        self.kind, cell = divmod(action, height * width)
        at = divmod(cell, width)
        if at[0] >= self.rows or at[1] >= self.cols:
            return "off_board"
        if self.kind == UNMARK:
            return self.change(at, MARKED, HIDDEN, "not_marked")
        if self.kind == MARK:
            return self.change(at, HIDDEN, MARKED, "not_hidden")
        return self.open(at) if self.seen[at] == HIDDEN else "not_hidden"

    def change(self, at, old, new, code):
        if self.seen[at] != old:
            return code
        self.seen[at] = new
        return None

    def open(self, at):
        if self.mine[at] and self.safe and not self.opened:
            free = np.argwhere(~self.mine)
            self.mine[at] = False
            self.mine[tuple(free[0])] = True
        if self.mine[at]:
            self.restarts += 1
            shape = (self.rows, self.cols, self.mines)
            self.mine = dealt(self.chance, self.restarts, *shape)
            self.conceal()
            return "mine"
        self.opened = True
        around = counts(self.mine)
        new = np.zeros_like(self.mine)
        new[at] = True
        if around[at] == 0:
            zeros, _ = ndimage.label((around == 0) & ~self.mine & (self.seen == HIDDEN), AROUND)
            new = ndimage.binary_dilation(zeros == zeros[at], AROUND)
        new &= self.seen == HIDDEN
        self.seen[new] = around[new]
        return None


SIDE = 12  # of the padded board; smaller boards are played in its corner, without compiling anew


def instance_of(board, budget=20, chance=5, first_open_safe=False):
    """Return the instance of a board given as rows of "." and "*"."""
    data = {
        "rows": len(board),
        "cols": len(board[0]),
        "mines": "".join(board).count("*"),
        "budget": budget,
        "first_open_safe": first_open_safe,
        "board": list(board),
        "chance": chance,
    }
    return Instance("Sweepmine", 1, 0, data)


class Game:
    """An episode on a board given as rows of text, with actions by kind, row and column."""

    def __init__(self, *board, **options):
        self.task = rsi_envs.task("Sweepmine")
        self.instance = instance_of(board, **options)
        self.problem = self.task.prepare(self.instance)
        self.state = self.task.start(self.problem)
        self.corner = np.s_[: len(board), : len(board[0])]

    def __call__(self, kind, row, col):
        """Play an action."""
        return self.play((kind * SIDE + row) * SIDE + col)

    def play(self, action):
        """Play an action by its number."""
        return self.task.step(self.problem, self.state, action)

    def see(self):
        """Return the observation."""
        return self.task.observe(self.problem, self.state)

    @property
    def board(self):
        return self.see()["board"][self.corner].tolist()

    @property
    def mine(self):
        return self.state.record("s")[0]["mine"][self.corner].astype(bool)

    @property
    def score(self):
        return self.task.score(self.problem, self.state)

    def fields(self):
        """Return every field of the state."""
        s = self.state.record("s")[0]
        return {name: np.array(s[name]).tolist() for name in s.dtype.names}

    def looks(self):
        """Return all that a player can look at."""
        seen = {name: value.tolist() for name, value in self.see().items()}
        task, problem, state = self.task, self.problem, self.state
        picture = task.pixels(problem, state).tobytes()
        return seen, task.prompt(problem, state), task.ansi(problem, state), picture
