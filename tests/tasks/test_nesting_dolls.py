"""NestingDolls: layouts, the rubric, and what does not succeed."""

import itertools
import math
import random

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import RUNNING, TERMINATED
from rsi_envs.engines.arm.chain import ARMS, BASES, HOME
from rsi_envs.engines.arm.following import CODES, command
from rsi_envs.engines.arm.kinematics import hand_pose, turned
from rsi_envs.engines.arm.paths import top_down
from rsi_envs.tasks.action.robodojo import skills
from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import LEVELS, longest_row
from rsi_envs.tasks.action.robodojo.nesting_dolls.oracle import slots
from tests.tasks.robodojo_bench import begin, play, put, wait

NAME = "RoboDojoNestingDolls"
TASK = rsi_envs.task(NAME)
COUNTS = {1: 3, 2: 4, 3: 4, 4: 5, 5: 5}


# layouts


@pytest.mark.parametrize("difficulty", COUNTS)
def test_layouts_of_200_seeds(difficulty):
    seen = set()
    for seed in range(200):
        dolls = TASK.layout(difficulty, seed)
        assert dolls == TASK.layout(difficulty, seed)
        assert [one["name"] for one in dolls] == [f"doll{k + 1}" for k in range(COUNTS[difficulty])]
        places = [one["place"] for one in dolls]
        assert all(math.dist(a, b) >= 0.115 for a, b in itertools.combinations(places, 2))
        assert all(0.40 <= x <= 0.62 and -0.34 <= y <= 0.34 for x, y in places)
        radii = [one["radius"] for one in dolls]
        assert radii == sorted(radii) and radii[-1] == 0.026
        ratio = LEVELS[difficulty].ratio
        assert all(b / a == pytest.approx(ratio, rel=0.01) for a, b in itertools.pairwise(radii))
        slim = [one["height"] / one["radius"] for one in dolls]
        low, high = (2.6, 3.4) if difficulty >= 3 else (2.6, 2.6)
        assert low - 0.01 <= min(slim) and max(slim) <= high + 0.01
        assert len({one["colour"] for one in dolls}) == len(dolls)
        assert plain_stretch(places, [True] * len(dolls)) == 1  # nothing is in a row by chance
        seen.add(str(dolls))
    assert len(seen) == 200


def test_everything_a_layout_may_ask_for_is_in_reach():
    start = np.array([hand_pose(HOME) for _ in ARMS])
    start[:, :3] += BASES
    for x, y in itertools.product((0.40, 0.51, 0.62), (-0.34, -0.17, 0.0, 0.17, 0.34)):
        for goal in slots(5):
            rows = skills.carry(start, np.ones(2), (x, y), goal, 0.016)
            angles, targets, grips = np.tile(HOME, (2, 1)), start.copy(), np.ones(2)
            counts = np.zeros((2, len(CODES)), np.int64)
            for row in rows:
                told = row.reshape(2, 8)
                command(told, False, BASES, angles, targets, grips, np.zeros(2), counts)
            assert not counts.any(), (x, y, goal)


@pytest.mark.parametrize("difficulty", COUNTS)
def test_doing_nothing_scores_nothing(difficulty):
    for seed in range(5):
        task, problem, state = begin(NAME, difficulty, seed)
        step = wait(task, problem, state)
        score = task.score(problem, state)
        assert (step.reward, step.done, score.raw, score.success) == (0, RUNNING, 0, False)
        assert all(problem.sight(state).at_rest(one["name"]) for one in problem.objects)


@pytest.mark.parametrize("lost", ["radius", "height", "place", "colour"])
def test_a_doll_without_a_part_is_refused(lost):
    data = TASK.generate(1, 0).to_dict()["data"]
    del data["objects"][0][lost]
    with pytest.raises(ValueError, match="KeyError"):
        TASK.prepare(rsi_envs.Instance(NAME, 1, 0, data, TASK.rules_version))


def test_instances_go_through_json():
    instance = TASK.generate(5, 3)
    assert rsi_envs.Instance.from_dict(instance.to_dict()).content_key == instance.content_key


# the rubric


def plain_stretch(places, standing):
    """Return the dolls in the longest stretch, by going through every pair in it."""
    best = 0
    for first, last in itertools.combinations_with_replacement(range(len(places)), 2):
        part = range(first, last + 1)
        if not all(standing[k] for k in part):
            continue
        pairs = itertools.combinations(part, 2)
        if all(abs(places[a][0] - places[b][0]) <= 0.035 for a, b in pairs) and all(
            places[k][1] - places[k + 1][1] >= 0.03 for k in part if k < last
        ):
            best = max(best, len(part))
    return best


