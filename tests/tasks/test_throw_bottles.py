"""ThrowBottles: layouts, rubric, what does not succeed, and who does."""

import itertools
import math
import random

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import RUNNING, TERMINATED
from rsi_envs.tasks.action.robodojo import skills
from rsi_envs.tasks.action.robodojo.throw_bottles import layout as bottles
from rsi_envs.tasks.action.robodojo.throw_bottles.oracle import GRIP, HIGH, throw
from rsi_envs.tasks.action.robodojo.throw_bottles.vision import bottles as seen_bottles
from tests.tasks.robodojo_bench import begin, play, put, wait

NAME = "RoboDojoThrowBottles"
TASK = rsi_envs.task(NAME)
COUNTS = {1: (1, 0, 0), 2: (2, 1, 0), 3: (3, 1, 0), 4: (4, 2, 0), 5: (4, 2, 3)}
CORNERS = [(dx, dy) for dx in (-0.06, 0.06) for dy in (-0.04, 0.04)]
STANDING = bottles.HEIGHT / 2 + 0.004 - 1e-4  # on the bin's floor


def fill(problem, state, count, **changed):
    """Put the first `count` bottles into the bin; `changed`: offsets (dx, dy, dz) by name."""
    x, y = bottles.place_of_bin(problem.objects)
    for one, (dx, dy) in list(zip(bottles.of_kind(problem.objects, "bottle"), CORNERS))[:count]:
        ox, oy, oz = changed.get(one["name"], (0, 0, 0))
        put(problem, state, one["name"], x + dx + ox, y + dy + oy, STANDING + oz, 1, 0, 0, 0)


@pytest.mark.parametrize("difficulty", COUNTS)
def test_layouts_of_200_seeds(difficulty):
    seen, (count, right, others) = set(), COUNTS[difficulty]
    for seed in range(200):
        found = TASK.layout(difficulty, seed)
        assert found == TASK.layout(difficulty, seed)
        standing = bottles.of_kind(found, "bottle")
        rest = bottles.of_kind(found, "block", "ball")
        assert (len(standing), len(rest), len(found)) == (count, others, count + others + 1)
        assert sum(one["place"][1] <= -0.2 for one in standing) == right
        places = [one["place"] for one in found]
        assert all(math.dist(a, b) >= 0.115 for a, b in itertools.combinations(places, 2))
        assert np.abs(np.array(places[0]) - bottles.BIN).max() < 0.0201
        seen.add(str(found))
    assert len(seen) == 200


@pytest.mark.parametrize("difficulty", [1, 3, 5])
def test_doing_nothing_scores_nothing(difficulty):
    for seed in range(5):
        task, problem, state = begin(NAME, difficulty, seed)
        step = wait(task, problem, state)
        score = task.score(problem, state)
        assert (step.reward, step.done, score.raw, score.success) == (0, RUNNING, 0, False)


def test_the_right_arm_does_not_reach_the_bin():
    task, problem, state = begin(NAME)
    x, y = bottles.place_of_bin(problem.objects)
    paths = skills.waiting(state.robot.targets, state.robot.grips)
    path = paths[1].to((0.5, -0.1, HIGH)).to((x, y - 0.08, HIGH))
    play(task, problem, state, skills.alone(1, path, paths[0]))
    assert state.robot.targets[1, 1] < y - 0.11


@pytest.mark.parametrize("lost", ["name", "place", "colour"])
def test_a_bottle_without_a_part_is_refused(lost):
    data = TASK.generate(1, 0).to_dict()["data"]
    del data["objects"][1][lost]
    with pytest.raises(ValueError):
        TASK.prepare(rsi_envs.Instance(NAME, 1, 0, data, TASK.rules_version))


def test_a_layout_without_its_bin_is_refused():
    data = TASK.generate(1, 0).to_dict()["data"]
    del data["objects"][0]
    with pytest.raises(ValueError):
        TASK.prepare(rsi_envs.Instance(NAME, 1, 0, data, TASK.rules_version))


@pytest.mark.parametrize(
    ("difficulty", "worth"),
    [(1, (0, 100)), (2, (0, 10, 100)), (3, (0, 10, 25, 100)), (4, (0, 10, 25, 40, 100))],
)
def test_half_done_is_worth_its_stage(difficulty, worth):
    for count, raw in enumerate(worth):
        task, problem, state = begin(NAME, difficulty)
        fill(problem, state, count)
        step = wait(task, problem, state)
        score = task.score(problem, state)
        assert (score.raw, score.success) == (raw, raw == 100)
        assert step.done == (TERMINATED if raw == 100 else RUNNING)


@pytest.mark.parametrize(
    ("change", "raw"),
    [((0, 0, 0), 100), ((0, 0, 0.02), 25), ((0, 0, 0.3), 25), ((-0.25, 0, -0.004), 25)],
)
def test_a_bottle_in_the_air_or_beside_the_bin(change, raw):
    _, problem, state = begin(NAME, 3)
    fill(problem, state, 3, bottle3=change)
    assert problem.verdict(state).raw == raw


