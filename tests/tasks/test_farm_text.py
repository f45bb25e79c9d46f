"""What Farm's players see and say: answers, prompt, calendar, picture."""

import json

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import BadAction
from rsi_envs.testing import constant_elements
from tests.tasks.farm_model import farm, plan_of, run

FARM = farm("radish", "basil", "lettuce", "cress")
TEXT = (
    '{"plan":{"1":{"buy":{"radish":9},"plant":{"radish":8}},'
    '"3":{"harvest":{"radish":8},"sell":{"radish":16}}}}'
)
DAYS = {
    1: {"buy": {"radish": 9}, "plant": {"radish": 8}},
    3: {"harvest": {"radish": 8}, "sell": {"radish": 16}},
}


def start(mode="plan"):
    task = rsi_envs.task("Farm", mode=mode)
    problem = task.prepare(FARM)
    return task, problem, task.start(problem)


def test_plans_count_days_from_one_and_name_crops():
    task, problem, state = start()
    plan = plan_of(FARM, DAYS)
    np.testing.assert_array_equal(task.parse(problem, state, TEXT), plan)
    assert task.format(problem, state, plan) == TEXT
    assert not task.parse(problem, state, '{"plan": {}}').any()
    assert not task.parse(problem, state, '{"plan": {"4": {}, "2": {"buy": {}}}}').any()


def test_a_day_is_an_answer_of_its_own():
    task, problem, state = start("daily")
    text = '{"day": {"buy": {"lettuce": 2}, "sell": {"cress": 1}}}'
    action = task.parse(problem, state, text)
    assert action.shape == (12, 4)
    assert (action[2, 0], action[3, 3], action.sum()) == (2, 1, 3)
    assert task.format(problem, state, action) == text


def test_what_is_too_much_is_read_and_scored():
    task, problem, state = start()
    plan = task.parse(problem, state, '{"plan": {"1": {"buy": {"cress": 1000000}}}}')
    assert [event.code for event in task.step(problem, state, plan).events] == ["no_cash"]


WRONG = {
    '{"plan": []}': "'plan' must be a JSON object",
    '{"plan": {"1": 5}}': "'1' must be a JSON object",
    '{"plan": {"0": {}}}': "'0' is not a day; valid are 1 to 24",
    '{"plan": {"25": {}}}': "'25' is not a day",
    '{"plan": {"01": {}}}': "'01' is not a day",
    '{"plan": {"day 1": {}}}': "'day 1' is not a day",
    '{"plan": {"1": {"water": {}}}}': "valid are buy, plant, harvest, sell",
    '{"plan": {"1": {"buy": {"Radish": 1}}}}': "valid are radish, basil, lettuce, cress, crop 5",
    '{"plan": {"1": {"buy": {"tomato": 1}}}}': "'tomato' is not a crop in 'buy' of day 1",
    '{"plan": {"1": {"buy": {"radish": -1}}}}': "'radish' must be from 0 to 1000000, got -1",
    '{"plan": {"1": {"buy": {"radish": 1.0}}}}': "'radish' must be an integer",
    '{"plan": {"1": {"buy": {"radish": true}}}}': "'radish' must be an integer",
    '{"plan": {"1": {"buy": {"radish": "all"}}}}': "'radish' must be an integer",
    '{"plan": {"1": {"buy": {"radish": 1, "radish": 2}}}}': "'radish' occurs twice",
    '{"plan": {"1": {}, "1": {}}}': "'1' occurs twice",
    '{"day": {}}': "lacks 'plan'",
    '{"plan": {}, "why": "profit"}': "unknown keys 'why'",
    '{"plan": {}} or {"plan": {}}': "two JSON objects",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_wrong_answers_say_what_is_valid(text, message):
    task, problem, state = start()
    with pytest.raises(BadAction) as bad:
        task.parse(problem, state, text)
    assert message in str(bad.value)


@pytest.mark.parametrize("plan", [np.full((24, 12, 4), -1), np.zeros((12, 4), int)])
def test_what_is_no_action_has_no_text(plan):
    task, problem, state = start()
    with pytest.raises(BadAction, match="an action has the shape"):
        task.format(problem, state, plan)


def test_a_full_plan_can_be_read_up_to_ten():
    task = rsi_envs.task("Farm")
    problem = task.deal(10, 0)
    state, space = task.start(problem), task.spaces(10)[1]
    text = task.format(problem, state, space.high)
    np.testing.assert_array_equal(task.parse(problem, state, text), space.high)


def test_the_prompt_tells_the_instance_and_its_example_is_an_answer():
    for mode in ("plan", "daily"):
        task, problem, state = start(mode)
        prompt = task.prompt(problem, state)
        assert "for 8 days. It has 8 plots, and you start with 200 in cash" in prompt
        for crop in ("radish: 8; 2; 2; 6", "basil: 17; 4; 1; 27", "cress: 7; 2; 2; 5"):
            assert crop in prompt
        assert task.parse(problem, state, prompt[prompt.index("{") :]).any()


def test_the_daily_prompt_tells_the_state():
    task, problem, state = start("daily")
    task.step(problem, state, plan_of(FARM, {1: {"buy": {"radish": 5}, "plant": {"radish": 3}}})[0])
    prompt = task.prompt(problem, state)
    assert "Day 2 of 8. Cash: 160. Free plots: 5 of 8." in prompt
    assert "Seeds in hand: 2 radish. Units in stock: none." in prompt
    assert "Growing radish: 3 ripe on day 3." in prompt
    task.step(problem, state, np.zeros((12, 4), int))
    assert "Growing radish: 3 ripe." in task.prompt(problem, state)


def test_the_calendar_shows_what_grew():
    task, _, problem, state = run(FARM, plan_of(FARM, DAYS))
    lines = task.ansi(problem, state).splitlines()
    assert lines[0] == "a=radish b=basil c=lettuce d=cress"
    assert lines[2:10] == [f"{plot + 1:4d}  aaa.....|" for plot in range(8)]
    assert lines[10] == "cash by day: 200 128 128 224 224 224 224 224 224"
    assert "The farm is closed. Cash: 224." in lines[11]


def test_the_picture_shows_calendar_and_cash():
    task, problem, state = start()
    before = task.pixels(problem, state)
    after = task.pixels(*run(FARM, plan_of(FARM, DAYS))[2:])
    assert before.shape == after.shape
    assert before.dtype == np.uint8
    crop, empty = after[6, 6], after[6, 6 + 3 * 7]
    assert (after[6, 6 + 2 * 7] == crop).all()
    assert (crop != empty).any()
    assert (before[:, 70:] == after[:, 70:]).all()  # the list of crops
    assert json.dumps(after.tolist()) == json.dumps(
        task.pixels(*run(FARM, plan_of(FARM, DAYS), "daily")[2:]).tolist()
    )


def test_only_sizes_and_padding_are_constant():
    found = constant_elements(rsi_envs.task("Farm", mode="daily"), 5, episodes=30)
    assert found["status"] == [1, 2, 3]
    assert found["crops"] == []


@pytest.mark.parametrize("difficulty", [1, 3, 5])
def test_the_prompts_example_is_a_plan_that_works(difficulty):
    task = rsi_envs.task("Farm")
    for seed in range(60):
        problem = task.deal(difficulty, seed)
        state = task.start(problem)
        example = task.parse(problem, state, task.prompt(problem, state).splitlines()[-1])
        assert task.step(problem, state, example).events == ()
        assert task.score(problem, state).metrics["harvested"] == 2
