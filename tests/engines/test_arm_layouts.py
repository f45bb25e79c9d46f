"""Drawing layouts: the same on every machine, apart from each other, within bounds."""

import itertools
import math

import pytest

from rsi_envs.engines.arm.layouts import (
    JITTER,
    TABLES,
    TEXTURES,
    TWIST,
    Draws,
    Region,
    randomised_look,
    scatter,
    standard_look,
)
from rsi_envs.engines.arm.shapes import Look

LEFT, RIGHT = Region(0.3, 0.6, 0.05, 0.4), Region(0.3, 0.6, -0.4, 0.1)


def test_draws_are_the_same_everywhere():
    draws = Draws(7, 0)
    assert [draws.below(1000) for _ in range(4)] == [97, 441, 151, 503]
    draws = Draws(7, 1)
    assert [draws.below(1000) for _ in range(4)] == [752, 807, 546, 789]
    assert draws.uniform(-0.3, 0.3) == 0.1203
    assert draws.shuffled("abcde") == ["c", "e", "d", "b", "a"]
    assert scatter(Draws(11, 2), [Region(0.3, 0.6, -0.2, 0.2)] * 2, 0.1) == [
        (0.3326, 0.1472),
        (0.5558, -0.178),
    ]


def test_draws_cover_their_range():
    draws = Draws(0, 0)
    assert {draws.below(5) for _ in range(100)} == set(range(5)) and draws.below(1) == 0
    assert {draws.choice("xyz") for _ in range(100)} == set("xyz")
    numbers = [draws.uniform(-0.0003, 0.0002) for _ in range(200)]
    assert set(numbers) == {-0.0003, -0.0002, -0.0001, 0.0, 0.0001, 0.0002}
    assert draws.uniform(0.5, 0.5) == 0.5
    orders = {tuple(draws.shuffled("abc")) for _ in range(200)}
    assert orders == set(itertools.permutations("abc"))
    assert draws.shuffled([]) == []


def test_places_keep_their_gap_and_their_region():
    taken = [(0.45, 0.1, 0.02)]
    seen = set()
    for seed in range(200):
        places = scatter(Draws(seed, 0), [LEFT, LEFT, RIGHT, RIGHT], 0.09, taken)
        assert places == scatter(Draws(seed, 0), [LEFT, LEFT, RIGHT, RIGHT], 0.09, taken)
        for (x, y), (x0, x1, y0, y1) in zip(places, [LEFT, LEFT, RIGHT, RIGHT]):
            assert x0 <= x <= x1 and y0 <= y <= y1
        everything = [*places, taken[0][:2]]
        assert all(math.dist(a, b) >= 0.09 for a, b in itertools.combinations(everything, 2))
        seen.add(tuple(places))
    assert len(seen) == 200


def test_what_does_not_fit_names_the_thing():
    with pytest.raises(ValueError, match=r"thing 2 in Region\(x0=0.3.* gap of 0.5 m"):
        scatter(Draws(0, 0), [LEFT, RIGHT, LEFT], 0.5)
    with pytest.raises(ValueError, match="thing 0"):
        scatter(Draws(0, 0), [LEFT], 0.6, [(0.45, 0.2)])


def test_the_standard_look_changes_nothing():
    assert Look.from_data(standard_look()) == Look()


def test_randomised_looks_are_within_their_bounds():
    looks = [randomised_look(seed) for seed in range(200)]
    for seed, data in enumerate(looks):
        assert data == randomised_look(seed)
        look = Look.from_data(data)
        assert look.table in TABLES and look.table_texture in (None, *TEXTURES)
        assert max(map(abs, look.camera[:3])) <= JITTER
        assert max(map(abs, look.camera[3:])) <= TWIST
        assert math.hypot(*look.light[:2]) == pytest.approx(0.6, abs=1e-3)
        assert 0.5 <= look.light[2] <= 1
    assert len({str(look) for look in looks}) == 200
    assert {look["table"] for look in looks} == set(TABLES)
    assert {look["table_texture"] for look in looks} == {None, *TEXTURES}
    assert min(look["camera"][4] for look in looks) < 0 < max(look["camera"][4] for look in looks)


@pytest.mark.parametrize(
    ("data", "told_of"),
    [({"sky": 1}, "not 'sky'"), ({"light": (1, 2)}, "light.* 3"), ({"camera": (1,)}, "camera.* 6")],
)
def test_a_wrong_look_says_what_is_wrong(data, told_of):
    with pytest.raises(ValueError, match=told_of):
        Look.from_data(data)
