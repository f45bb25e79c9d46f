"""Exact mine probabilities against counting all boards."""

import itertools
import json
import os
import subprocess
import sys
from collections import defaultdict
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsi_envs.tasks.games.sweepmine import probabilities as p

SMALL = list(itertools.product((1, 2, 3), (1, 2, 3, 4)))
EXACT = 1e-12
compiled = pytest.mark.compiled


def counts(mine):
    """Return how many of the eight neighbours hold a mine, for boards (..., rows, cols)."""
    rows, cols = mine.shape[-2:]
    edges = [(0, 0)] * (mine.ndim - 2) + [(1, 1), (1, 1)]
    wide = np.pad(mine.astype(int), edges)
    shifted = [
        wide[..., i : i + rows, j : j + cols]
        for i, j in itertools.product(range(3), range(3))
        if (i, j) != (1, 1)
    ]
    return sum(shifted)


@cache
def boards(rows, cols, mines):
    """Return all boards of a size, bool (n, rows, cols), and their counts."""
    chosen = np.array(list(itertools.combinations(range(rows * cols), mines)), int)
    found = np.zeros((len(chosen), rows * cols), bool)
    np.put_along_axis(found, chosen.reshape(len(chosen), mines), True, axis=1)
    found = found.reshape(-1, rows, cols)
    return found, counts(found)


def counted(view, mines):
    """Return the share of the boards fitting a view that have a mine in each cell."""
    found, numbers = boards(*view.shape, mines)
    revealed = view >= 0
    fit = (~found[:, revealed] & (numbers[:, revealed] == view[revealed])).all(axis=1)
    return found[fit].mean(axis=0)


def reached(mine, share, rng):
    """Return a view of a board that opening about a share of its safe cells can lead to."""
    number = counts(mine)
    revealed = np.zeros(mine.shape, bool)
    for cell in np.argwhere(~mine)[rng.permutation((~mine).sum())[: round(share * mine.size)]]:
        flood = [tuple(cell)]
        while flood:
            r, c = flood.pop()
            if not revealed[r, c]:
                revealed[r, c] = True
                if number[r, c] == 0:
                    around = itertools.product(range(r - 1, r + 2), range(c - 1, c + 2))
                    flood += [(i, j) for i, j in around if inside(mine, i, j)]
    return np.where(revealed, number, -1).astype(np.int8)


def inside(board, r, c):
    return 0 <= r < board.shape[0] and 0 <= c < board.shape[1]


def sampled(rows, cols, mines, rng):
    """Return a random view of a random board."""
    mine = np.zeros(rows * cols, bool)
    mine[rng.permutation(rows * cols)[:mines]] = True
    return reached(mine.reshape(rows, cols), rng.random(), rng)


def check(view, mines, expected):
    found = p.mine_probabilities(view, mines)
    assert np.abs(found - expected).max() <= EXACT, (view, mines)
    # What is certain is so without rounding.
    assert np.array_equal(found == 0, expected == 0)
    assert np.array_equal(found == 1, expected == 1)
    assert found.sum() == pytest.approx(mines, abs=1e-11)


def test_sampled_small_positions_equal_the_count():
    rng = np.random.default_rng(1)
    for _ in range(200):
        rows, cols = SMALL[rng.integers(len(SMALL))]
        mines = int(rng.integers(0, rows * cols + 1))
        view = sampled(rows, cols, mines, rng)
        check(view, mines, counted(view, mines))


def test_sampled_4x4_positions_equal_the_count():
    rng = np.random.default_rng(2)
    for _ in range(2000):
        mines = int(rng.integers(1, 11))
        view = sampled(4, 4, mines, rng)
        check(view, mines, counted(view, mines))


def views(rows, cols, mines):
    """Return all views of boards of a size that opens can lead to, with the exact shares.

    Opens lead to just the sets of safe cells that hold the neighbours of each of their zeros. A
    board that fits a view has the same such set, so the boards fitting it are those that have it.
    """
    cells = range(rows * cols)
    near = [
        sum(1 << other for other in cells if abs(other // cols - cell // cols) <= 1
            and abs(other % cols - cell % cols) <= 1)
        for cell in cells
    ]  # fmt: skip
    total = defaultdict(lambda: [0, np.zeros(rows * cols, int)])
    for mine, number in zip(*boards(rows, cols, mines), strict=True):
        mine, number = mine.ravel(), number.ravel()
        safe = [int(cell) for cell in np.flatnonzero(~mine)]
        zeros = [cell for cell in safe if number[cell] == 0]
        for chosen in itertools.product((0, 1), repeat=len(safe)):
            revealed = sum(bit << cell for bit, cell in zip(chosen, safe, strict=True))
            if all(near[zero] & ~revealed == 0 for zero in zeros if revealed >> zero & 1):
                shown = bytes(number[cell] if revealed >> cell & 1 else 255 for cell in cells)
                entry = total[shown]
                entry[0] += 1
                entry[1] += mine
    for shown, (fits, sums) in total.items():
        view = np.frombuffer(shown, np.int8).reshape(rows, cols)
        yield view, (sums / fits).reshape(rows, cols)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), SMALL)
def test_all_small_positions_equal_the_count(rows, cols):
    for mines in range(rows * cols + 1):
        for view, expected in views(rows, cols, mines):
            check(view, mines, expected)


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(2, 12), st.data())
def test_marks_change_nothing(seed, rows, cols, data):
    rng = np.random.default_rng(seed)
    mines = data.draw(st.integers(0, rows * cols - 1))
    view = sampled(rows, cols, mines, rng)
    marked = np.where((view == -1) & (rng.random(view.shape) < 0.4), -2, view).astype(np.int8)
    assert np.array_equal(p.mine_probabilities(view, mines), p.mine_probabilities(marked, mines))


