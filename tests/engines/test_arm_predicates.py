"""What holds in a scene, and what does not."""

import math

import numpy as np
import pytest

from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.control import Robot
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.shapes import Shape, Thing
from tests.engines.arm_benches import (
    HALF,
    box,
    boxes,
    left_hand,
    moving,
    seen,
    turned_about_x,
)

BENCH = boxes((0.4, 0.2), (0.5, 0.0), (0.6, -0.2))


def test_places_axes_and_yaws():
    half = math.radians(30) / 2
    sight = seen(BENCH, a=(0.45, 0.1, 0.3, math.cos(half), 0, 0, math.sin(half)))
    assert sight.place("a") == pytest.approx([0.45, 0.1, 0.3])
    assert sight.place("b") == pytest.approx([0.5, 0, HALF], abs=1e-3)
    assert sight.axis("a") == pytest.approx([0, 0, 1]) and math.degrees(sight.yaw("a")) == (
        pytest.approx(30)
    )
    lying = seen(BENCH, a=(0.45, 0.1, 0.3, *turned_about_x(90)))
    assert lying.axis("a") == pytest.approx([0, -1, 0], abs=1e-9)
    place = sight.place("a")
    place[:] = 9
    assert sight.place("a")[0] == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("degrees", "holds"), [(0, True), (14.9, True), (15.1, False), (180, False)]
)
def test_a_tilted_thing_is_not_upright(degrees, holds):
    sight = seen(BENCH, a=(0.4, 0.2, 0.1, *turned_about_x(degrees)))
    assert sight.upright("a") is holds
    for more, wider in ((0.1, True), (-0.1, False)):
        if 0 < degrees + more < 180:
            assert sight.upright("a", degrees + more) is wider


def test_near_in_two_and_in_three_numbers():
    sight = seen(BENCH, a=(0.4, 0.2, 0.3))
    assert sight.near("a", (0.4, 0.23), 0.031) and not sight.near("a", (0.4, 0.23), 0.029)
    assert sight.near("a", (0.4, 0.2, 0.32), 0.021)
    assert not sight.near("a", (0.4, 0.2, 0.0), 0.2)


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [
        ((0.3, 0.1, 0.0), (0.5, 0.3, 0.4), True),
        ((0.41, 0.1, 0.0), (0.5, 0.3, 0.4), False),
        ((0.3, 0.1, 0.0), (0.5, 0.19, 0.4), False),
        ((0.3, 0.1, 0.0), (0.5, 0.3, 0.29), False),
    ],
)
def test_inside_needs_all_three_coordinates(low, high, holds):
    assert seen(BENCH, a=(0.4, 0.2, 0.3)).inside("a", low, high) is holds


def test_a_thing_on_the_table_is_at_rest():
    sight = seen(BENCH)
    for name in "abc":
        assert sight.settled(name) and sight.released(name) and sight.supported(name)
        assert sight.at_rest(name)


@pytest.mark.parametrize(
    ("velocity", "holds"),
    [
        ((0.009, 0, 0), True),
        ((0.011, 0, 0), False),
        ((0, 0, -0.011), False),
        ((0, 0, 0, 0, 0, 0.29), True),
        ((0, 0, 0, 0, 0, 0.31), False),
    ],
)
def test_a_thing_that_moves_or_turns_is_not_settled(velocity, holds):
    sight = moving(seen(BENCH), "a", *velocity)
    assert sight.settled("a") is holds and sight.at_rest("a") is holds
    assert sight.settled("b")


def test_a_thing_in_mid_air_is_not_supported_even_where_it_hardly_moves():
    sight = seen(BENCH, a=(0.4, 0.2, 0.3))
    assert sight.settled("a") and sight.released("a")  # as at the top of a throw
    assert not sight.supported("a") and not sight.at_rest("a")


def test_a_falling_ball_is_neither_settled_nor_supported():
    ball = Thing("ball", (Shape("sphere", (0.02,)),), (0.5, 0.0, 0.6), mass=0.05)
    robot = Robot(Bench([ball]))
    high = robot.data.qpos.copy()
    high[-5] = 0.6
    robot.data.qpos[:] = high
    home = np.hstack([robot.targets, robot.grips[:, None]]).ravel()
    robot.play(home[None])
    sight = Sight(robot.bench, robot.data)
    assert not sight.settled("ball") and not sight.supported("ball") and not sight.at_rest("ball")
    # A copy of the moment says the same.
    other = Robot(robot.bench)
    other.thaw(robot.freeze())
    copied = Sight(robot.bench, other.data)
    assert not copied.settled("ball") and not copied.supported("ball")
    robot.play(np.tile(home, (40, 1)))
    assert Sight(robot.bench, robot.data).at_rest("ball")


