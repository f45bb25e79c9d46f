"""Scripted motions: within the limits of a row, straight, and at their goal at the end."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsi_envs.engines.arm.chain import STEP_LIMIT, TURN_LIMIT
from rsi_envs.engines.arm.kinematics import rotate, turn_between
from rsi_envs.engines.arm.paths import Path, folded, side_by_side, top_down

places = st.tuples(st.floats(0.2, 0.8), st.floats(-0.5, 0.5), st.floats(0.0, 0.5))
yaws = st.floats(-10, 10)
START = np.array([0.3, 0.3, 0.3, *top_down()])


@given(st.lists(st.tuples(places, yaws), min_size=1, max_size=5))
def test_paths_stay_within_the_limits_of_a_row(goals):
    path = Path(START, 1.0)
    for place, yaw in goals:
        path.to(place, top_down(yaw))
        assert path.pose[:3] == pytest.approx(place, abs=1e-9)
        assert np.linalg.norm(turn_between(path.pose[3:], top_down(yaw))) < 1e-7
    poses = np.vstack([START, path.rows[:, :7]])
    assert np.linalg.norm(np.diff(poses[:, :3], axis=0), axis=1).max(initial=0) < STEP_LIMIT
    turns = [np.linalg.norm(turn_between(a, b)) for a, b in zip(poses[:-1, 3:], poses[1:, 3:])]
    assert max(turns, default=0) < TURN_LIMIT
    assert np.linalg.norm(poses[:, 3:], axis=1) == pytest.approx(np.ones(len(poses)))


@given(places, st.floats(0.001, 0.03))
def test_paths_are_straight_and_no_longer_than_they_must(goal, stride):
    path = Path(START, 1.0).to(goal, stride=stride)
    line = np.asarray(goal) - START[:3]
    length = np.linalg.norm(line)
    assert len(path) == math.ceil(length / stride - 1e-9)
    assert (path.rows[:, 3:7] == START[3:]).all() or len(path) == 0
    if length > 1e-9:
        assert np.abs(np.cross(path.rows[:, :3] - START[:3], line / length)).max(initial=0) < 1e-9


def test_staying_is_no_row_and_grips_are_told():
    path = Path(START, 1.0).to(START[:3], START[3:])
    assert len(path) == 0 and path.rows.shape == (0, 8)
    path.close(5).hold(1).open(2)
    assert path.rows[:, 7].tolist() == [0.75, 0.5, 0.25, 0, 0, 0, 1, 1]
    assert (path.rows[:, :7] == START).all()


def test_the_shorter_path_waits_at_its_end():
    left, right = Path(START, 1.0).to((0.5, 0.3, 0.3)), Path(START, 1.0).close(4)
    rows = side_by_side(left, right)
    assert rows.shape == (8, 16)
    assert (rows[3:, 8:] == [*START, 0.0]).all()
    assert rows[-1, :3] == pytest.approx([0.5, 0.3, 0.3])


@given(yaws)
def test_hands_point_down_and_fingers_open_along_the_yaw(yaw):
    quaternion = top_down(yaw)
    assert rotate(quaternion, (0.0, 0.0, 1.0)) == pytest.approx((0, 0, -1), abs=1e-12)
    along = np.array(rotate(quaternion, (0.0, 1.0, 0.0)))
    expected = np.array([math.sin(yaw), -math.cos(yaw), 0])  # an axis has no sign
    assert abs(along @ expected) == pytest.approx(1)


@given(yaws)
def test_folded_yaws_grip_the_same_way(yaw):
    found = folded(yaw)
    assert -math.pi / 2 <= found <= math.pi / 2
    assert math.sin(found - yaw) == pytest.approx(0, abs=1e-9)
