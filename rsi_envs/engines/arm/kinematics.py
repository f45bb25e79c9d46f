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
    """Return the product of two quaternions, a tuple of four."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def rotate(q, v):
    """Return a vector turned by a unit quaternion, a tuple of three."""
    x = 2.0 * (q[2] * v[2] - q[3] * v[1])
    y = 2.0 * (q[3] * v[0] - q[1] * v[2])
    z = 2.0 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * x + q[2] * z - q[3] * y,
        v[1] + q[0] * y + q[3] * x - q[1] * z,
        v[2] + q[0] * z + q[1] * y - q[2] * x,
    )


@kernel
def turn_between(a, b):
    """Return the shortest turn from unit quaternion a to b in the world, axis times rad (3,)."""
    d = multiply((b[0], b[1], b[2], b[3]), (a[0], -a[1], -a[2], -a[3]))
    out = np.zeros(3)
    sine = math.sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3])
    if sine >= 1e-12:
        angle = 2.0 * math.atan2(sine, d[0])
        if angle > math.pi:
            angle -= 2.0 * math.pi
        for i in range(3):
            out[i] = d[1 + i] * (angle / sine)
    return out


@kernel
def turned(q, turn):
    """Return quaternion q (4,) after a turn in the world given as axis times rad."""
    angle = _norm(turn)
    if angle < 1e-12:
        return q.copy()
    scale = math.sin(angle / 2.0) / angle
    step = (math.cos(angle / 2.0), turn[0] * scale, turn[1] * scale, turn[2] * scale)
    out = np.array(multiply(step, (q[0], q[1], q[2], q[3])))
    return out / math.sqrt((out * out).sum())


@kernel
def _moved(at, way, x, y, z):
    """Return the point (x, y, z) of a frame at a place and with a way it is turned."""
    a, b, c = rotate(way, (x, y, z))
    return at[0] + a, at[1] + b, at[2] + c


@kernel
def forward(q, origins, axes):
    """Return the tool centre point's pose (7,) and write joints' origins and axes (7, 3)."""
    at, way = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    for j in range(JOINTS):
        at = _moved(at, way, OFFSETS[j, 0], OFFSETS[j, 1], OFFSETS[j, 2])
        way = multiply(way, (OFFSETS[j, 3], OFFSETS[j, 4], OFFSETS[j, 5], OFFSETS[j, 6]))
        axis = rotate(way, (0.0, 0.0, 1.0))
        for i in range(3):
            origins[j, i], axes[j, i] = at[i], axis[i]
        way = multiply(way, (math.cos(q[j] / 2.0), 0.0, 0.0, math.sin(q[j] / 2.0)))
    at = _moved(at, way, HAND[0], HAND[1], HAND[2])
    way = multiply(way, (HAND[3], HAND[4], HAND[5], HAND[6]))
    at = _moved(at, way, 0.0, 0.0, TCP)
    return np.array((at[0], at[1], at[2], way[0], way[1], way[2], way[3]))


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
        a, b, c = axes[j, 0], axes[j, 1], axes[j, 2]
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
def _damped(j):
    """Return j j^T with the damping on its diagonal, (6, 6)."""
    out = np.empty((6, 6))
    for a in range(6):
        for b in range(a + 1):
            total = DAMPING**2 if a == b else 0.0
            for i in range(JOINTS):
                total += j[a, i] * j[b, i]
            out[a, b] = out[b, a] = total
    return out


@kernel
def _solved(matrix, wanted):
    """Solve a symmetric positive definite system in place by Cholesky; return `wanted`."""
    n = len(wanted)
    for k in range(n):
        for i in range(k):
            total = matrix[k, i]
            for m in range(i):
                total -= matrix[k, m] * matrix[i, m]
            matrix[k, i] = total / matrix[i, i]
        total = matrix[k, k]
        for m in range(k):
            total -= matrix[k, m] ** 2
        matrix[k, k] = math.sqrt(total)
    for k in range(n):
        for m in range(k):
            wanted[k] -= matrix[k, m] * wanted[m]
        wanted[k] /= matrix[k, k]
    for k in range(n - 1, -1, -1):
        for m in range(k + 1, n):
            wanted[k] -= matrix[m, k] * wanted[m]
        wanted[k] /= matrix[k, k]
    return wanted


@kernel
def _stride(q, j, error):
    """Move joint angles q in place by one damped step, pulled towards home on the side."""
    pull = np.empty(JOINTS)
    for i in range(JOINTS):
        pull[i] = PULL * (HOME[i] - q[i])
    wanted = error.copy()
    for a in range(6):
        for i in range(JOINTS):
            wanted[a] -= j[a, i] * pull[i]
    wanted = _solved(_damped(j), wanted)
    longest = 0.0
    for i in range(JOINTS):
        for a in range(6):
            pull[i] += j[a, i] * wanted[a]
        longest = max(longest, abs(pull[i]))
    scale = min(1.0, STRIDE / longest) if longest > 0.0 else 1.0
    for i in range(JOINTS):
        moved = q[i] + scale * pull[i]
        q[i] = min(max(moved, RANGES[i, 0] + MARGIN), RANGES[i, 1] - MARGIN)


@kernel
def solve(start, target):
    """Return joint angles (7,) for a pose (7,), and what is missing there in m and rad.

    Damped least squares from joint angles `start`, pulled towards the home pose where that
    costs nothing. A target out of reach leaves something missing.
    """
    q = start.copy()
    origins, axes = np.empty((JOINTS, 3)), np.empty((JOINTS, 3))
    pose = forward(q, origins, axes)
    error = _missing(pose, target)
    for _ in range(ITERATIONS):
        if _norm(error[:3]) < CLOSE and _norm(error[3:]) < ALIGNED:
            break
        _stride(q, jacobian(pose, origins, axes), error)
        pose = forward(q, origins, axes)
        error = _missing(pose, target)
    return q, _norm(error[:3]), _norm(error[3:])
