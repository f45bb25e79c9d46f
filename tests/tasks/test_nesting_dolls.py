"""NestingDolls: layouts and the rubric."""

import itertools
import math

import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import RUNNING
from rsi_envs.tasks.action.robodojo import skills
from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import LEVELS, longest_row
from rsi_envs.tasks.action.robodojo.nesting_dolls.oracle import slots
from tests.tasks.dolls_scenes import in_row, leaning, stand
from tests.tasks.robodojo_bench import begin, remarks, told_at_start, wait

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
    for x, y in itertools.product((0.40, 0.51, 0.62), (-0.34, -0.17, 0.0, 0.17, 0.34)):
        for goal in slots(5):
            rows = skills.carry(*told_at_start(), (x, y), goal, 0.016)
            assert not remarks(rows), (x, y, goal)


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