def test_a_thing_on_another_is_supported():
    sight = seen(boxes((0.4, 0.2), (0.5, 0.0)), a=(0.5, 0.0, 3 * HALF - 2e-4))
    assert sight.supported("a") and sight.at_rest("a")
    fixed = Bench([box("a", 0.4, 0.2, 3 * HALF - 1e-4), box("stand", 0.4, 0.2, mass=None)])
    assert seen(fixed).at_rest("a")


def test_a_box_between_the_pads_is_not_released():
    robot = Robot(boxes((0.45, 0.2)))
    sight = left_hand(robot, (0.45, 0.2, 0.2), (0.45, 0.2, 0.02))
    assert sight.released("a") and sight.open()
    sight = left_hand(robot, grip=0.0)
    assert not sight.released("a") and sight.supported("a") and not sight.at_rest("a")
    assert not sight.open()
    sight = left_hand(robot, (0.45, 0.2, 0.2), grip=0.0)
    assert sight.place("a")[2] > 0.15
    assert sight.settled("a")
    assert not (sight.released("a") or sight.supported("a") or sight.at_rest("a"))
    sight = left_hand(robot, (0.45, 0.2, 0.022), grip=1.0)
    assert sight.at_rest("a") and sight.open()


@pytest.mark.parametrize("arm", [0, 1])
def test_all_grippers_have_to_be_open(arm):
    sight = seen(BENCH)
    assert sight.open()
    wide = sight.data.qpos[BENCH.fingers[arm]]
    sight.data.qpos[BENCH.fingers[arm]] = wide * 0.81
    assert sight.open()
    sight.data.qpos[BENCH.fingers[arm]] = wide * 0.79
    assert not sight.open()


def test_order_along_an_axis_with_a_gap():
    sight = seen(BENCH)
    assert sight.in_order("abc", 0, 0.09) and not sight.in_order("abc", 0, 0.11)
    assert sight.in_order("cba", 1, 0.19) and not sight.in_order("abc", 1, 0.0)
    assert not sight.in_order("cba", 0, 0.0) and sight.in_order("a", 0, 1.0)
    assert not sight.in_order("acb", 0, 0.01)


def test_aligned_within_a_spread():
    sight = seen(BENCH, a=(0.40, 0.2, HALF), b=(0.43, 0.0, HALF), c=(0.41, -0.2, HALF))
    assert sight.aligned("abc", 0, 0.031) and not sight.aligned("abc", 0, 0.029)
    assert not sight.aligned("abc", 1, 0.1) and sight.aligned("b", 1, 0.0)


def test_an_arm_that_went_away_has_not_returned():
    robot = Robot(BENCH)
    start = robot.targets[0].copy()
    sight = Sight(robot.bench, robot.data)
    assert sight.returned(0) and sight.returned(1) and sight.all_returned()
    near, far = (start[:3] + np.array([dx, 0, 0]) for dx in (0.14, 0.17))
    assert left_hand(robot, near, turn=start[3:]).all_returned()
    sight = left_hand(robot, far, turn=start[3:])
    assert not sight.returned(0) and sight.returned(1) and not sight.all_returned()
    assert left_hand(robot, start[:3], turn=start[3:]).all_returned()
    away = np.array([0.0, math.cos(math.radians(12)), math.sin(math.radians(12)), 0.0])
    assert not left_hand(robot, start[:3], turn=away).returned(0)


@pytest.mark.parametrize("ask", ["place", "axis", "upright", "settled", "released", "supported"])
def test_an_unknown_thing_names_the_things(ask):
    with pytest.raises(ValueError, match="no thing 'cup' on this bench; things: a, b, c"):
        getattr(seen(BENCH), ask)("cup")
    with pytest.raises(ValueError, match="things: none"):
        getattr(seen(Bench([])), ask)("cup")


def test_two_things_of_one_name_are_refused():
    with pytest.raises(ValueError, match="a is there twice"):
        Bench([box("a", 0.4, 0.2), box("a", 0.5, 0.2)])


def test_nothing_seen_is_nan():
    sight = seen(BENCH, a=(0.4, 0.2, 0.3, 0, 1, 0, 0))
    for value in (sight.place("a"), sight.axis("a"), sight.yaw("a")):
        assert np.isfinite(value).all()