@compiled
@pytest.mark.parametrize(("rows", "cols", "mines"), [(16, 30, 99), (12, 12, 28), (20, 20, 100)])
def test_turning_the_board_turns_the_probabilities(rows, cols, mines):
    # The boxes are then taken in another order.
    rng = np.random.default_rng(3)
    for _ in range(30):
        view = sampled(rows, cols, mines, rng)
        found = p.estimate(view, mines)
        assert found.exact
        for turn in (np.transpose, np.flipud, np.fliplr):
            turned = p.estimate(turn(view), mines)
            assert turned.exact
            assert np.abs(turned.mine - turn(found.mine)).max() < EXACT
        assert found.mine.sum() == pytest.approx(mines, abs=1e-9)


@compiled
@pytest.mark.parametrize("mines", [1, 300, 1500, 2500, 9000, 9999])
def test_boards_of_100x100_neither_overflow_nor_vanish(mines):
    rng = np.random.default_rng(mines)
    mine = np.zeros(10_000, bool)
    mine[rng.permutation(10_000)[:mines]] = True
    mine = mine.reshape(100, 100)
    view = np.where((rng.random(mine.shape) < 0.3) & ~mine, counts(mine), -1).astype(np.int8)
    found = p.estimate(view, mines)
    assert np.isfinite(found.mine).all()
    assert found.mine.min() >= 0
    assert found.mine.max() <= 1
    assert not found.mine[view >= 0].any()
    assert found.mine.sum() == pytest.approx(mines, abs=1e-6)
    # What is called certain is so on the board that was seen.
    assert not mine[found.mine == 0].any()
    assert mine[found.mine == 1].all()


def test_a_board_without_clues_has_the_density_and_padding_has_none():
    view = np.full((4, 6), -1, np.int8)
    view[:, 5] = -3
    found = p.mine_probabilities(view, 7)
    assert np.array_equal(found[:, :5], np.full((4, 5), 7 / 20))
    assert not found[:, 5].any()


def tangled(side=20):
    """Return a position whose clues hang together, and its number of mines."""
    rng = np.random.default_rng(4)
    mine = rng.random((side, side)) < 0.25
    apart = np.add.outer(2 * np.arange(side), np.arange(side)) % 4 == 0
    return np.where(apart & ~mine, counts(mine), -1).astype(np.int8), int(mine.sum())


@compiled
def test_beyond_the_limit_the_estimate_is_deterministic_and_certainty_is_kept():
    view, mines = tangled()
    full = p.estimate(view, mines, limit=p.LIMIT)
    for limit in (0, 10, 1000):
        first, second = (p.estimate(view, mines, limit=limit) for _ in range(2))
        assert not first.exact
        assert np.array_equal(first.mine, second.mine)
        assert first.mine.sum() == pytest.approx(mines, abs=1e-9)
        assert (full.mine[first.mine == 0] == 0).all()
        assert (full.mine[first.mine == 1] == 1).all()
        assert np.abs(first.mine - full.mine).mean() < 0.1


@compiled
def test_a_used_workspace_leaves_no_trace():
    view, mines = tangled()
    fresh = p.estimate(view, mines)
    for rubbish in (0xFF, 0x55):
        with p.workspace() as work:
            work.view(np.ndarray).view(np.uint8)[:] = rubbish
        again = p.estimate(view, mines)
        assert np.array_equal(fresh.mine, again.mine)


@pytest.mark.parametrize(
    ("view", "mines"),
    [
        ([[0, -1]], 1),
        ([[2, -1]], 1),
        ([[8, -1], [-1, -1]], 3),
        ([[1, -1, -1, -1]], 4),
        ([[1, -1], [-1, 2]], 2),
        ([[1, -1, 1, -1, -1, 2, -1]], 2),
        ([[-1, -1]], 3),
        ([[-1, -1]], -1),
        ([[0]], 1),
    ],
)
def test_no_arrangement_is_an_error(view, mines):
    with pytest.raises(ValueError, match="no arrangement"):
        p.mine_probabilities(np.array(view, np.int8), mines)


@pytest.mark.parametrize(
    ("view", "why"),
    [
        (np.zeros(3, np.int8), "two-dimensional"),
        (np.zeros((101, 101), np.int8), "100x100"),
        (np.full((2, 2), 9), "-3 to 8"),
        (np.full((2, 2), -4), "-3 to 8"),
        (np.full((2, 2), 0.5), "whole"),
    ],
)
def test_malformed_boards_are_refused(view, why):
    with pytest.raises(ValueError, match=why):
        p.mine_probabilities(view, 0)


def test_a_limit_out_of_range_is_refused():
    with pytest.raises(ValueError, match="limit"):
        p.estimate(np.zeros((1, 1), np.int8), 0, limit=p.LIMIT + 1)


DIGEST = """
import hashlib, json, sys
import numpy as np
from rsi_envs.tasks.games.sweepmine.probabilities import estimate
view, mines = json.loads(sys.argv[1])
for limit in (50, 1 << 17):
    found = estimate(np.array(view, np.int8), mines, limit=limit)
    print(hashlib.sha256(found.mine.tobytes()).hexdigest(), found.exact)
"""


def digest(view, mines, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", DIGEST, json.dumps([view.tolist(), mines])],
        env={**os.environ, **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_plain_python_gives_the_same_bits():
    view, mines = tangled(9)
    assert digest(view, mines, NUMBA_DISABLE_JIT="1") == digest(view, mines, NUMBA_DISABLE_JIT="0")
