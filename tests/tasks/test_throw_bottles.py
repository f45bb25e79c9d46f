"""RoboDojoThrowBottles: layouts, and players that solve them."""

import itertools
import math

import numpy as np
import pytest

import rsi_envs
from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.chain import BASES
from rsi_envs.engines.arm.control import Robot
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.tasks.action.robodojo import actions
from rsi_envs.tasks.action.robodojo.throw_bottles import layout as rules
from rsi_envs.tasks.action.robodojo.throw_bottles import vision
from tests.tasks.bottle_scenes import NAME, TASK, begin, of_kind

REACH = 0.81  # m from its base, as far as an arm that points down reaches at any height

# layouts


@pytest.mark.parametrize("difficulty", rules.LEVELS)
def test_layouts_keep_their_distances(difficulty):
    level = rules.LEVELS[difficulty]
    drawn = [rules.layout(difficulty, seed) for seed in range(200)]
    assert len({str(objects) for objects in drawn}) == 200
    for objects in drawn:
        bottles, others = of_kind(objects, "flask"), objects[1 + level.left + level.right :]
        assert len(bottles) == level.left + level.right and len(others) == level.others
        apart = [one["place"] for one in objects[1:]] + [rules.ZONE]
        assert all(math.dist(*pair) >= level.gap for pair in itertools.combinations(apart, 2))
        assert len({one["colour"] for one in bottles}) == len(bottles)


@pytest.mark.parametrize("difficulty", rules.LEVELS)
def test_the_right_arm_has_to_hand_over(difficulty):
    level = rules.LEVELS[difficulty]
    left, right = BASES[:, :2]
    for seed in range(200):
        objects = rules.layout(difficulty, seed)
        x, y = rules.middle_of_bin(objects)
        assert math.dist(right, (x, y - rules.INSIDE[1])) > REACH
        assert math.dist(left, (x, y)) < 0.7
        bottles = [one["place"] for one in of_kind(objects, "flask")]
        beyond = [place for place in bottles if math.dist(left, place) > REACH]
        assert len(beyond) == level.right
        assert all(math.dist(right, place) < 0.72 for place in beyond)
        assert all(math.dist(left, place) < 0.72 for place in bottles if place not in beyond)


def test_levels_differ_in_more_than_one_way():
    for easier, harder in itertools.pairwise(rules.LEVELS.values()):
        assert easier != harder and harder.gap <= easier.gap
        assert harder.left + harder.right >= easier.left + easier.right
    first, last = rules.LEVELS[1], rules.LEVELS[5]
    assert all(a != b for a, b in zip(first, last))


@pytest.mark.parametrize("difficulty", [1, 5])
def test_instances_survive_being_stored(difficulty):
    instance = TASK.generate(difficulty, 7)
    again = rsi_envs.Instance.from_dict(instance.to_dict())
    assert again == instance == TASK.generate(difficulty, 7)
    one, other = (TASK.prepare(each).bench.start for each in (instance, again))
    assert np.array_equal(one, other)


BREAKS = {
    "no bin": lambda objects: objects.pop(0),
    "two bins": lambda objects: objects.append({**objects[0], "name": "bin2"}),
    "no bottle": lambda objects: objects.pop(1),
    "no place": lambda objects: objects[1].pop("place"),
    "no height": lambda objects: objects[1].pop("height"),
    "flat": lambda objects: objects[1].update(height=0.01),
    "kind": lambda objects: objects[1].update(kind="vase"),
    "name": lambda objects: objects[1].update(name="bin"),
}


@pytest.mark.parametrize("change", BREAKS)
def test_broken_layouts_are_refused(change):
    data = TASK.generate(1, 0).to_dict()["data"]
    data["objects"] = [dict(one) for one in data["objects"]]
    BREAKS[change](data["objects"])
    instance = rsi_envs.Instance(NAME, 1, 0, data, TASK.rules_version)
    with pytest.raises(ValueError):
        TASK.prepare(instance)


def test_a_rolling_bottle_comes_to_rest():
    bottle = {"name": "a", "kind": "flask", "height": 0.115, "colour": (1, 2, 3)}
    bench = Bench(rules.things([{**bottle, "place": (0.4, 0.0)}]))
    robot = Robot(bench)
    robot.data.qpos[-7:] = (0.4, 0.0, 0.022, math.sqrt(0.5), math.sqrt(0.5), 0, 0)
    robot.data.qvel[-6:] = (0.1, 0, 0, 0, 0, 0)
    row = np.hstack([robot.targets, robot.grips[:, None]]).ravel()
    robot.play(np.tile(row, (40, 1)))
    sight = Sight(bench, robot.data)
    assert sight.at_rest("a") and abs(sight.axis("a")[2]) < 0.1


# players


@pytest.mark.parametrize("difficulty", rules.LEVELS)
def test_the_player_from_pictures_sees_bottles_and_bin(difficulty):
    task = rsi_envs.task(NAME)
    for seed in range(4):
        problem, state = begin(difficulty, seed, task)
        observation = task.observe(problem, state)
        bottles = [one["place"] for one in of_kind(problem.objects, "flask")]
        found = vision.bottles(observation)
        assert len(found) == len(bottles)
        assert all(min(math.dist(b, f[:2]) for f in found) < 0.005 for b in bottles)
        middle = rules.middle_of_bin(problem.objects)
        assert math.dist(vision.bin_middle(observation), middle) < 0.01


def test_the_hands_keep_apart_when_both_work():
    problem, state = begin(4, 2)
    oracle, nearest, rounds = TASK.oracle(problem), math.inf, 0
    while state.raw < 100 and rounds < 8:
        rows, rounds = oracle(state), rounds + 1
        for at in range(0, len(rows), 2):
            TASK.step(problem, state, actions.chunk(rows[at : at + 2], TASK.rows))
            tips = [problem.bench.tip(state.robot.data, arm)[:3] for arm in (0, 1)]
            nearest = min(nearest, math.dist(*tips))
    assert state.raw == 100 and nearest > 0.18


def seen(task, difficulty, seed):
    """Return the score and rows of the player from pictures."""
    problem, state = begin(difficulty, seed, task)
    player, done = task.policies()["vision"], False
    while not done:
        done = bool(task.step(problem, state, player(task.observe(problem, state), None)).done)
    return task.score(problem, state).raw, state.robot.rows


def known(task, difficulty, seed):
    """Return the score and rows of the reference."""
    solution = task.reference(task.generate(difficulty, seed))
    return solution.raw, sum(len(actions.used(action)) for action in solution.actions)


@pytest.mark.parametrize("player", [seen, known])
@pytest.mark.parametrize("difficulty", [1, 3])
def test_players_succeed(player, difficulty):
    raw, rows = player(rsi_envs.task(NAME), difficulty, 1)
    assert raw == 100 and rows < 0.85 * 700


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", rules.LEVELS)
@pytest.mark.parametrize(("player", "least"), [(seen, 18), (known, 20)])
def test_players_succeed_on_20_layouts(player, least, difficulty):
    task = rsi_envs.task(NAME)
    raws, rows = zip(*(player(task, difficulty, seed) for seed in range(20)))
    assert sum(raw == 100 for raw in raws) >= least
    assert max(n for raw, n in zip(raws, rows) if raw == 100) < 0.85 * 700
