"""LargestNumber: layouts, the rubric, and what does not succeed."""

import itertools
import math

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import RUNNING, TERMINATED
from rsi_envs.engines.arm.textures import texture
from rsi_envs.tasks.action.robodojo import skills
from rsi_envs.tasks.action.robodojo.largest_number import layout as tiles
from tests.tasks.robodojo_bench import begin, play, put, wait

NAME = "RoboDojoLargestNumber"
TASK = rsi_envs.task(NAME)
WORTH = {1: (0, 5, 20, 100), 2: (0, 5, 15, 30, 100), 4: (0, 5, 15, 25, 40, 100)}
UP = 0.0129  # m, the height of a tile's middle on a mat, in which it sinks a little


def lay(problem, state, count, **changed):
    """Put the first `count` digits on their mats; `changed`: (dx, dy, dz, degrees) by name."""
    digits = tiles.in_order(problem.objects)
    for one, (x, y) in list(zip(digits, tiles.mats(len(digits))))[:count]:
        dx, dy, dz, degrees = changed.get(one["name"], (0, 0, 0, 0))
        half = (tiles.UPRIGHT + math.radians(degrees)) / 2
        turn = (math.cos(half), 0, 0, math.sin(half))
        put(problem, state, one["name"], x + dx, y + dy, UP + dz, *turn)


@pytest.mark.parametrize("difficulty", range(1, 6))
def test_layouts_of_200_seeds(difficulty):
    seen, level = set(), tiles.LEVELS[difficulty]
    for seed in range(200):
        found = TASK.layout(difficulty, seed)
        assert found == TASK.layout(difficulty, seed)
        marks = [one["mark"] for one in found]
        assert len(set(marks)) == len(marks) == level.digits + level.letters
        assert sum(mark.isdigit() for mark in marks) == level.digits
        assert {"6", "9"} <= set(marks) if level.free else not {"6", "9"} <= set(marks)
        places = [one["place"] for one in found]
        assert all(math.dist(a, b) >= 0.108 for a, b in itertools.combinations(places, 2))
        assert all(0.47 <= x <= 0.63 and -0.34 <= y <= 0.34 for x, y in places)
        lean = [abs(one["yaw"] - tiles.UPRIGHT) for one in found]
        assert max(lean) <= (math.pi if level.free else math.radians(20)) + 1e-4
        seen.add(str(found))
    assert len(seen) == 200


def test_0_and_8_alone_look_the_same_upside_down():
    same = [d for d in "0123456789" if np.array_equal(texture(d), np.rot90(texture(d), 2))]
    assert "".join(same) == tiles.SYMMETRIC


@pytest.mark.parametrize("difficulty", [1, 3, 5])
def test_doing_nothing_scores_nothing(difficulty):
    for seed in range(5):
        task, problem, state = begin(NAME, difficulty, seed)
        step = wait(task, problem, state)
        score = task.score(problem, state)
        assert (step.reward, step.done, score.raw, score.success) == (0, RUNNING, 0, False)


@pytest.mark.parametrize("lost", ["mark", "place", "yaw"])
def test_a_tile_without_a_part_is_refused(lost):
    data = TASK.generate(1, 0).to_dict()["data"]
    del data["objects"][0][lost]
    with pytest.raises(ValueError, match="KeyError"):
        TASK.prepare(rsi_envs.Instance(NAME, 1, 0, data, TASK.rules_version))


@pytest.mark.parametrize("difficulty", WORTH)
def test_half_done_is_worth_its_stage(difficulty):
    for count, raw in enumerate(WORTH[difficulty]):
        task, problem, state = begin(NAME, difficulty)
        lay(problem, state, count)
        step = wait(task, problem, state)
        score = task.score(problem, state)
        assert (score.raw, score.success) == (raw, raw == 100)
        assert step.done == (TERMINATED if raw == 100 else RUNNING)


@pytest.mark.parametrize(
    ("change", "raw"),
    [
        ((0.019, 0, 0, 0), 100),
        ((0.021, 0, 0, 0), 20),
        ((0, 0.019, 0, 44), 100),
        ((0, 0, 0, 46), 20),
        ((0, 0, 0, -46), 20),
        ((0, 0, 0.1, 0), 20),  # in mid-air
    ],
)
def test_how_far_a_tile_may_be_off(change, raw):
    _, problem, state = begin(NAME)
    last = tiles.in_order(problem.objects)[-1]["name"]
    lay(problem, state, 3, **{last: change})
    assert problem.verdict(state).raw == raw


