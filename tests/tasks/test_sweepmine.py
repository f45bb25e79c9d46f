import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rsi_envs
from rsi_envs.core.instance import Instance
from rsi_envs.core.results import BadAction
from rsi_envs.tasks.games.sweepmine import kernels as k
from rsi_envs.tasks.games.sweepmine.task import TABLE, board_size
from rsi_envs.testing import constant_elements, trajectories
from tests.tasks.sweepmine_model import MARKED, Model, counts, dealt

OPEN, MARK, UNMARK = 0, 1, 2
BOARDS = [(1, 2, 1, 4), (1, 7, 2, 12), (5, 1, 2, 9), (3, 4, 3, 20), (5, 5, 1, 12), (4, 6, 20, 40)]


class Game:
    """An episode on a board given as text, with actions by kind, row and column."""

    def __init__(self, *board, budget=20, chance=5, **options):
        rows, cols, mines = len(board), len(board[0]), "".join(board).count("*")
        self.task = rsi_envs.task("Sweepmine", board=(rows, cols, mines, budget), **options)
        data = self.task.generate(1, 0).data
        changed = {**data, "board": list(board), "chance": chance}
        self.instance = Instance("Sweepmine", 1, 0, changed)
        self.problem = self.task.prepare(self.instance)
        self.state = self.task.start(self.problem)
        self.size = rows, cols

    def __call__(self, kind, row, col):
        rows, cols = self.size
        return self.play((kind * rows + row) * cols + col)

    def play(self, action):
        return self.task.step(self.problem, self.state, action)

    @property
    def board(self):
        return self.see()["board"].tolist()

    @property
    def mine(self):
        return self.state.record("s")[0]["mine"].astype(bool)

    @property
    def score(self):
        return self.task.score(self.problem, self.state)

    def see(self):
        return self.task.observe(self.problem, self.state)

    def fields(self):
        s = self.state.record("s")[0]
        return {name: np.array(s[name]).tolist() for name in s.dtype.names}


# the rules against a model that is written with other means


def follow(trajectory):
    """Compare every turn of a trajectory with the model."""
    problem = trajectory.problem
    shape = problem.layout.obs["board"].shape
    model = Model(trajectory.instance.data, shape)
    rows, cols, budget = model.rows, model.cols, model.budget
    for turn in trajectory.turns:
        code, done = model.step(turn.action)
        assert [event.code for event in turn.step.events] == [code] * (code is not None)
        assert turn.step.done == done
        board, status = turn.observation["board"], turn.observation["status"].tolist()
        np.testing.assert_array_equal(board[:rows, :cols], model.seen)
        assert (np.delete(board, range(cols), 1)[:rows] == -3).all()
        assert (board[rows:] == -3).all()
        marks, left = int((model.seen == MARKED).sum()), budget - model.actions
        assert status == [rows, cols, model.mines, marks, left, model.restarts]
        hidden, marked = (board == -1).ravel(), (board == -2).ravel()
        mask = turn.observation["action_mask"].astype(bool)
        np.testing.assert_array_equal(mask, np.concatenate([hidden, hidden, marked]))
        won = model.raw - 1 + model.actions / budget if model.solved else 0.0
        assert turn.step.reward == pytest.approx(won - 1 / budget, abs=1e-12)
    mine = trajectory.state.record("s")[0]["mine"][:rows, :cols]
    np.testing.assert_array_equal(mine, model.mine)
    score = trajectory.task.score(problem, trajectory.state)
    assert (score.raw, score.success) == (model.raw, model.solved)
    assert score.metrics == {"actions": model.actions, "restarts": model.restarts}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("safe", [False, True])
def test_episodes_follow_the_rules(board, safe):
    strategy = trajectories("Sweepmine", board=board, first_open_safe=safe, wild=10)
    settings(max_examples=80)(given(strategy)(follow))()


@pytest.mark.parametrize("difficulty", [1, 5, 6])
def test_episodes_of_the_table_follow_the_rules(difficulty):
    strategy = trajectories("Sweepmine", difficulty, steps=30, wild=10)
    settings(max_examples=40)(given(strategy)(follow))()


@given(trajectories("Sweepmine", board=(4, 6, 4, 30), wild=0))
@settings(max_examples=60)
def test_revealed_counts_are_the_neighbouring_mines(trajectory):
    state = trajectory.state.record("s")[0]
    seen, mine = state["seen"], state["mine"].astype(bool)
    shown = seen >= 0
    np.testing.assert_array_equal(seen[shown], counts(mine)[shown])
    assert not mine[shown].any()
    assert state["marks"] == (seen == -2).sum()
    assert state["right"] == mine[seen == -2].sum()
    assert state["opened"] == shown.sum()
    assert mine.sum() == 4


# hand-made cases


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


