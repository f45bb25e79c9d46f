"""The arm's kinematics against MuJoCo's of the same chain, and its inverse."""

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rsi_envs.engines.arm import kinematics
from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.chain import BASES, HOME, RANGES
from rsi_envs.engines.arm.paths import top_down

BENCH = Bench([])
DATA = BENCH.fresh()

turns = arrays(np.float64, 3, elements=st.floats(-1, 1)).filter(lambda v: np.linalg.norm(v) > 1e-3)
quaternions = arrays(np.float64, 4, elements=st.floats(-1, 1)).filter(
    lambda v: np.linalg.norm(v) > 0.1
)


def angles(rng):
    return rng.uniform(RANGES[:, 0], RANGES[:, 1])


def turn(a, b):
    return np.linalg.norm(kinematics.turn_between(a, b))


@pytest.mark.parametrize("arm", [0, 1])
def test_forward_kinematics_is_that_of_the_model(arm):
    rng = np.random.default_rng(arm)
    for _ in range(100):
        q = angles(rng)
        DATA.qpos[BENCH.joints[arm]] = q
        mujoco.mj_kinematics(BENCH.model, DATA)
        pose = kinematics.hand_pose(q)
        matrix = np.empty(9)
        mujoco.mju_quat2Mat(matrix, pose[3:])
        tip = BENCH.tips[arm]
        assert np.abs(pose[:3] + BASES[arm] - DATA.site_xpos[tip]).max() < 1e-9
        assert np.abs(matrix - DATA.site_xmat[tip]).max() < 1e-9


def test_jacobian_is_the_derivative_of_the_pose():
    rng, step = np.random.default_rng(0), 1e-6
    for _ in range(20):
        q, origins, axes = angles(rng), np.empty((7, 3)), np.empty((7, 3))
        pose = kinematics.forward(q, origins, axes)
        found = kinematics.jacobian(pose, origins, axes)
        for j in range(7):
            moved = q.copy()
            moved[j] += step
            other = kinematics.hand_pose(moved)
            change = np.hstack([other[:3] - pose[:3], kinematics.turn_between(pose[3:], other[3:])])
            assert np.abs(change / step - found[:, j]).max() < 1e-5


def solved(target, q=HOME, tries=6):
    """Solve as rows do, on and on from the last angles."""
    for _ in range(tries):
        q, missed, twisted = kinematics.solve(np.asarray(q), target)
    return q, missed, twisted


@pytest.mark.parametrize("x", [0.35, 0.45, 0.55, 0.65])
@pytest.mark.parametrize("y", [-0.3, 0.0, 0.3])
@pytest.mark.parametrize("z", [0.015, 0.1, 0.25])
def test_hand_reaches_its_part_of_the_table_pointing_down(x, y, z):
    for yaw in (-1.2, -0.4, 0.4, 1.2):
        target = np.array([x, y, z, *top_down(yaw)])
        q, missed, twisted = solved(target)
        pose = kinematics.hand_pose(q)
        assert missed < 5e-4 and twisted < kinematics.ALIGNED, (yaw, missed, twisted)
        assert np.linalg.norm(pose[:3] - target[:3]) == pytest.approx(missed, abs=1e-12)
        assert turn(pose[3:], target[3:]) == pytest.approx(twisted, abs=1e-9)
        assert (q >= RANGES[:, 0]).all() and (q <= RANGES[:, 1]).all()


def test_small_moves_from_any_angles_are_followed():
    """Away from the ends of the ranges a row's move is found in one call."""
    rng, lost = np.random.default_rng(1), 0
    for _ in range(300):
        q = RANGES[:, 0] + rng.uniform(0.15, 0.85, 7) * (RANGES[:, 1] - RANGES[:, 0])
        target = kinematics.hand_pose(q)
        target[:3] += rng.uniform(-1, 1, 3) * 0.017
        target[3:] = kinematics.turned(target[3:], rng.uniform(-1, 1, 3) * 0.08)
        _, missed, twisted = kinematics.solve(q, target)
        lost += missed > 0.002 or twisted > 0.02
    assert lost <= 15  # near singular poses, or of which the ranges' ends are in the way


def test_a_target_out_of_reach_leaves_something_missing():
    q, missed, _ = solved(np.array([3.0, 0, 0.5, *top_down()]), tries=20)
    assert missed > 1.5
    assert np.isfinite(q).all()


def test_a_solution_stays_where_it_is():
    q, missed, twisted = kinematics.solve(HOME, kinematics.hand_pose(HOME))
    assert np.array_equal(q, HOME) and missed < 1e-12 and twisted < 1e-12


@given(quaternions, turns)
def test_a_turn_is_found_again(quaternion, axis):
    q = quaternion / np.linalg.norm(quaternion)
    after = kinematics.turned(q, axis)
    assert np.linalg.norm(after) == pytest.approx(1)
    assert kinematics.turn_between(q, after) == pytest.approx(axis, abs=1e-9)
    assert kinematics.turn_between(q, -after) == pytest.approx(axis, abs=1e-9)  # -q is the same


@given(quaternions, quaternions)
def test_turns_are_the_shortest(a, b):
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    assert turn(a, b) <= math.pi + 1e-12
    assert turn(a, b) == pytest.approx(2 * math.acos(min(1.0, abs(a @ b))), abs=1e-6)


@given(quaternions, turns)
def test_vectors_turn_as_in_mujoco(quaternion, vector):
    q, found = quaternion / np.linalg.norm(quaternion), np.empty(3)
    mujoco.mju_rotVecQuat(found, vector, q)
    assert kinematics.rotate(q, vector) == pytest.approx(found, abs=1e-12)