def test_a_tile_on_its_face_is_not_placed():
    _, problem, state = begin(NAME)
    lay(problem, state, 3)
    last, (x, y) = tiles.in_order(problem.objects)[-1]["name"], tiles.mats(3)[-1]
    put(problem, state, last, x, y, UP, 0, math.sqrt(0.5), -math.sqrt(0.5), 0)
    assert problem.verdict(state).raw == 20


@pytest.mark.parametrize("mark", "012345678")
def test_upside_down_counts_for_those_that_look_the_same(mark):
    instance = TASK.generate(1, 0)
    data = instance.to_dict()["data"]
    others = [m for m in "123" if m != mark]
    for one, new in zip(data["objects"], (mark, *others)):
        one["mark"] = new
    problem = TASK.prepare(rsi_envs.Instance(NAME, 1, 0, data, TASK.rules_version))
    state = TASK.start(problem)
    lay(problem, state, 3, tile1=(0, 0, 0, 180))
    assert problem.verdict(state).success is (mark in "08")


def test_the_wrong_order_and_exchanged_tiles():
    _, problem, state = begin(NAME)
    first, second, _ = (one["name"] for one in tiles.in_order(problem.objects))
    lay(problem, state, 3, **{first: (0, -0.115, 0, 0), second: (0, 0.115, 0, 0)})
    assert problem.verdict(state).raw == 5


def test_a_letter_on_a_mat_spoils_it():
    task, problem, state = begin(NAME, 3)
    lay(problem, state, 4)
    assert problem.verdict(state).success
    letter = next(one["name"] for one in problem.objects if not one["mark"].isdigit())
    x, y = tiles.mats(4)[0]
    put(problem, state, letter, x, y, UP + 0.024, 1, 0, 0, 0)
    score = task.score(problem, state)
    assert (score.raw, score.success, score.metrics["clean"]) == (30, False, 0)


@pytest.mark.parametrize("grips", [(0, 1), (0, 0)])
def test_closed_grippers_at_the_end_are_worth_nothing(grips):
    task, problem, state = begin(NAME)
    lay(problem, state, 3)
    wait(task, problem, state, grips=grips)
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (0, False)


@pytest.mark.parametrize("arm", [0, 1])
def test_an_arm_left_out_is_no_success(arm):
    task, problem, state = begin(NAME)
    lay(problem, state, 3)
    paths = skills.waiting(state.robot.targets, state.robot.grips)
    paths[arm].to(paths[arm].pose[:3] + np.array([0.17, 0, 0.1])).hold(5)
    play(task, problem, state, skills.alone(arm, paths[arm], paths[1 - arm]))
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (20, False)


def test_a_tile_held_over_its_mat_is_worth_nothing_until_it_lies():
    task, problem, state = begin(NAME)
    lay(problem, state, 2)
    one, goal = tiles.in_order(problem.objects)[-1], tiles.mats(3)[-1]
    arm = skills.nearest_arm(one["place"])
    paths = skills.waiting(state.robot.targets, state.robot.grips)
    yaws = skills.turns(arm, one["yaw"], tiles.UPRIGHT, math.pi / 2)
    path = skills.pick(paths[arm], (*one["place"], 0.015), yaws[0])
    path.to((*goal, 0.2), skills.top_down(yaws[1])).to((*goal, 0.03)).hold(5)
    play(task, problem, state, skills.alone(arm, path, paths[1 - arm]))
    assert problem.sight(state).near(one["name"], goal, 0.02)
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (0, False)


def test_shoving_is_worth_nothing():
    task, problem, state = begin(NAME, 4)
    for one in problem.objects:
        x, y = one["place"]
        arm = skills.nearest_arm((x, y))
        paths = skills.waiting(state.robot.targets, state.robot.grips)
        path = paths[arm].close().to((x + 0.07, y, 0.2)).to((x + 0.07, y, 0.02))
        path.to((0.36, y, 0.02), stride=0.01).to((0.36, y, 0.2)).open()
        skills.retire(path, arm)
        play(task, problem, state, skills.alone(arm, path, paths[1 - arm]))
    score = task.score(problem, state)
    assert score.raw <= 15 and not score.success
