"""What Sweepmine's players see and say: answers, prompt, text board, picture."""

import json

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import BadAction
from rsi_envs.testing import constant_elements
from tests.tasks.sweepmine_model import MARK, OPEN, UNMARK, Game


def test_only_sizes_are_constant():
    found = constant_elements(rsi_envs.task("Sweepmine", board=(4, 4, 2, 40)), 1, episodes=40)
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
