"""Kernels of one arm's kinematics: where the hand is, and which joint angles bring it somewhere.

Quaternions are (w, x, y, z); positions are in the frame of the arm's base.
"""

from __future__ import annotations

import math

import numpy as np

from rsi_envs.core.kernels import kernel
from rsi_envs.engines.arm.chain import HAND, HOME, JOINTS, OFFSETS, RANGES, TCP

DAMPING = 0.03
PULL = 0.02  # towards the home pose, within what moves the hand nowhere
ITERATIONS = 10
STRIDE = 0.2  # rad, the longest step of an iteration
MARGIN = 0.01  # rad kept from the ends of the joints' ranges
CLOSE, ALIGNED = 1e-4, 1e-3  # m and rad at which a solution is good enough


@kernel
def multiply(a, b):
    """Return the product of two quaternions, float64 (4,)."""
    out = np.empty(4)
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    return out


@kernel
def rotate(q, v):
    """Return a vector turned by a unit quaternion, float64 (3,)."""
    x = 2.0 * (q[2] * v[2] - q[3] * v[1])
    y = 2.0 * (q[3] * v[0] - q[1] * v[2])
    z = 2.0 * (q[1] * v[1] - q[2] * v[0])
    out = np.empty(3)
    out[0] = v[0] + q[0] * x + q[2] * z - q[3] * y
    out[1] = v[1] + q[0] * y + q[3] * x - q[1] * z
    out[2] = v[2] + q[0] * z + q[1] * y - q[2] * x
    return out


@kernel
def turn_between(a, b):
    """Return the shortest turn from unit quaternion a to b in the world, as axis times rad (3,)."""
    inverse = np.array([a[0], -a[1], -a[2], -a[3]])
    d = multiply(b, inverse)
    sine = math.sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3])
    if sine < 1e-12:
        return np.zeros(3)
    angle = 2.0 * math.atan2(sine, d[0])
    if angle > math.pi:
        angle -= 2.0 * math.pi
    return d[1:] * (angle / sine)


@kernel
def turned(q, turn):
    """Return quaternion q after a turn in the world given as axis times rad."""
    angle = math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    if angle < 1e-12:
        return q.copy()
    scale = math.sin(angle / 2.0) / angle
    step = np.array([math.cos(angle / 2.0), turn[0] * scale, turn[1] * scale, turn[2] * scale])
    out = multiply(step, q)
    return out / math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2 + out[3] ** 2)


@kernel
def forward(q, origins, axes):
    """Return the tool centre point's pose (7,) and write joints' origins and axes (7, 3)."""
    at, way = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    for j in range(JOINTS):
        at = at + rotate(way, OFFSETS[j, :3])
        way = multiply(way, OFFSETS[j, 3:])
        origins[j] = at
        axes[j] = rotate(way, np.array([0.0, 0.0, 1.0]))
        way = multiply(way, np.array([math.cos(q[j] / 2.0), 0.0, 0.0, math.sin(q[j] / 2.0)]))
    at = at + rotate(way, HAND[:3])
    way = multiply(way, HAND[3:])
    pose = np.empty(7)
    pose[:3] = at + rotate(way, np.array([0.0, 0.0, TCP]))
    pose[3:] = way
    return pose


@kernel
def hand_pose(q):
    """Return the pose (7,) of the tool centre point, position and quaternion, at joint angles."""
    return forward(q, np.empty((JOINTS, 3)), np.empty((JOINTS, 3)))


@kernel
def jacobian(tip, origins, axes):
    """Return how position and rotation of the tip follow the joints, float64 (6, 7)."""
    out = np.empty((6, JOINTS))
    for j in range(JOINTS):
        x, y, z = tip[0] - origins[j, 0], tip[1] - origins[j, 1], tip[2] - origins[j, 2]
        a, b, c = axes[j]
        out[0, j], out[1, j], out[2, j] = b * z - c * y, c * x - a * z, a * y - b * x
        out[3, j], out[4, j], out[5, j] = a, b, c
    return out


@kernel
def _missing(pose, target):
    """Return what is missing from a pose to a target: position and turn (6,)."""
    out = np.empty(6)
    out[:3] = target[:3] - pose[:3]
    out[3:] = turn_between(pose[3:], target[3:])
    return out


@kernel
def _norm(v):
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@kernel
def solve(start, target):
    """Return joint angles (7,) for a pose (7,), and what is missing there in m and rad.

    Damped least squares from joint angles `start`, pulled towards the home pose where that
    costs nothing. A target out of reach leaves something missing.
    """
    q = start.copy()
    origins, axes = np.empty((JOINTS, 3)), np.empty((JOINTS, 3))
    error = _missing(forward(q, origins, axes), target)
    for _ in range(ITERATIONS):
        if _norm(error[:3]) < CLOSE and _norm(error[3:]) < ALIGNED:
            break
        pose = forward(q, origins, axes)
        j = jacobian(pose[:3], origins, axes)
        damped = j @ j.T + DAMPING**2 * np.eye(6)
        pull = PULL * (HOME - q)
        step = pull + j.T @ np.linalg.solve(damped, error - j @ pull)
        longest = np.abs(step).max()
        if longest > STRIDE:
            step *= STRIDE / longest
        q = np.minimum(np.maximum(q + step, RANGES[:, 0] + MARGIN), RANGES[:, 1] - MARGIN)
        error = _missing(forward(q, origins, axes), target)
    return q, _norm(error[:3]), _norm(error[3:])
