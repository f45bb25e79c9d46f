"""NestingDolls: what does not succeed, and who does."""

import math
import random

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import RUNNING, TERMINATED
from rsi_envs.engines.arm.kinematics import turned
from rsi_envs.engines.arm.paths import top_down
from rsi_envs.tasks.action.robodojo import skills
from rsi_envs.tasks.action.robodojo.nesting_dolls.oracle import slots
from tests.tasks.dolls_scenes import in_row, stand
from tests.tasks.robodojo_bench import begin, play, wait

NAME = "RoboDojoNestingDolls"
TASK = rsi_envs.task(NAME)

# what does not succeed


@pytest.mark.parametrize("arm", [0, 1])
def test_an_arm_left_out_is_no_success(arm):
    task, problem, state = begin(NAME)
    in_row(problem, state)
    paths = skills.waiting(state.robot.targets, state.robot.grips)
    paths[arm].to(paths[arm].pose[:3] + np.array([0.17, 0, 0.1]))
    step = play(task, problem, state, skills.alone(arm, paths[arm].hold(10), paths[1 - arm]))
    score = task.score(problem, state)
    assert (score.raw, score.success, step.done) == (80, False, RUNNING)
    assert score.metrics["row"] == score.metrics["upright"] == 1 and score.metrics["returned"] == 0


@pytest.mark.parametrize("grips", [(0, 1), (1, 0), (0, 0)])
def test_a_closed_gripper_at_the_end_is_worth_nothing(grips):
    task, problem, state = begin(NAME, calls=1)
    in_row(problem, state)
    step = wait(task, problem, state, grips=grips)
    score = task.score(problem, state)
    assert (score.raw, score.success, step.done) == (0, False, TERMINATED)
    assert score.metrics["row"] == score.metrics["returned"] == 1 and score.metrics["open"] == 0


def test_a_doll_in_mid_air_at_the_end_is_no_success():
    task, problem, state = begin(NAME, calls=1)
    in_row(problem, state, doll3=(0, 0, 0.3))
    step = wait(task, problem, state, rows=2)
    assert (task.score(problem, state).raw, step.done) == (40, TERMINATED)
    assert not problem.sight(state).supported("doll3")


def carried(problem, state, up=0.0, tilt=0.0, until_release=False):
    """Return rows that bring the largest doll over its place, tilt it (rad), and let it go."""
    one, (x, y) = problem.objects[-1], slots(len(problem.objects))[-1]
    grip = 0.45 * one["height"]
    place = problem.sight(state).place(one["name"])
    arm = skills.nearest_arm(place)
    paths = skills.waiting(state.robot.targets, state.robot.grips)
    path = skills.pick(paths[arm], (*place[:2], grip), 0.0)
    path.to((x, y, 0.22), turned(top_down(), np.array([0.0, tilt, 0.0])))
    path.to((x, y, grip + 0.003 + up), stride=0.015).hold(5)
    if not until_release:
        skills.retire(path.open().to((x, y, 0.3)), arm).hold(10)
    return skills.alone(arm, path, paths[1 - arm])


def but_the_last(problem, state):
    """Put all dolls but the largest into their places."""
    for one, place in zip(problem.objects[:-1], slots(len(problem.objects))):
        stand(problem, state, one, place)


def test_the_same_motion_from_low_down_succeeds():
    task, problem, state = begin(NAME)
    but_the_last(problem, state)
    assert problem.verdict(state).raw == 40
    assert play(task, problem, state, carried(problem, state)).done == TERMINATED
    assert task.score(problem, state).raw == 100


def test_a_doll_held_over_its_place_is_worth_nothing():
    task, problem, state = begin(NAME)
    but_the_last(problem, state)
    play(task, problem, state, carried(problem, state, 0.01, until_release=True))
    assert problem.sight(state).near("doll3", slots(3)[2], 0.01)
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (0, False)
    wait(task, problem, state, 1, grips=(1, 1))  # and let go in the last moment
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (40, False)


