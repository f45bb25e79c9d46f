"""Sweepmine's instances: sizes, uniform boards, refusals."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rsi_envs
from rsi_envs.core.instance import Instance
from rsi_envs.tasks.games.sweepmine import kernels as k
from rsi_envs.tasks.games.sweepmine.task import TABLE, board_size


def test_the_table_is_what_the_difficulties_play():
    for difficulty, (rows, cols, mines, budget) in enumerate(TABLE, 1):
        data = rsi_envs.task("Sweepmine").generate(difficulty, 3).data
        assert (data["rows"], data["cols"], data["mines"], data["budget"]) == TABLE[difficulty - 1]
        assert [len(row) for row in data["board"]] == [cols] * rows
        assert "".join(data["board"]).count("*") == mines
        assert budget > mines


def test_difficulties_grow():
    sizes = [board_size(difficulty) for difficulty in range(1, 21)]
    assert sizes[5][:2] == (14, 14)
    for size, (more_rows, _, more_mines, more_budget) in itertools.pairwise(sizes):
        rows, cols, mines, budget = size
        assert rows == cols < 100
        assert more_rows > rows
        assert more_mines > mines
        assert more_budget > budget > mines
        assert 0.12 < mines / (rows * cols) <= 0.25
    density = [mines / (rows * cols) for rows, cols, mines, _ in sizes]
    assert all(later > earlier - 0.003 for earlier, later in itertools.pairwise(density))


# Each size is compiled once: 6 s without a cache.
@pytest.mark.parametrize("board", [(1, 7, 2, 12), (4, 4, 2, 16), (100, 100, 2000, 20_000)])
def test_boards_of_all_sizes_are_dealt_and_played(board):
    task = rsi_envs.task("Sweepmine", board=board)
    for seed in (0, 2**63 - 1):
        instance = task.generate(1, seed)
        data = instance.data
        assert (data["rows"], data["cols"], data["mines"], data["budget"]) == board
        assert "".join(data["board"]).count("*") == board[2]
        problem = task.prepare(instance)
        state = task.start(problem)
        for action in range(0, 3 * board[0] * board[1], max(1, board[0] * board[1] // 7)):
            if task.step(problem, state, action).done:
                break
        assert task.pixels(problem, state).shape == (16 * board[0] + 1, 16 * board[1] + 1, 3)
        assert len(task.ansi(problem, state).splitlines()) == board[0] + 1


def test_mines_are_laid_uniformly():
    # All 120 pairs of cells of a 4x4 board, of first boards and of restarts.
    for stream, seeds in ((0, range(24_000)), (3, range(2**40, 2**40 + 24_000))):
        found = np.zeros((16, 16), int)
        for seed in seeds:
            mine = np.zeros((4, 4), np.int8)
            k.lay(mine, 4, 4, 2, seed, stream)
            first, second = np.flatnonzero(mine)
            found[first, second] += 1
        pairs = found[np.triu_indices(16, 1)]
        assert pairs.sum() == 24_000
        # Chi-square with 119 degrees of freedom: 187 has a chance of 7e-5.
        assert ((pairs - 200) ** 2 / 200).sum() < 187


def test_chance_seeds_are_spread():
    task = rsi_envs.task("Sweepmine")
    chances = [task.generate(1, seed).data["chance"] for seed in range(2000)]
    assert len(set(chances)) == 2000
    assert min(chances) >= 0 and max(chances) < 2**63
    # Each of the 63 bits over 2,000 draws: standard deviation .011.
    ones = [(np.array(chances) >> bit & 1).mean() for bit in range(63)]
    assert min(ones) > 0.44 and max(ones) < 0.56


@pytest.mark.parametrize(("difficulty", "repeats"), [(1, 6), (2, 0), (3, 0), (5, 0), (6, 0)])
def test_a_thousand_seeds_give_distinct_boards(difficulty, repeats):
    # 6x6 with 5 mines has 376,992 boards: 1.3 repeats are expected, 7 have a chance of 4e-4.
    task = rsi_envs.task("Sweepmine")
    found = {task.generate(difficulty, seed).content_key for seed in range(1000)}
    assert len(found) >= 1000 - repeats


@pytest.mark.parametrize("difficulty", [0, 21, -1, 1.0, "2", None, True])
def test_difficulties_beyond_the_range_name_it(difficulty):
    with pytest.raises(ValueError, match=r"Sweepmine has difficulties from 1 to 20, got"):
        rsi_envs.task("Sweepmine").generate(difficulty, 0)


WRONG_BOARDS = [
    (), (4, 4, 2), (4, 4, 2, 16, 1), (0, 4, 2, 16), (4, 101, 2, 16), (-4, -4, 2, 16),
    (4, 4, 0, 16), (4, 4, 16, 20), (1, 1, 1, 4), (4, 4, 3, 3), (4, 4, 2, 2**31), (4.0, 4, 2, 16),
    (True, 4, 2, 16), ("4", 4, 2, 16), "4x4", 7, {"rows": 4}, {4, 2, 16, 1},
]  # fmt: skip


@pytest.mark.parametrize("board", WRONG_BOARDS)
def test_wrong_boards_list_the_rule(board):
    with pytest.raises(ValueError, match="sides from 1 to 100, 1 <= mines < rows") as error:
        rsi_envs.task("Sweepmine", board=board)
    assert "; got " in str(error.value)


@pytest.mark.parametrize("safe", [1, 0, "yes", None])
def test_wrong_flags_are_refused(safe):
    with pytest.raises(ValueError, match="first_open_safe must be true or false"):
        rsi_envs.task("Sweepmine", first_open_safe=safe)


def test_boards_may_come_from_json():
    listed = rsi_envs.task("Sweepmine", board=[4, 4, 2, 16])
    assert listed == rsi_envs.task("Sweepmine", board=(4, 4, 2, 16))
    assert hash(listed) == hash(rsi_envs.task("Sweepmine", board=(4, 4, 2, 16)))


ROW = "." * 6
WRONG_DATA = [
    {"rows": 7}, {"rows": 5}, {"rows": 6.0}, {"cols": 5}, {"mines": 4}, {"mines": 0}, {"budget": 5},
    {"budget": None}, {"board": []}, {"board": [ROW] * 6}, {"board": ["*" * 6] * 6},
    {"board": ["?" * 6] * 6}, {"board": None}, {"board": [ROW] * 5 + [ROW[1:]]}, {"board": ROW},
    {"board": [7] * 6}, {"chance": 2**63}, {"chance": -1}, {"chance": "7"}, {"chance": None},
    {"chance": 1.5}, {"first_open_safe": None}, {"first_open_safe": 2}, {"first_open_safe": "no"},
    {"rows": 13, "board": [ROW] * 12 + ["*****."]}, {"extra": 1},
]  # fmt: skip


@pytest.mark.parametrize("changes", WRONG_DATA, ids=str)
def test_wrong_data_is_refused(changes):
    task = rsi_envs.task("Sweepmine")
    instance = task.generate(1, 4)
    wrong = replace(instance, data={**instance.data, **changes})
    with pytest.raises(ValueError) as error:
        task.prepare(wrong)
    assert str(error.value)


def test_rows_of_single_cells_are_no_board():
    task = rsi_envs.task("Sweepmine")
    instance = task.generate(1, 4)
    rows = [list(row) for row in instance.data["board"]]
    with pytest.raises(ValueError):
        task.prepare(replace(instance, data={**instance.data, "board": rows}))


def test_edited_instances_are_refused():
    values = rsi_envs.task("Sweepmine").generate(1, 4).to_dict()
    values["data"] = {**values["data"], "budget": 1000}
    with pytest.raises(ValueError, match="key does not match"):
        Instance.from_dict(values)


def test_instances_of_another_size_are_refused():
    large = rsi_envs.task("Sweepmine").generate(1, 4)
    small = rsi_envs.task("Sweepmine", board=(4, 4, 2, 16))
    with pytest.raises(ValueError, match="a 6x6 board does not fit the 4x4 of this task object"):
        small.prepare(large)


def test_smaller_instances_are_played_as_they_are():
    safe = rsi_envs.task("Sweepmine", board=(4, 4, 2, 16), first_open_safe=True)
    instance = safe.generate(1, 4)
    task = rsi_envs.task("Sweepmine")
    problem = task.prepare(instance)
    state = task.start(problem)
    assert task.observe(problem, state)["status"].tolist() == [4, 4, 2, 0, 16, 0]
    assert "never a mine" in task.prompt(problem, state)


@given(st.integers(0, 2**63 - 1), st.integers(1, 6))
@settings(max_examples=60)
def test_instances_survive_preparation(seed, difficulty):
    task = rsi_envs.task("Sweepmine")
    instance = task.generate(difficulty, seed)
    again = task.dump(task.prepare(instance).params)
    assert replace(instance, data=again) == instance
