"""From waypoints to rows: straight motions of one hand, and two hands side by side.

For scripted players, which give the same targets as any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.kinematics import turn_between, turned

Floats = NDArray[np.float64]

STRIDE, TURN = 0.028, 0.14  # m and rad a row, a little within the limits of a row
FINGERS_MOVE = 8  # rows that a gripper gets to open or close
GENTLY = 4  # rows of them in which it closes: at full speed its fingers knock things aside


def top_down(yaw: float = 0.0) -> Floats:
    """Return the quaternion of a hand that points down; at yaw 0 its fingers open along y."""
    return np.array([0.0, math.cos(yaw / 2), math.sin(yaw / 2), 0.0])


def folded(yaw: float) -> float:
    """Return the yaw in (-90, 90] degrees that grips the same way: both fingers are alike."""
    half = yaw % math.pi
    return half - math.pi if half > math.pi / 2 else half


class Path:
    """Rows of one hand, from where its target is now.

    Args:
        pose: the hand's target (7,), position and quaternion.
        grip: its grip, 0 closed to 1 open.
    """

    def __init__(self, pose: Sequence[float] | Floats, grip: float) -> None:
        self.pose = np.asarray(pose, np.float64).copy()
        self.grip = float(grip)
        self._rows: list[Floats] = []

    @property
    def rows(self) -> Floats:
        """Rows so far, (n, 8)."""
        return np.array(self._rows).reshape(-1, 8)

    def __len__(self) -> int:
        return len(self._rows)

    def _add(self) -> None:
        self._rows.append(np.array([*self.pose, self.grip]))

    def to(
        self,
        position: Sequence[float] | Floats,
        quaternion: Floats | None = None,
        stride: float = STRIDE,
    ) -> Path:
        """Go straight to a position (and turn to a quaternion), `stride` metres a row at most."""
        start = self.pose.copy()
        goal = np.asarray(position, np.float64)
        turn = np.zeros(3) if quaternion is None else turn_between(start[3:], quaternion)
        length, angle = float(np.linalg.norm(goal - start[:3])), float(np.linalg.norm(turn))
        count = math.ceil(max(length / stride, angle / TURN) - 1e-9)
        for k in range(1, count + 1):
            self.pose[:3] = start[:3] + (goal - start[:3]) * (k / count)
            self.pose[3:] = turned(start[3:], turn * (k / count))
            self._add()
        return self

    def hold(self, rows: int) -> Path:
        """Stay for some rows."""
        for _ in range(rows):
            self._add()
        return self

    def close(self, rows: int = FINGERS_MOVE) -> Path:
        """Close the gripper gently and wait; `rows` in all, at least GENTLY."""
        start = self.grip
        for k in range(1, GENTLY + 1):
            self.grip = start * (1 - k / GENTLY)
            self._add()
        return self.hold(rows - GENTLY)

    def open(self, rows: int = FINGERS_MOVE) -> Path:
        """Open the gripper and wait."""
        self.grip = 1.0
        return self.hold(rows)


def side_by_side(left: Path, right: Path) -> Floats:
    """Return the rows (n, 16) of both hands; the shorter one waits at its end."""
    length = max(len(left), len(right))
    for path in (left, right):
        path.hold(length - len(path))
    return np.hstack([left.rows, right.rows])
