"""LargestNumber: reach, dropped tiles, reading pictures, and who succeeds."""

import itertools
import math
import random

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import RUNNING
from rsi_envs.engines.arm.kinematics import turned
from rsi_envs.engines.arm.paths import top_down
from rsi_envs.tasks.action.robodojo import skills
from rsi_envs.tasks.action.robodojo.largest_number import layout as tiles
from rsi_envs.tasks.action.robodojo.largest_number.oracle import GRIP, Tile, next_rows
from rsi_envs.tasks.action.robodojo.largest_number.vision import see
from tests.tasks.robodojo_bench import begin, play, remarks, told_at_start

NAME = "RoboDojoLargestNumber"
TASK = rsi_envs.task(NAME)
YAWS = np.arange(8) * math.pi / 4 + 0.3
BACK, FRONT = (0.47, 0.63), (-0.34, -0.17, 0.0, 0.17, 0.34)


@pytest.mark.parametrize("yaw", YAWS)
def test_every_tile_can_be_brought_to_every_mat(yaw):
    for *place, count in itertools.product(BACK, FRONT, (4, 5)):
        for lying in range(count):
            others = [Tile(goal, tiles.UPRIGHT) for goal in tiles.mats(count)]
            others[lying] = Tile(tuple(place), yaw)
            assert not remarks(next_rows(others, *told_at_start())), (place, yaw, lying)


def brought(problem, state, up, tilt):
    """Return rows that bring the last digit over its mat, tilt it (rad), and let it go."""
    digits = tiles.in_order(problem.objects)
    one, (x, y) = digits[-1], tiles.mats(len(digits))[-1]
    arm = skills.nearest_arm(one["place"])
    yaws = skills.turns(arm, one["yaw"], tiles.UPRIGHT, math.pi / 2)
    paths = skills.waiting(state.robot.targets, state.robot.grips)
    path = skills.pick(paths[arm], (*one["place"], GRIP), yaws[0])
    path.to((x, y, 0.22), turned(top_down(yaws[1]), np.array([0.0, tilt, 0.0])))
    path.to((x, y, GRIP + 0.003 + up), stride=0.01).hold(5).open()
    skills.retire(path.to((x, y, 0.25)), arm).hold(10)
    return skills.alone(arm, path, paths[1 - arm])


@pytest.mark.parametrize(("up", "tilt", "raw"), [(0.0, 0.0, 5), (0.15, 1.3, 0)])
def test_a_tile_laid_down_counts_and_one_dropped_on_its_edge_does_not(up, tilt, raw):
    task, problem, state = begin(NAME, 1)
    play(task, problem, state, brought(problem, state, up, tilt))
    score = task.score(problem, state)
    assert (score.raw, score.success) == (raw, False)
    assert score.metrics["returned"] == score.metrics["open"] == 1
    last = tiles.in_order(problem.objects)[-1]["name"]
    assert problem.sight(state).near(last, tiles.mats(3)[-1], tiles.TOLERANCE)
    assert problem.sight(state).upright(last) is (raw > 0)


def test_the_oracle_cut_in_the_middle_is_worth_its_stage():
    problem = TASK.prepare(TASK.generate(2, 0))
    state, play_next, raws = TASK.start(problem), TASK.oracle(problem), []
    for _ in range(4):
        play(TASK, problem, state, play_next(state))
        raws.append(TASK.score(problem, state).raw)
    assert raws == [5, 15, 30, 100]


def misread(difficulty, seed, **options):
    """Return the marks that are not read, or wrongly, from the picture at the start."""
    task, problem, state = begin(NAME, difficulty, seed, **{"size": (320, 240), **options})
    read = {one.mark: one.tile for one in see(task.observe(problem, state))}
    wrong = {*read} ^ {one["mark"] for one in problem.objects}
    for one in problem.objects:
        if one["mark"] in wrong:
            continue
        tile, yaw = read[one["mark"]], tiles.read_yaw(one["mark"], one["yaw"])
        straight = math.cos(tile.yaw - yaw) > math.cos(math.radians(10))
        straight |= not one["mark"].isdigit()  # H and X look the same upside down
        if math.dist(tile.place, one["place"]) > 0.007 or not straight:
            wrong.add(one["mark"])
    return wrong


@pytest.mark.parametrize("look", ["standard", "randomised"])
@pytest.mark.parametrize("difficulty", [1, 4])
def test_tiles_are_read_from_the_picture(difficulty, look):
    assert not any(misread(difficulty, seed, look=look) for seed in range(5))


@pytest.mark.parametrize("seed", [1003, 1010])
def test_tiles_are_read_under_a_low_lamp(seed):
    assert not misread(1, seed, look="randomised")


def test_a_tile_that_its_ink_cuts_in_two_is_one_tile():
    assert not misread(3, 146)


def test_larger_pictures_are_read_too():
    assert not any(misread(5, seed, size=(640, 480)) for seed in range(3))


def seen_score(instance):
    """Return the score of the player from pictures."""
    problem = TASK.prepare(instance)
    state, player, done = TASK.start(problem), TASK.policies()["vision"], RUNNING
    while not done:
        action = player(TASK.observe(problem, state), random.Random(0))
        done = TASK.step(problem, state, action).done
    return TASK.score(problem, state).raw


def test_the_player_from_pictures_solves_a_layout():
    assert seen_score(TASK.generate(1, 0)) == 100


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", range(1, 6))
def test_the_oracle_solves_layouts_within_85_percent_of_the_rows(difficulty):
    for seed in range(20):
        instance = TASK.generate(difficulty, seed)
        solution = TASK.reference(instance)
        assert solution.raw == 100, seed
        assert sum(int((action[:, 0] >= 0.5).sum()) for action in solution.actions) <= 0.85 * 1050


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", range(1, 6))
def test_the_player_from_pictures_solves_layouts(difficulty):
    looks = [rsi_envs.task(NAME, look=look) for look in ("standard", "randomised")]
    raws = [seen_score(looks[k % 2].generate(difficulty, 1000 + k)) for k in range(20)]
    assert raws.count(100) >= 19, raws


@pytest.mark.slow
def test_the_player_from_pictures_solves_validation_and_test_layouts():
    named = TASK.named().items()
    raws = [seen_score(one) for name, one in named if not name.startswith("development")]
    assert raws == [100] * 10