def test_a_doll_dropped_from_above_falls_over():
    task, problem, state = begin(NAME)
    but_the_last(problem, state)
    play(task, problem, state, carried(problem, state, 0.15, tilt=0.6))
    assert not problem.sight(state).upright("doll3")
    score = task.score(problem, state)
    assert (score.raw, score.success) == (40, False)
    assert score.metrics["returned"] == score.metrics["open"] == 1


def test_shoving_dolls_together_is_worth_nothing():
    task, problem, state = begin(NAME)
    home = state.robot.targets.copy()
    for one in problem.objects:
        x, y = one["place"]
        arm = skills.nearest_arm((x, y))
        paths = skills.waiting(state.robot.targets, state.robot.grips)
        path = paths[arm].close()
        path.to((x + 0.08, y, 0.2), top_down(math.pi / 2)).to((x + 0.08, y, 0.02))
        path.to((0.33, y, 0.02)).to((0.33, y, 0.2)).to((*home[arm, :2], 0.22))
        path.to(home[arm, :3], home[arm, 3:])
        play(task, problem, state, skills.alone(arm, path, paths[1 - arm]))
    assert (task.score(problem, state).raw, task.score(problem, state).success) == (0, False)
    wait(task, problem, state, grips=(1, 1))
    score = task.score(problem, state)
    moved = [
        math.dist(problem.sight(state).place(o["name"])[:2], o["place"]) for o in problem.objects
    ]
    assert min(moved) > 0.02 and score.metrics["returned"] == score.metrics["open"] == 1
    assert (score.raw, score.success) == (0, False)


@pytest.mark.parametrize("done", [1, 2, 3, 4])
def test_half_done_is_worth_its_stage(done):
    task, problem, state = begin(NAME, 4)
    for one, place in zip(problem.objects[:done], slots(5)):
        stand(problem, state, one, place)
    wait(task, problem, state)
    score = task.score(problem, state)
    assert (score.raw, score.success) == (20 * (done - 1), False)


def test_the_oracle_cut_in_the_middle_is_worth_its_stage():
    task = rsi_envs.task(NAME)
    instance = task.generate(1, 0)
    solution = task.reference(instance)
    assert solution.raw == 100
    raws = [0.0, *(_retraced(task, instance, solution.actions[:k]) for k in (2, 4))]
    assert raws == sorted(raws) and raws[-1] == 40


def _retraced(task, instance, played):
    problem = task.prepare(instance)
    state = task.start(problem)
    for action in played:
        task.step(problem, state, action)
    return task.score(problem, state).raw


# the players


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", range(1, 6))
@pytest.mark.parametrize("first", [0, 1000])
def test_the_oracle_solves_every_layout_within_85_percent_of_the_rows(difficulty, first):
    for seed in range(first, first + 20):
        instance = TASK.generate(difficulty, seed)
        solution = TASK.reference(instance)
        assert solution.raw == 100, seed
        assert sum(int((action[:, 0] >= 0.5).sum()) for action in solution.actions) <= 0.85 * 1050


def seen_score(difficulty, seed):
    """Return the score of the player from pictures and the rows it took."""
    problem = TASK.prepare(TASK.generate(difficulty, seed))
    state, player, done = TASK.start(problem), TASK.policies()["vision"], RUNNING
    while not done:
        action = player(TASK.observe(problem, state), random.Random(0))
        done = TASK.step(problem, state, action).done
    return TASK.score(problem, state).raw


def test_the_player_from_pictures_solves_a_layout():
    assert seen_score(1, 0) == 100


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", range(1, 6))
@pytest.mark.parametrize("first", [0, 1000])
def test_the_player_from_pictures_solves_layouts(difficulty, first):
    raws = [seen_score(difficulty, seed) for seed in range(first, first + 20)]
    assert raws.count(100) >= (20 if difficulty < 5 else 16), raws
