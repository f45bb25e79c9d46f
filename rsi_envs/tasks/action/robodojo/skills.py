"""Motions that oracles and players from pictures share: fetch a thing, bring it somewhere.

Every skill is a `Path` of one arm; nothing here looks at the scene.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.chain import ARMS, BASES, HOME
from rsi_envs.engines.arm.kinematics import hand_pose
from rsi_envs.engines.arm.paths import Path, side_by_side, top_down

Floats = NDArray[np.float64]
Point = Sequence[float] | Floats

SETTLE = 3  # rows that a hand gets to come to rest before it grips or lets go
GENTLE = 0.015  # m a row, near things
APPROACH = 0.06  # m above a grip from where a hand goes gently
CLEAR = 0.003  # m above where it shall stand that a thing is let go
CARRY = 0.22  # m, the height at which hands travel
# Rad that each arm's hand, pointing down, turns to wherever it works; to the left of an arm, where
# the right one works, that is less.
YAWS = ((-2.7, 2.5), (-1.2, 2.8))


def home(arm: int) -> Floats:
    """Return the pose (7,) of an arm's hand at the start of an episode."""
    pose: Floats = hand_pose(HOME)
    pose[:3] += BASES[arm]
    return pose


def nearest_arm(point: Point) -> int:
    """Return the arm that stands nearer to a point: 0 left, 1 right."""
    return int(np.linalg.norm(BASES[:, :2] - np.asarray(point)[:2], axis=1).argmin())


def pick(path: Path, point: Point, yaw: float, carry: float = CARRY) -> Path:
    """Fetch what is gripped at a point (x, y, z) with the hand at a yaw; end above it."""
    x, y, z = point
    path.open(0)
    path.to((*path.pose[:2], carry))
    path.to((x, y, carry), top_down(yaw))
    path.to((x, y, min(z + APPROACH, carry))).hold(1)
    return path.to((x, y, z), stride=GENTLE).hold(SETTLE).close().to((x, y, carry))


def place(path: Path, point: Point, yaw: float, carry: float = CARRY) -> Path:
    """Bring what is held to a point (x, y, z), let go, and rise."""
    x, y, z = point
    path.to((x, y, carry), top_down(yaw)).hold(SETTLE)
    path.to((x, y, min(z + APPROACH, carry)))
    path.to((x, y, z), stride=GENTLE).hold(SETTLE).open()
    path.to((x, y, min(z + APPROACH, carry)), stride=GENTLE)
    return path.to((x, y, carry))


def retire(path: Path, arm: int) -> Path:
    """Go back to where the arm started."""
    pose = home(arm)
    return path.to((*pose[:2], max(path.pose[2], CARRY)), pose[3:]).to(pose[:3])


def alone(arm: int, path: Path, other: Path) -> Floats:
    """Return rows (n, 16) in which one arm follows a path and the other waits at its own."""
    return side_by_side(path, other) if arm == 0 else side_by_side(other, path)


def waiting(targets: Floats, grips: Floats) -> list[Path]:
    """Return a path of each arm that starts where it was told to be."""
    return [Path(targets[arm], float(grips[arm])) for arm in range(len(ARMS))]


def carry(
    targets: Floats,
    grips: Floats,
    start: Point,
    goal: Point,
    grip: float,
    yaws: tuple[float, float] = (0.0, 0.0),
) -> Floats:
    """Return rows that bring a thing from (x, y) to (x, y) by the arm nearer to it, and home.

    Args:
        targets, grips: what the arms were told last, (2, 7) and (2,).
        grip: height at which the thing is gripped, m.
        yaws: of the hand when it grips and when it lets go, rad.
    """
    arm = nearest_arm(start)
    paths = waiting(targets, grips)
    path = pick(paths[arm], (*start[:2], grip), yaws[0])
    place(path, (*goal[:2], grip + CLEAR), yaws[1])
    return alone(arm, retire(path, arm), paths[1 - arm])


def both_home(targets: Floats, grips: Floats) -> Floats:
    """Return rows that bring both arms back and wait a little."""
    left, right = waiting(targets, grips)
    return side_by_side(retire(left, 0).hold(10), retire(right, 1))


def turns(arm: int, start: float, end: float, symmetry: float) -> tuple[float, float]:
    """Return yaws of the hand at the grip and at the release of a thing that has to turn.

    Args:
        arm: the one that brings the thing, 0 left or 1 right.
        start, end: yaws of the thing, rad.
        symmetry: angle after which gripping it is the same, e.g. pi / 2 for a square.
    """
    turn = (end - start + math.pi) % (2 * math.pi) - math.pi
    middle = sum(YAWS[arm]) / 2
    options = [start + k * symmetry for k in range(-8, 9)]
    # The pair that stays farthest from the ends of what the wrist can turn.
    best = min(options, key=lambda yaw: max(abs(yaw - middle), abs(yaw + turn - middle)))
    return best, best + turn
