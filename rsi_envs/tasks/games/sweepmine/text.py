"""Sweepmine in text: the prompt of a language agent and the picture for a terminal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.kernel_task import KernelProblem, Rows

# By value of `seen` from -3 to 8; OUTSIDE, MARKED, HIDDEN, then the counts.
SYMBOLS = " F?012345678"

RULES = """\
You play Sweepmine on a board of {rows} rows and {cols} columns that hides {mines} mines.

Rules
- "open" a hidden cell: a safe cell shows how many of its eight neighbours hold a mine, and a 0
  opens its neighbours too. A mine deals a new board: all marks are gone, the budget runs on.{first}
- "mark" a hidden cell that you think holds a mine; "unmark" takes the mark away. A marked cell
  cannot be opened.
- You win as soon as every mine is marked and no safe cell is. Nothing tells you whether a single
  mark is right.
- Every attempted action costs 1 of the budget of {budget}, also one that the rules do not allow.
- Your score is ({budget} - actions used) / ({budget} - {mines}) when you win, else 0: fewer
  actions are better, and safe cells need not all be opened.
"""

SITUATION = """
Board (? hidden, F marked, 0-8 mines around):
{board}

Marks set: {marks} of {mines} mines. Actions left: {left}. Boards lost: {restarts}.

Answer with one JSON object, rows and columns counted from 1, for example:
{{"action": "open", "row": 1, "column": {cols}}}
The action is "open", "mark" or "unmark".
"""

FIRST = "\n  The first cell opened on a board is never a mine."


def view_of(problem: KernelProblem, state: Rows) -> NDArray[np.int8]:
    """Return what the player sees, int8 (rows, columns) without padding."""
    p, s = problem.params[0], state.record("s")[0]
    view: NDArray[np.int8] = s["seen"][: p["rows"], : p["cols"]]
    return view


def ansi(problem: KernelProblem, state: Rows) -> str:
    """Return the board with row and column numbers, one line a row."""
    view = view_of(problem, state)
    lines = ["    " + " ".join(f"{column + 1:2d}" for column in range(view.shape[1]))]
    for row, cells in enumerate(view):
        lines.append(f"{row + 1:2d}  " + " ".join(f" {SYMBOLS[cell + 3]}" for cell in cells))
    return "\n".join(lines)


def prompt(problem: KernelProblem, state: Rows) -> str:
    """Return rules, board and the form of an answer."""
    p, s = problem.params[0], state.record("s")[0]
    sizes = {name: int(p[name]) for name in ("rows", "cols", "mines", "budget")}
    rules = RULES.format(first=FIRST if p["first_open_safe"] else "", **sizes)
    return rules + SITUATION.format(
        board=ansi(problem, state),
        marks=int(s["marks"]),
        left=int(p["budget"] - s["actions"]),
        restarts=int(s["restarts"]),
        **sizes,
    )