# board, budget, actions; then raw by hand: (B - a) / (B - m) on success
SCORES = [
    ((".*", ".."), 10, [(MARK, 0, 1)], 1.0),
    ((".*", ".."), 10, [(OPEN, 0, 0), (MARK, 0, 1)], 8 / 9),
    ((".*", ".."), 10, [(MARK, 0, 0), (UNMARK, 0, 0), (MARK, 0, 1)], 7 / 9),
    ((".*", ".."), 10, [(MARK, 0, 0), (MARK, 0, 1), (UNMARK, 0, 0)], 7 / 9),
    ((".*", ".."), 10, [(UNMARK, 1, 1), (MARK, 0, 1)], 8 / 9),
    (("*.*", "..."), 20, [(MARK, 0, 0), (OPEN, 0, 1), (OPEN, 1, 1), (MARK, 0, 2)], 16 / 18),
    (("*.*", "..."), 4, [(MARK, 0, 0), (MARK, 0, 2)], 1.0),
]


@pytest.mark.parametrize(("board", "budget", "actions", "raw"), SCORES)
def test_scores_by_hand(board, budget, actions, raw):
    game = Game(*board, budget=budget)
    steps = [game(*action) for action in actions]
    assert [step.done for step in steps] == [0] * (len(steps) - 1) + [1]
    assert game.score == (raw, True, {"actions": len(actions), "restarts": 0})
    assert math.isclose(sum(step.reward for step in steps), raw - 1, abs_tol=1e-12)


def test_all_mines_marked_and_a_safe_cell_too_is_no_success():
    game = Game("*..*")
    for col in (0, 1, 3):
        assert game(MARK, 0, col).done == 0
    assert game.score == (0.0, False, {"actions": 3.0, "restarts": 0.0})
    assert game(UNMARK, 0, 1).done == 1
    assert game.score.success


def test_the_last_action_of_the_budget_counts():
    game = Game("..*", budget=3)
    game(OPEN, 0, 1)
    step = game(OPEN, 0, 0)
    assert (step.done, game.see()["status"][4]) == (0, 1)
    step = game(MARK, 0, 0)  # not hidden any more
    assert (step.done, game.score.success) == (1, False)
    assert game.board == [[0, 1, -1]]
    won = Game("..*", budget=3)
    for _ in range(2):
        won.play(-1)
    assert won(MARK, 0, 2).done == 1
    assert won.score == (0.0, True, {"actions": 3, "restarts": 0})  # (B - a) / (B - m) = 0
    lost = Game("..*", budget=3)
    for _ in range(2):
        lost.play(-1)
    assert lost(OPEN, 0, 2).done == 1
    assert lost.score == (0.0, False, {"actions": 3, "restarts": 1})


def test_success_is_checked_after_marking_only():
    # The mine that makes way for a first open moves under a mark: no open may win by it.
    game = Game(".*.", first_open_safe=True)
    game(MARK, 0, 0)
    assert game(OPEN, 0, 1).done == 0
    assert not game.score.success
    assert game.mine.tolist() == [[True, False, False]]


