"""Board sizes of Sweepmine: the table of difficulties, what lies beyond it, and free sizes."""

from __future__ import annotations

from typing import Any

LONGEST_SIDE = 100

# rows, columns, mines, budget for d = 1..5. The paper's Table 8 lost its numbers: ours.
TABLE = ((6, 6, 5, 36), (7, 7, 8, 52), (8, 8, 11, 66), (10, 10, 18, 104), (12, 12, 28, 180))


def board_size(difficulty: int) -> tuple[int, int, int, int]:
    """Return (rows, columns, mines, budget) of a difficulty.

    Beyond 5 the side grows by 2 and the density by .012 up to .25. The budget is the number of
    cells squared over 120: up to d = 12 the reference solver's actions grow that fast, because
    dense boards are lost often.
    """
    if difficulty <= len(TABLE):
        return TABLE[difficulty - 1]
    steps = difficulty - len(TABLE)
    side = TABLE[-1][0] + 2 * steps
    mines = round(side * side * min(0.194 + 0.012 * steps, 0.25))
    return side, side, mines, round(side**4 / 120)


def check_board(board: Any) -> tuple[int, int, int, int]:
    """Return (rows, columns, mines, budget) as ints, or raise ValueError saying what is wrong."""
    rule = (
        f"board must be (rows, columns, mines, budget) with sides from 1 to {LONGEST_SIDE}, "
        "1 <= mines < rows * columns and budget > mines"
    )
    whole = isinstance(board, list | tuple) and len(board) == 4 and all(
        isinstance(number, int) and not isinstance(number, bool) for number in board
    )  # fmt: skip
    if not whole:
        raise ValueError(f"{rule}; got {board!r}")
    rows, cols, mines, budget = board
    sides = 1 <= rows <= LONGEST_SIDE and 1 <= cols <= LONGEST_SIDE
    if not sides or not 1 <= mines < rows * cols or not mines < budget < 2**31:
        raise ValueError(f"{rule}; got {tuple(board)}")
    return rows, cols, mines, budget
