"""The kernel that turns a row of targets into joint angles, within the limits of a row."""

from __future__ import annotations

import math

import numpy as np

from rsi_envs.core.kernels import kernel
from rsi_envs.engines.arm.chain import LOWEST, RANGES, STEP_LIMIT, TURN_LIMIT
from rsi_envs.engines.arm.kinematics import hand_pose, solve, turn_between, turned

CODES = (
    "not_finite", "no_rotation", "unnormalised", "too_low", "limited", "unreachable", "grip",
)  # fmt: skip
NOT_FINITE, NO_ROTATION, UNNORMALISED, TOO_LOW, LIMITED, UNREACHABLE, GRIP = range(len(CODES))

MISSED, TWISTED = 0.01, 0.1  # m and rad beyond which a target counts as out of reach
NOTHING = 1e-6  # a quaternion shorter than this has no direction
SLACK = 0.01  # how far a quaternion's length may be from 1 unnoticed
ROUNDING = 1e-9  # targets exactly at a limit are within it


@kernel
def command(told, joint, bases, angles, targets, grips, residual, counts):
    """Follow one row: write angles, targets, grips and residual of each arm, and count codes.

    Args:
        told: float64 (arms, 8), the row; joint: whether it holds joint angles.
        bases: float64 (arms, 3), where the arms stand.
        angles, targets, grips, residual: as in `Robot`.
        counts: int64 (arms, codes).
    """
    for arm in range(len(told)):
        if not np.isfinite(told[arm]).all():
            counts[arm, NOT_FINITE] += 1
            continue
        if joint:
            _bend(told[arm, :7], bases[arm], angles[arm], targets[arm], counts[arm])
        else:
            residual[arm] = _reach(
                told[arm, :7], bases[arm], angles[arm], targets[arm], residual[arm], counts[arm]
            )
        grip = min(max(told[arm, 7], 0.0), 1.0)
        counts[arm, GRIP] += grip != told[arm, 7]
        grips[arm] = grip


@kernel
def _bend(wanted, base, angles, target, counts):
    """Follow joint angles, each at most TURN_LIMIT a row."""
    inside = np.minimum(np.maximum(wanted, RANGES[:, 0]), RANGES[:, 1])
    counts[UNREACHABLE] += (inside != wanted).any()
    step = np.minimum(np.maximum(inside - angles, -TURN_LIMIT), TURN_LIMIT)
    counts[LIMITED] += (np.abs(inside - angles) > TURN_LIMIT + ROUNDING).any()
    angles[:] = angles + step
    target[:] = hand_pose(angles)
    target[:3] += base


@kernel
def _reach(wanted, base, angles, target, residual, counts):
    """Follow a pose; return what is missing of it in metres."""
    longest = np.abs(wanted[3:]).max()
    if longest < NOTHING:
        counts[NO_ROTATION] += 1
        return residual
    goal = wanted.copy()
    goal[3:] /= longest  # first, as the squares of huge numbers are infinite
    length = math.sqrt((goal[3:] ** 2).sum())
    goal[3:] /= length
    counts[UNNORMALISED] += abs(longest * length - 1.0) > SLACK
    if goal[2] < LOWEST:
        counts[TOO_LOW] += 1
        goal[2] = LOWEST
    counts[LIMITED] += _limit(goal, target)
    local = goal.copy()
    local[:3] -= base
    found, missed, twisted = solve(angles, local)
    if missed > MISSED or twisted > TWISTED:
        counts[UNREACHABLE] += 1
        return missed
    angles[:] = found
    target[:] = goal
    return missed


@kernel
def _limit(goal, last):
    """Bring a goal within a row's reach of the last target; return whether that changed it."""
    step = goal[:3] - last[:3]
    length = math.sqrt((step**2).sum())
    turn = turn_between(last[3:], goal[3:])
    angle = math.sqrt((turn**2).sum())
    if length > STEP_LIMIT:
        goal[:3] = last[:3] + step * (STEP_LIMIT / length)
    if angle > TURN_LIMIT:
        goal[3:] = turned(last[3:], turn * (TURN_LIMIT / angle))
    return length > STEP_LIMIT + ROUNDING or angle > TURN_LIMIT + ROUNDING
