"""RoboDojoThrowBottles: what counts as in the bin, and what only looks like it."""

import math

import pytest

from rsi_envs.tasks.action.robodojo import skills
from rsi_envs.tasks.action.robodojo.throw_bottles import layout as rules
from tests.tasks.bottle_scenes import (
    CARRY,
    GRIP,
    TASK,
    begin,
    fetched,
    fill,
    of_kind,
    paths_of,
    play,
    wait,
)
from tests.tasks.robodojo_bench import put  # fmt: skip

# scores


@pytest.mark.parametrize("difficulty", rules.LEVELS)
def test_doing_nothing_is_worth_nothing(difficulty):
    for seed in range(3):
        problem, state = begin(difficulty, seed)
        wait(problem, state, 10)
        assert state.raw == 0 and not TASK.score(problem, state).success


@pytest.mark.parametrize(
    ("difficulty", "inside", "raw"),
    [(1, 0, 0), (2, 1, 10), (3, 1, 10), (3, 2, 25), (4, 1, 10), (4, 2, 25), (4, 3, 40), (5, 3, 40),
     (1, 1, 100), (2, 2, 100), (3, 3, 100), (4, 4, 100), (5, 4, 100)],
)  # fmt: skip
def test_bottles_in_the_bin_are_worth_what_robodojo_says(difficulty, inside, raw):
    problem, state = begin(difficulty)
    names = [one["name"] for one in of_kind(problem.objects, "flask")]
    fill(problem, state, names[:inside])
    assert state.raw == raw and TASK.score(problem, state).success == (raw == 100)


@pytest.mark.parametrize(("difficulty", "raw"), [(1, 10), (2, 10), (3, 25), (4, 40), (5, 40)])
@pytest.mark.parametrize("arm", [0, 1])
def test_an_arm_that_stays_out_is_no_success(difficulty, raw, arm):
    problem, state = begin(difficulty)
    paths = paths_of(state)
    x, y, z = paths[arm].pose[:3]
    play(problem, state, *(p.to((x + 0.2, y, z)) if a == arm else p for a, p in enumerate(paths)))
    fill(problem, state, [one["name"] for one in of_kind(problem.objects, "flask")])
    score = TASK.score(problem, state)
    assert (score.raw, score.success, score.metrics["returned"]) == (raw, False, 0)


def test_closed_grippers_at_the_end_are_worth_nothing():
    problem, state = begin(4)
    left, right = paths_of(state)
    play(problem, state, left.close(), right.close())
    fill(problem, state, [one["name"] for one in of_kind(problem.objects, "flask")])
    score = TASK.score(problem, state)
    assert (score.raw, score.success, score.metrics["filled"]) == (0, False, 1)


def test_other_things_have_to_stay_out_of_the_bin():
    problem, state = begin(5)
    names = [one["name"] for one in of_kind(problem.objects, "flask")]
    fill(problem, state, [*names, "other2"])
    score = TASK.score(problem, state)
    assert (score.raw, score.success, score.metrics["clean"]) == (40, False, 0)


@pytest.mark.parametrize("side", [(0.0, -0.15), (0.18, 0.0), (-0.18, 0.0)])
def test_a_bottle_beside_the_bin_is_not_in_it(side):
    problem, state = begin(1)
    x, y = rules.middle_of_bin(problem.objects)
    put(problem, state, "bottle1", x + side[0], y + side[1], 0.06)
    wait(problem, state)
    assert state.raw == 0


# what looks like it but is not


def test_hovering_over_the_bin_is_worth_nothing():
    problem, state = fetched()
    sight = problem.sight(state)
    assert sight.place("bottle1")[2] > 0.2 and state.raw == 0


def test_holding_a_bottle_in_the_bin_is_worth_nothing():
    problem, state = fetched(over=0.15)
    x, y = rules.middle_of_bin(problem.objects)
    low, high = (x - 0.1, y - 0.1, 0), (x + 0.1, y + 0.1, 0.15)
    assert problem.sight(state).inside("bottle1", low, high) and state.raw == 0


def test_a_bottle_in_mid_air_is_worth_nothing_yet():
    problem, state = fetched(over=0.17)
    left, right = paths_of(state)
    for _ in range(8):
        play(problem, state, left.open(1), right)
        left, right = paths_of(state)
        sight = problem.sight(state)
        if sight.released("bottle1") and not sight.supported("bottle1"):
            break
    else:
        pytest.fail("the bottle never flew")
    assert state.raw == 0
    wait(problem, state)
    assert state.raw == 0 or problem.sight(state).at_rest("bottle1")


def test_dropping_from_above_into_the_bin_counts_once_it_rests():
    problem, state = fetched()
    left, right = paths_of(state)
    play(problem, state, left.open().hold(10), right)
    assert state.raw == 10 and not TASK.score(problem, state).success
    left, right = paths_of(state)
    play(problem, state, skills.retire(left, 0), right)
    assert state.raw == 100 and TASK.score(problem, state).success


def test_dropping_from_above_beside_the_bin_is_worth_nothing():
    problem, state = fetched()
    left, right = paths_of(state)
    x, y, z = left.pose[:3]
    play(problem, state, skills.retire(left.to((x, y - 0.25, z)).open(), 0).hold(20), right)
    assert state.raw == 0


def test_shoving_a_bottle_to_the_bin_is_worth_nothing():
    problem, state = begin(1)
    x, y = problem.objects[1]["place"]
    goal = rules.middle_of_bin(problem.objects)
    left, right = paths_of(state)
    left.close().to((x, y - 0.1, CARRY), skills.top_down(0.0)).to((x, y - 0.1, 0.04))
    left.to((goal[0], goal[1] - 0.2, 0.04)).to((goal[0], goal[1] - 0.2, CARRY)).open()
    play(problem, state, skills.retire(left, 0).hold(20), right)
    assert problem.sight(state).place("bottle1")[1] > y + 0.02 and state.raw == 0


def test_the_left_arm_cannot_fetch_what_stands_on_the_right():
    problem, state = begin(4)
    x, y = problem.objects[-1]["place"]
    left, right = paths_of(state)
    skills.pick(left, (x, y, GRIP), 0.0, CARRY)
    steps = play(problem, state, left, right)
    assert "unreachable" in [event.code for event in steps.events]
    assert math.dist(problem.sight(state).place("bottle4")[:2], (x, y)) < 0.01
