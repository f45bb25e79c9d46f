"""How Sweepmine's episodes end, and with which score, by hand."""

import math

import pytest

from tests.tasks.sweepmine_model import MARK, OPEN, UNMARK, Game

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
