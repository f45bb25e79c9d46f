"""The rules of Sweepmine against a model of them, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rsi_envs
from rsi_envs.testing import trajectories
from tests.tasks.sweepmine_model import (
    MARK,
    MARKED,
    OPEN,
    SIDE,
    UNMARK,
    Game,
    Model,
    counts,
    dealt,
)  # fmt: skip


@st.composite
def games(draw):
    """Draw a game on a small board and the actions to play, some of them beyond the board."""
    rows, cols = draw(st.sampled_from([1, 1, 2, 3, 4])), draw(st.integers(2, 5))
    cells = draw(st.permutations(range(rows * cols)))
    mines = draw(st.integers(1, rows * cols - 1))
    text = "".join(".*"[cell < mines] for cell in cells)
    game = Game(
        *(text[row * cols : (row + 1) * cols] for row in range(rows)),
        budget=mines + draw(st.integers(1, 25)),
        chance=draw(st.integers(0, 2**63 - 1)),
        first_open_safe=draw(st.booleans()),
    )
    at = st.tuples(st.integers(0, 2), st.integers(0, rows - 1), st.integers(0, cols - 1))
    number = at.map(lambda a: (a[0] * SIDE + a[1]) * SIDE + a[2])
    actions = draw(st.lists(number | number | number | st.integers(-2, 3 * SIDE**2), max_size=30))
    return game, actions


@given(games())
@settings(max_examples=400)
def test_episodes_follow_the_model(drawn):
    game, actions = drawn
    model, task, problem = Model(game.instance.data, (SIDE, SIDE)), game.task, game.problem
    for action in actions:
        if follow(game, model, action):
            break
    np.testing.assert_array_equal(game.mine, model.mine)
    score = task.score(problem, game.state)
    assert (score.raw, score.success) == (model.raw, model.solved)
    assert score.metrics == {"actions": model.actions, "restarts": model.restarts}


def follow(game, model, action):
    """Play an action in both, compare all that shows, and return whether the episode ended."""
    rows, cols, budget = model.rows, model.cols, model.budget
    step = game.play(action)
    code, done = model.step(action)
    assert [event.code for event in step.events] == [code] * (code is not None)
    assert step.done == done
    seen = game.see()
    board = np.full((SIDE, SIDE), -3)
    board[:rows, :cols] = model.seen
    np.testing.assert_array_equal(seen["board"], board)
    marks, left = int((model.seen == MARKED).sum()), budget - model.actions
    expected = [rows, cols, model.mines, marks, left, model.restarts]
    assert seen["status"].tolist() == expected
    hidden, marked = (board == -1).ravel(), (board == -2).ravel()
    np.testing.assert_array_equal(seen["action_mask"], np.concatenate([hidden, hidden, marked]))
    won = model.raw - 1 + model.actions / budget if model.solved else 0.0
    assert step.reward == pytest.approx(won - 1 / budget, abs=1e-12)
    return done


@pytest.mark.parametrize("difficulty", [1, 5])
def test_episodes_of_the_table_follow_the_model(difficulty):
    @given(trajectories("Sweepmine", difficulty, wild=10))
    @settings(max_examples=40)
    def check(trajectory):
        task, problem = trajectory.task, trajectory.problem
        model = Model(trajectory.instance.data, (SIDE, SIDE))
        for turn in trajectory.turns:
            code, done = model.step(turn.action)
            assert [event.code for event in turn.step.events] == [code] * (code is not None)
            assert turn.step.done == done
            inside = turn.observation["board"][: model.rows, : model.cols]
            np.testing.assert_array_equal(inside, model.seen)
        assert task.score(problem, trajectory.state).raw == model.raw

    check()


@given(trajectories("Sweepmine", 2, wild=0))
@settings(max_examples=60)
def test_the_state_counts_what_the_board_shows(trajectory):
    state = trajectory.state.record("s")[0]
    seen, mine = state["seen"], state["mine"].astype(bool)
    shown = seen >= 0
    np.testing.assert_array_equal(seen[shown], counts(mine)[shown])
    assert not mine[shown].any()
    assert state["marks"] == (seen == MARKED).sum()
    assert state["right"] == mine[seen == MARKED].sum()
    assert state["opened"] == shown.sum()
    assert mine.sum() == trajectory.instance.data["mines"]


def test_a_zero_opens_its_neighbourhood():
    game = Game(".....", ".....", "....*")
    game(OPEN, 0, 0)
    assert game.board == [[0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 1, -1]]


def test_a_number_opens_itself_only():
    game = Game("...*", "....")
    game(OPEN, 0, 2)
    assert game.board == [[-1, -1, 1, -1], [-1, -1, -1, -1]]


def test_the_flood_stops_at_marks():
    game = Game("......*")
    game(MARK, 0, 2)
    game(OPEN, 0, 0)
    assert game.board == [[0, 0, -2, -1, -1, -1, -1]]
    game(UNMARK, 0, 2)
    assert game.board == [[0, 0, -1, -1, -1, -1, -1]]
    game(OPEN, 0, 2)
    assert game.board == [[0, 0, 0, 0, 0, 1, -1]]


def test_a_mine_clears_marks_and_deals_a_board_while_the_budget_runs_on():
    game = Game("*..", "..*", budget=9, chance=77)
    game(MARK, 0, 1)
    game(MARK, 0, 2)
    step = game(OPEN, 0, 0)
    assert [event.code for event in step.events] == ["mine"]
    assert "row 1, column 1 held a mine" in step.events[0].message
    assert step.done == 0
    assert game.board == [[-1] * 3] * 2
    assert game.see()["status"].tolist() == [2, 3, 2, 0, 6, 1]
    np.testing.assert_array_equal(game.mine, dealt(77, 1, 2, 3, 2))


def explode(game):
    """Open a mine of the present board and return the next board."""
    row, col = np.argwhere(game.mine)[0]
    assert [event.code for event in game(OPEN, row, col).events] == ["mine"]
    return game.mine.copy()


def test_restart_boards_depend_on_chance_and_count_only():
    boards = []
    for first, before in (("*....*..", 0), (".*.....*", 3)):
        game = Game(first, budget=30, chance=123)
        for cell in range(before):
            game(MARK, 0, 2 + cell)
        boards.append([explode(game) for _ in range(6)])
    np.testing.assert_array_equal(boards[0], boards[1])
    for count, board in enumerate(boards[0], 1):
        np.testing.assert_array_equal(board, dealt(123, count, 1, 8, 2))
    assert len({board.tobytes() for board in boards[0]}) > 2
    other = Game("*....*..", budget=30, chance=124)
    assert [explode(other).tolist() for _ in range(6)] != [board.tolist() for board in boards[0]]


INVALID = [
    (432, "unreadable"), (-1, "unreadable"), (10**9, "unreadable"), (-(2**63), "unreadable"),
    ((OPEN, 0, 0), "not_hidden"), ((MARK, 0, 0), "not_hidden"), ((OPEN, 1, 3), "not_hidden"),
    ((MARK, 1, 3), "not_hidden"), ((UNMARK, 0, 0), "not_marked"), ((UNMARK, 1, 0), "not_marked"),
]  # fmt: skip


@pytest.mark.parametrize(("action", "code"), INVALID)
def test_invalid_actions_cost_one_and_change_nothing_else(action, code):
    game = Game("....", "*..*")
    game(OPEN, 0, 0)
    game(MARK, 1, 3)
    before = game.fields()
    step = game(*action) if isinstance(action, tuple) else game.play(action)
    assert [event.code for event in step.events] == [code]
    assert (step.reward, step.done) == (-1 / 20, 0)
    assert game.fields() == {**before, "actions": before["actions"] + 1}


def test_cells_beyond_a_padded_board_are_off_it():
    task = rsi_envs.task("Sweepmine")
    problem = task.deal(1, 0)
    state = task.start(problem)
    assert problem.layout.obs["board"].shape == (12, 12)
    for action in (6, 6 * 12, 144 + 11, 288 + 143):
        (event,) = task.step(problem, state, action).events
        assert event.code == "off_board"
        assert "off the board of 6 rows, 6 columns" in event.message
    assert state.record("s")[0]["actions"] == 4


@given(trajectories("Sweepmine", 1, steps=15, wild=20))
@settings(max_examples=12)
def test_the_mask_is_exact(trajectory):
    task, problem, state = trajectory.task, trajectory.problem, trajectory.state
    if trajectory.turns and trajectory.turns[-1].step.done:
        return
    blob, mask = task.freeze(problem, state), task.observe(problem, state)["action_mask"]
    for action, legal in enumerate(mask):
        step = task.step(problem, task.thaw(problem, blob), action)
        invalid = [event for event in step.events if event.code != "mine"]
        assert bool(invalid) == (not legal)


def test_marks_tell_nothing_about_mines():
    # Mines differ behind the same counts; right and wrong marks look alike until all are right.
    boards = [("...*...", ".*....*", "......."), ("...*...", ".*.....", "......*")]
    games = [Game(*board) for board in boards]
    actions = [
        (OPEN, 0, 0), (OPEN, 2, 2), (MARK, 1, 6), (MARK, 2, 6), (MARK, 1, 1), (UNMARK, 2, 6),
        (MARK, 2, 6), (OPEN, 1, 6), (UNMARK, 1, 6), (MARK, 0, 4), (UNMARK, 0, 3),
    ]  # fmt: skip
    for action in actions:
        first, second = (game(*action) for game in games)
        assert first == second
        assert games[0].looks() == games[1].looks()
        assert games[0].score == games[1].score
    assert games[0].fields()["right"] != games[1].fields()["right"]


# first_open_safe


def test_a_first_open_moves_its_mine_to_the_first_free_cell():
    game = Game("**.*", "....", first_open_safe=True)
    assert game(OPEN, 0, 1).events == ()
    assert game.mine.tolist() == [[True, False, True, True], [False] * 4]
    assert game.board == [[-1, 2, -1, -1], [-1] * 4]
    game = Game("*...", "....", first_open_safe=True)
    game(OPEN, 0, 0)
    assert game.mine.tolist() == [[False, True, False, False], [False] * 4]


def test_only_first_opens_are_safe_but_those_of_every_board():
    game = Game("**..", "....", first_open_safe=True, chance=3)
    game(MARK, 1, 1)
    assert game(OPEN, 0, 0).events == ()
    assert [event.code for event in game(OPEN, 0, 1).events] == ["mine"]
    row, col = np.argwhere(game.mine)[0]
    assert game(OPEN, row, col).events == ()
    assert game.see()["status"][5] == 1


def test_a_first_open_is_not_safe_by_default():
    assert Game("*...")(OPEN, 0, 0).events[0].code == "mine"


def test_a_full_board_has_one_free_cell_to_move_to():
    game = Game("***", "**.", first_open_safe=True)
    assert game(OPEN, 0, 0).events == ()
    assert game.mine.tolist() == [[False, True, True], [True, True, True]]