def test_anything_else_in_the_bin_spoils_it():
    task, problem, state = begin(NAME, 5)
    fill(problem, state, 4)
    assert problem.verdict(state).success
    other = bottles.of_kind(problem.objects, "block", "ball")[0]
    put(problem, state, other["name"], *bottles.place_of_bin(problem.objects), 0.03, 1, 0, 0, 0)
    score = task.score(problem, state)
    assert (score.raw, score.success, score.metrics["clean"]) == (40, False, 0)


@pytest.mark.parametrize("grips", [(0, 1), (0, 0)])
def test_closed_grippers_at_the_end_are_worth_nothing(grips):
    task, problem, state = begin(NAME, 4)
    fill(problem, state, 4)
    wait(task, problem, state, grips=grips)
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (0, False)


@pytest.mark.parametrize("arm", [0, 1])
def test_an_arm_left_out_is_no_success(arm):
    task, problem, state = begin(NAME, 4)
    fill(problem, state, 4)
    paths = skills.waiting(state.robot.targets, state.robot.grips)
    paths[arm].to(paths[arm].pose[:3] + np.array([0.17, 0, 0.1])).hold(5)
    play(task, problem, state, skills.alone(arm, paths[arm], paths[1 - arm]))
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (40, False)


def held_over_the_bin(problem, state):
    """Return rows that bring the first bottle over the bin and hold it there."""
    path, other = skills.waiting(state.robot.targets, state.robot.grips)
    place = bottles.of_kind(problem.objects, "bottle")[0]["place"]
    skills.pick(path, (*place, GRIP), 0.0, HIGH)
    path.to((*bottles.place_of_bin(problem.objects), HIGH)).to(
        (*bottles.place_of_bin(problem.objects), GRIP + 0.03)
    )
    return skills.alone(0, path.hold(5), other)


def test_a_bottle_held_in_the_bin_is_worth_nothing():
    task, problem, state = begin(NAME)
    play(task, problem, state, held_over_the_bin(problem, state))
    one = bottles.of_kind(problem.objects, "bottle")[0]["name"]
    assert problem.sight(state).place(one)[2] < bottles.WALL
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (0, False)


def test_a_bottle_dropped_beside_the_bin_is_worth_nothing():
    task, problem, state = begin(NAME)
    left, right = skills.waiting(state.robot.targets, state.robot.grips)
    (x, y), place = bottles.place_of_bin(problem.objects), problem.objects[1]["place"]
    skills.retire(throw(left, place, (x, y - 0.25)), 0).hold(10)
    play(task, problem, state, skills.alone(0, left, right))
    score = task.score(problem, state)
    assert (score.raw, score.success, score.metrics["returned"]) == (0, False, 1)


def test_shoving_bottles_to_the_bin_is_worth_nothing():
    task, problem, state = begin(NAME, 2)
    for one in bottles.of_kind(problem.objects, "bottle"):
        x, y = one["place"]
        arm = skills.nearest_arm((x, y))
        paths = skills.waiting(state.robot.targets, state.robot.grips)
        path = paths[arm].close().to((x, y - 0.08, 0.2)).to((x, y - 0.08, 0.03))
        path.to((x, y + 0.15, 0.03)).to((x, y + 0.15, 0.3)).open()
        skills.retire(path, arm)
        play(task, problem, state, skills.alone(arm, path, paths[1 - arm]))
    score = task.score(problem, state)
    assert (score.raw, score.success) == (0, False)


@pytest.mark.parametrize("difficulty", [1, 4, 5])
def test_bottles_are_seen_in_the_picture(difficulty):
    for seed in range(5):
        task, problem, state = begin(NAME, difficulty, seed, size=(320, 240))
        found = seen_bottles(task.observe(problem, state))
        standing = bottles.of_kind(problem.objects, "bottle")
        assert len(found) == len(standing)
        assert all(min(math.dist(one["place"], at) for at in found) < 0.006 for one in standing)


def seen_score(difficulty, seed):
    problem = TASK.prepare(TASK.generate(difficulty, seed))
    state, player, done = TASK.start(problem), TASK.policies()["vision"], RUNNING
    while not done:
        action = player(TASK.observe(problem, state), random.Random(0))
        done = TASK.step(problem, state, action).done
    return TASK.score(problem, state).raw


def test_oracle_and_player_from_pictures_solve_a_layout():
    assert TASK.reference(TASK.generate(4, 0)).raw == seen_score(1, 0) == 100


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", range(1, 6))
def test_oracle_and_player_from_pictures_solve_layouts(difficulty):
    seeds = range(1000, 1020)
    oracle = [TASK.reference(TASK.generate(difficulty, seed)).raw for seed in seeds]
    assert oracle.count(100) >= 18, oracle
    raws = [seen_score(difficulty, seed) for seed in seeds]
    assert raws.count(100) >= 16, raws