ROWS = [
    # places (x, y) from the smallest to the largest, how many are in a row
    ([(0.5, 0.1), (0.5, 0.0), (0.5, -0.1)], 3),
    ([(0.5, -0.1), (0.5, 0.0), (0.5, 0.1)], 1),  # the wrong way round
    ([(0.5, 0.1), (0.5, -0.1), (0.5, 0.0)], 2),
    ([(0.5, 0.0), (0.5, 0.1), (0.5, -0.1)], 2),
    ([(0.5, 0.1), (0.534, 0.0), (0.5, -0.1)], 3),
    ([(0.5, 0.1), (0.536, 0.0), (0.5, -0.1)], 1),  # 36 mm off
    ([(0.5, 0.1), (0.52, 0.0), (0.54, -0.1)], 2),  # 40 mm from end to end
    ([(0.5, 0.031), (0.5, 0.0), (0.5, -0.031)], 3),
    ([(0.5, 0.029), (0.5, 0.0), (0.5, -0.031)], 2),  # 29 mm beside
    ([(0.5, 0.1), (0.5, 0.1), (0.5, 0.1)], 1),
]


@pytest.mark.parametrize(("places", "count"), ROWS)
def test_rows_worked_out_by_hand(places, count):
    assert longest_row(places, [True] * 3) == plain_stretch(places, [True] * 3) == count


def test_a_doll_that_does_not_stand_breaks_the_row():
    places = [(0.5, 0.2 - 0.1 * k) for k in range(5)]
    for standing, count in (
        ((True,) * 5, 5),
        ((True, True, False, True, True), 2),
        ((False, True, True, True, True), 4),
        ((True, False, True, False, True), 1),
        ((False,) * 5, 0),
    ):
        assert longest_row(places, standing) == plain_stretch(places, standing) == count


def in_row(problem, state, **changed):
    """Put all dolls into the row's places, some elsewhere: (x, y, z and a quaternion) offsets."""
    for one, (x, y) in zip(problem.objects, slots(len(problem.objects))):
        dx, dy, dz, *turn = changed.get(one["name"], (0, 0, 0))
        stand(problem, state, one, (x + dx, y + dy), dz, turn)


def stand(problem, state, one, place, up=0.0, turn=()):
    """Put a doll to a place on the table, in which it sinks a little as things at rest do."""
    put(problem, state, one["name"], *place, one["height"] / 2 + up - 1e-4, *turn)


def leaning(degrees):
    half = math.radians(degrees) / 2
    return (math.cos(half), 0.0, math.sin(half), 0.0)


@pytest.mark.parametrize(
    ("changed", "raw"),
    [
        ({}, 100),
        ({"doll2": (0.034, 0, 0)}, 100),
        ({"doll2": (0.036, 0, 0)}, 0),
        ({"doll3": (0.036, 0, 0)}, 40),
        ({"doll1": (0, 0, 0.1)}, 40),  # in mid-air
        ({"doll2": (0, 0, 0.1)}, 0),
        ({"doll3": (0, 0, 0, *leaning(14))}, 100),  # leans, but little
        ({"doll1": (0, 0, -0.004, *leaning(16))}, 40),
        ({"doll1": (0, 0, -0.004, *leaning(-90))}, 40),
        ({"doll3": (0, 0.33, 0)}, 40),  # left of both others
        ({"doll1": (0.15, 0, 0), "doll2": (0.15, 0, 0), "doll3": (0.15, 0, 0)}, 100),
    ],
)
def test_the_score_of_a_scene(changed, raw):
    _, problem, state = begin(NAME)
    in_row(problem, state, **changed)
    verdict = problem.verdict(state)
    assert verdict.raw == raw and verdict.success is (raw == 100)


@pytest.mark.parametrize("difficulty", [1, 3, 5])
def test_the_score_is_that_of_the_rules_read_plainly(difficulty):
    _, problem, state = begin(NAME, difficulty)
    rng = np.random.default_rng(difficulty)
    found = set()
    for _ in range(150):
        count = len(problem.objects)
        order = rng.permutation(count) if rng.random() < 0.5 else np.arange(count)
        off = rng.choice([0.0, 0.02, 0.036], count, p=[0.5, 0.35, 0.15])
        lean = rng.choice([0.0, 20.0], count, p=[0.9, 0.1])
        places = [(0.4 + dx, 0.16 - 0.08 * k) for dx, k in zip(off, order)]
        for one, place, degrees in zip(problem.objects, places, lean):
            stand(problem, state, one, place, turn=leaning(degrees))
        stretch = plain_stretch(places, [degrees == 0 for degrees in lean])
        raw = 100 if stretch == count else round(80 * max(0, stretch - 1) / (count - 1), 4)
        verdict = problem.verdict(state)
        assert verdict.raw == raw and verdict.success is (stretch == count)
        found.add(stretch)
    assert found >= set(range(1, count + 1))


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
@pytest.mark.parametrize("difficulty", COUNTS)
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
@pytest.mark.parametrize("difficulty", COUNTS)
@pytest.mark.parametrize("first", [0, 1000])
def test_the_player_from_pictures_solves_every_layout(difficulty, first):
    assert [seen_score(difficulty, seed) for seed in range(first, first + 20)] == [100] * 20
