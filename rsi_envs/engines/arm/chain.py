"""The arm's numbers: a chain of seven joints and a parallel gripper.

Joint offsets, ranges and force limits are the published ones of the Franka arm, whose kinematics
the arm has; its shapes are primitives. It stands in for the ARX X5 of papers/002 [ours].
"""

from __future__ import annotations

import numpy as np

ARMS = ("left", "right")  # this order everywhere
JOINTS = 7
WIDTH = 8  # numbers of an arm in a row of targets: a pose or joint angles, and the grip
BASES = np.array([[0.0, 0.35, 0.0], [0.0, -0.35, 0.0]])  # metres; both face +x

_TURN = 0.5**0.5  # of a quaternion of 90 degrees
# Of each joint's body in its parent: position (m) and quaternion (w, x, y, z). Joints turn about z.
OFFSETS = np.array(
    [
        [0.0, 0.0, 0.333, 1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, _TURN, -_TURN, 0.0, 0.0],
        [0.0, -0.316, 0.0, _TURN, _TURN, 0.0, 0.0],
        [0.0825, 0.0, 0.0, _TURN, _TURN, 0.0, 0.0],
        [-0.0825, 0.384, 0.0, _TURN, -_TURN, 0.0, 0.0],
        [0.0, 0.0, 0.0, _TURN, _TURN, 0.0, 0.0],
        [0.088, 0.0, 0.0, _TURN, _TURN, 0.0, 0.0],
    ]
)
# The hand in the last joint's body; the tool centre point, between the pads, in the hand.
HAND = np.array([0.0, 0.0, 0.107, 0.9238795325112867, 0.0, 0.0, -0.3826834323650898])
TCP = 0.1034  # m along the hand's z
RANGES = np.array(
    [
        [-2.8973, 2.8973],
        [-1.7628, 1.7628],
        [-2.8973, 2.8973],
        [-3.0718, -0.0698],
        [-2.8973, 2.8973],
        [-0.0175, 3.7525],
        [-2.8973, 2.8973],
    ]
)  # rad
FORCES = (87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0)  # N m
STIFFNESS = (4500.0, 4500.0, 3500.0, 3500.0, 2000.0, 2000.0, 2000.0)  # N m/rad
OPEN = 0.04  # m that each finger travels; the gripper opens to twice as much
SQUEEZE = -0.01  # m, a finger's target when closed: beyond contact, so that it presses

# Elbow up, hands pointing down and drawn back, so that the head camera sees the table.
HOME = np.array([0.0, -0.84, 0.0, -2.56, 0.0, 1.72, 0.7853981633974483])

TIMESTEP = 0.002  # s
SUBSTEPS = 20  # of a row of targets: 25 Hz, papers/002 A.1
RATE = 25  # rows a second
STEP_LIMIT = 0.03  # m that a row may ask for
TURN_LIMIT = 0.15  # rad that a row may ask for, of the hand or of each joint
LOWEST = 0.012  # m above the table that a hand's target stays: the pads reach 9 mm below it