INVALID = [
    (3 * 8 + 5, "unreadable"), (-1, "unreadable"), (10**9, "unreadable"), (-(2**63), "unreadable"),
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


@given(trajectories("Sweepmine", board=(3, 4, 3, 40), steps=15, wild=20))
@settings(max_examples=40)
def test_the_mask_is_exact(trajectory):
    task, problem, state = trajectory.task, trajectory.problem, trajectory.state
    if trajectory.turns and trajectory.turns[-1].step.done:
        return
    blob, mask = task.freeze(problem, state), task.observe(problem, state)["action_mask"]
    for action, legal in enumerate(mask):
        step = task.step(problem, task.thaw(problem, blob), action)
        invalid = [event for event in step.events if event.code != "mine"]
        assert bool(invalid) == (not legal)


def looks(game):
    """Return all that a player can look at."""
    task, problem, state = game.task, game.problem, game.state
    seen = {name: value.tolist() for name, value in game.see().items()}
    return seen, task.prompt(problem, state), task.ansi(problem, state), game.score


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
        assert looks(games[0]) == looks(games[1])
        pictures = [game.task.pixels(game.problem, game.state).tobytes() for game in games]
        assert pictures[0] == pictures[1]
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


# instances


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
    for (rows, cols, mines, budget), (more_rows, _, more_mines, more_budget) in zip(
        sizes, sizes[1:], strict=False
    ):
        assert rows == cols < 100
        assert more_rows > rows
        assert more_mines > mines
        assert more_budget > budget > mines
        assert 0.12 < mines / (rows * cols) <= 0.25
    density = [mines / (rows * cols) for rows, cols, mines, _ in sizes]
    assert all(
        later > earlier - 0.003 for earlier, later in zip(density, density[1:], strict=False)
    )


@pytest.mark.parametrize(
    "board", [*BOARDS, (100, 100, 2000, 20_000), (1, 100, 99, 100), (100, 1, 1, 2)]
)
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


@pytest.mark.parametrize(("difficulty", "repeats"), [(1, 6), (2, 0), (3, 0), (5, 0), (9, 0)])
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
    {"rows": 7}, {"rows": 5}, {"cols": 5}, {"mines": 4}, {"mines": 0}, {"budget": 5}, {"rows": 6.0},
    {"budget": None}, {"board": []}, {"board": [ROW] * 6}, {"board": ["*" * 6] * 6},
    {"board": ["?" * 6] * 6}, {"board": None}, {"board": [ROW] * 5 + ["....."]}, {"board": "......"},
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


@given(st.integers(0, 2**63 - 1), st.integers(1, 20))
@settings(max_examples=60)
def test_instances_survive_preparation(seed, difficulty):
    task = rsi_envs.task("Sweepmine")
    instance = task.generate(difficulty, seed)
    again = task.dump(task.prepare(instance).params)
    assert replace(instance, data=again) == instance


# what is seen and said


def test_only_sizes_are_constant():
    found = constant_elements(rsi_envs.task("Sweepmine", board=(4, 4, 2, 40)), 1, episodes=12)
    assert found == {"status": [0, 1, 2], "board": [], "action_mask": []}


def test_answers_count_from_one():
    task = rsi_envs.task("Sweepmine")
    problem = task.deal(5, 0)
    state = task.start(problem)
    text = '{"action": "open", "row": 2, "column": 5}'
    assert task.parse(problem, state, text) == 12 + 4
    assert task.format(problem, state, 12 + 4) == text
    assert task.parse(problem, state, text.replace("open", "mark")) == 144 + 16
    assert task.parse(problem, state, text.replace("open", "unmark")) == 288 + 16


WRONG_ANSWERS = {
    '{"action": "flag", "row": 1, "column": 1}': "must be one of 'open', 'mark', 'unmark'",
    '{"action": "open", "row": 0, "column": 1}': "'row' must be from 1 to 12, got 0",
    '{"action": "open", "row": 1, "column": 13}': "'column' must be from 1 to 12, got 13",
    '{"action": "open", "row": "1", "column": 1}': "'row' must be an integer from 1 to 12",
    '{"action": "open", "row": 1.0, "column": 1}': "'row' must be an integer from 1 to 12",
    '{"action": "open", "row": true, "column": 1}': "'row' must be an integer from 1 to 12",
    '{"action": "open", "row": 1}': "lacks 'column'; its keys are 'action', 'row', 'column'",
    '{"action": "open", "row": 1, "col": 1, "column": 1}': "unknown keys 'col'",
}


@pytest.mark.parametrize(("text", "message"), WRONG_ANSWERS.items())
def test_wrong_answers_say_what_is_valid(text, message):
    task = rsi_envs.task("Sweepmine")
    problem = task.deal(5, 0)
    with pytest.raises(BadAction) as bad:
        task.parse(problem, task.start(problem), text)
    assert message in str(bad.value)


@pytest.mark.parametrize("action", [-1, 432, 10**9])
def test_actions_beyond_the_space_have_no_text(action):
    task = rsi_envs.task("Sweepmine")
    problem = task.deal(5, 0)
    with pytest.raises(ValueError, match="is not an action of this board"):
        task.format(problem, task.start(problem), action)


def test_the_board_in_text():
    game = Game("....*", ".....", "*....")
    game(OPEN, 0, 0)
    game(MARK, 2, 0)
    assert game.task.ansi(game.problem, game.state).splitlines() == [
        "     1  2  3  4  5",
        " 1   0  0  0  1  ?",
        " 2   1  1  0  1  1",
        " 3   F  1  0  0  0",
    ]


def test_the_prompt_tells_what_a_player_needs():
    game = Game("....*", ".....", "*....", budget=17)
    game(MARK, 2, 0)
    prompt = game.task.prompt(game.problem, game.state)
    for part in (
        "3 rows and 5 columns that hides 2 mines",
        "Marks set: 1 of 2 mines. Actions left: 16. Boards lost: 0.",
        "(17 - actions used) / (17 - 2)",
        game.task.ansi(game.problem, game.state),
    ):
        assert part in prompt
    assert "never a mine" not in prompt
    example = prompt[prompt.index("for example:") :].splitlines()[1]
    assert set(json.loads(example)) == {"action", "row", "column"}
    game.task.parse(game.problem, game.state, prompt[prompt.index("Answer with") :])


def test_pictures_show_what_is_seen():
    game = Game("....*", ".....", "*....")
    pictures = [game.task.pixels(game.problem, game.state)]
    for action in ((OPEN, 0, 0), (MARK, 2, 0), (UNMARK, 2, 0)):
        game(*action)
        pictures.append(game.task.pixels(game.problem, game.state))
    assert len({picture.tobytes() for picture in pictures}) == 3
    assert pictures[1].tobytes() == pictures[3].tobytes()
    assert pictures[0].shape == (49, 81, 3)
    cell = np.s_[33:48, 1:16]
    changed = (pictures[1] != pictures[2]).any(axis=2)
    assert changed[cell].any()
    changed[cell] = False
    assert not changed.any()
