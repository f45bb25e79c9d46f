"""What carries a thing, what counts as a robot, and what predicates and draws refuse."""

import re

import numpy as np
import pytest

from rsi_envs.engines.arm.bench import Bench, refresh
from rsi_envs.engines.arm.layouts import Draws, Region, scatter
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.shapes import Shape, Thing

HALF, SUNK = 0.02, 2e-4  # m, half sides of boxes and how far what touches sinks in


def box(name, height=HALF, mass=0.05, x=0.45):
    return Thing(name, (Shape("box", (HALF,) * 3),), (x, 0.2, height), mass=mass)


def seen(bench, **heights):
    """Return the sight of a bench with things put to other heights, nothing else changed."""
    data = bench.fresh()
    for name, height in heights.items():
        joint = bench.model.joint(int(bench.model.body(name).jntadr[0]))
        data.qpos[joint.qposadr[0] + 2] = height
    refresh(bench.model, data)
    return Sight(bench, data)


def stacked(start):
    """Return heights of three boxes on each other, the lowest at `start`."""
    return {name: start + number * (2 * HALF - SUNK) for number, name in enumerate("abc")}


STACK = Bench([box(name, height + SUNK) for name, height in stacked(HALF).items()])


def test_a_stack_on_the_table_is_supported_to_its_top():
    sight = seen(STACK, **stacked(HALF - SUNK))
    assert all(sight.supported(name) and sight.at_rest(name) for name in "abc")


def test_things_that_only_carry_each_other_are_in_mid_air():
    sight = seen(STACK, **stacked(0.2))
    assert sight._touching(sight._body("b"))  # they do touch
    assert not any(sight.supported(name) or sight.at_rest(name) for name in "abc")


def test_what_lies_on_a_thing_in_the_hand_is_in_mid_air():
    bench = Bench([box("a"), box("b", 3 * HALF)])
    sight = seen(bench)
    tip = bench.tip(sight.data, 0)[:3]
    for name, height in (("a", tip[2]), ("b", tip[2] + 2 * HALF - SUNK)):
        address = bench.model.joint(int(bench.model.body(name).jntadr[0])).qposadr[0]
        sight.data.qpos[address : address + 3] = (*tip[:2], height)
    sight.data.qpos[bench.fingers[0]] = HALF - SUNK
    refresh(bench.model, sight.data)
    held = Sight(bench, sight.data)
    assert not held.released("a")
    assert not held.supported("a") and not held.supported("b") and not held.at_rest("b")


@pytest.mark.parametrize("name", ["left sleeve", "rightmost", "left"])
def test_a_thing_named_like_an_arm_is_no_robot(name):
    bench = Bench([box(name, mass=None), box("tile", 3 * HALF - SUNK)])
    assert bench.model.geom(f"{name}/0").id not in bench.robot
    sight = Sight(bench, bench.fresh())
    assert sight.released("tile") and sight.supported("tile") and sight.at_rest("tile")


def test_both_arms_are_robots_and_nothing_else_is():
    bench = Bench([box("left sleeve"), box("b", x=0.55)])
    names = {bench.model.body(bench.model.geom_bodyid[geom]).name for geom in bench.robot}
    assert {name.split("/")[0] for name in names} == {"left", "right"}
    assert {"left/hand", "right/hand"} <= names
    others = set(range(bench.model.ngeom)) - bench.robot
    left = {bench.model.body(bench.model.geom_bodyid[geom]).name for geom in others}
    assert not [name for name in left if "/" in name]


@pytest.mark.parametrize("name", ["", "world", "left/hand", "a/b"])
def test_names_that_mean_something_else_are_refused(name):
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        Bench([box(name)])


@pytest.mark.parametrize("point", [(), (0.5,), (0.5, 0.0, 0.0, 1.0), 0.5])
def test_a_point_has_two_or_three_numbers(point):
    with pytest.raises(ValueError, match="a point has 2 or 3 numbers"):
        seen(STACK).near("a", point, 1.0)


def test_a_range_without_numbers_is_refused():
    with pytest.raises(ValueError, match=r"between 0\.5 and 0\.3"):
        Draws(0, 0).uniform(0.5, 0.3)
    with pytest.raises(ValueError, match="low must not exceed high"):
        scatter(Draws(0, 0), [Region(0.3, 0.5, 0.2, -0.2)], 0.1)
    assert np.isfinite(Draws(0, 0).uniform(0.3, 0.3))
