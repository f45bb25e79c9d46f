"""Staged rubrics: what is worth what, and what success needs."""

import numpy as np
import pytest

from rsi_envs.engines.arm.control import Robot
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.rubric import RETURN, Condition, Rubric
from tests.engines.arm_benches import boxes, left_hand

BENCH = boxes((0.4, 0.2), (0.5, 0.0))


def rubric(done=0, first=True, second=True, worth=(20.0, 50.0)):
    return Rubric(
        (
            Condition("first", "put the box away", lambda sight: first),
            Condition("second", "shut the lid", lambda sight: second),
        ),
        lambda sight: done,
        worth,
    )


def at_start():
    return Sight(BENCH, BENCH.fresh())


def test_success_needs_every_condition_and_is_worth_100():
    verdict = rubric().verdict(at_start())
    assert verdict.raw == 100 and verdict.success is True
    assert verdict.conditions == dict.fromkeys(("first", "second", "returned", "open"), True)
    for missing in ("first", "second"):
        verdict = rubric(2, **{missing: False}).verdict(at_start())
        assert verdict.success is False and verdict.raw == 50
        assert [name for name, holds in verdict.conditions.items() if not holds] == [missing]


@pytest.mark.parametrize(("done", "raw"), [(0, 0), (1, 20), (2, 50), (3, 50)])
def test_steps_that_are_done_are_worth_their_stage(done, raw):
    assert rubric(done, first=False).verdict(at_start()).raw == raw


@pytest.mark.parametrize("arm", [0, 1])
def test_a_closed_gripper_gets_nothing(arm):
    sight = at_start()
    sight.data.qpos[BENCH.fingers[arm]] = 0.0
    verdict = rubric(2).verdict(sight)
    assert verdict.raw == 0 and not verdict.success
    assert not verdict.conditions["open"] and verdict.conditions["returned"]


def test_without_the_arms_return_only_the_stages_count():
    robot = Robot(BENCH)
    sight = left_hand(robot, robot.targets[0, :3] + (0.2, 0, 0), turn=robot.targets[0, 3:])
    verdict = rubric(2).verdict(sight)
    assert verdict.raw == 50 and not verdict.success
    assert not verdict.conditions["returned"] and verdict.conditions["open"]


@pytest.mark.parametrize(
    "worth", [(), (0.0, 50.0), (50.0, 20.0), (20.0, 20.0), (100.0,), (20.0, 120.0), (-5.0, 20.0)]
)
def test_the_worth_of_stages_must_rise(worth):
    with pytest.raises(ValueError, match="must rise from 0 to 100"):
        rubric(worth=worth)


def test_nan_is_no_worth():
    with pytest.raises(ValueError, match="must rise"):
        rubric(worth=(np.nan, 50.0))


def test_the_instruction_asks_for_every_condition_and_the_return():
    text = rubric().instruction()
    assert text == f"Put the box away; shut the lid; then {RETURN}."
    assert "both arms" in text and "open" in text
