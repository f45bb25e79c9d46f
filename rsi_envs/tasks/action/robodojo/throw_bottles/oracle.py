"""ThrowBottles' oracle: both arms at once where there is room, the right one hands over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.paths import Path, side_by_side
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.tasks.action.robodojo.episode import Episode, Problem
from rsi_envs.tasks.action.robodojo.skills import (
    CLEAR,
    both_home,
    pick,
    place,
    retire,
    waiting,
)
from rsi_envs.tasks.action.robodojo.throw_bottles.layout import HEIGHT, WALL, of_kind, place_of_bin

Floats = NDArray[np.float64]

GRIP = 0.065  # m, the height at which a bottle is gripped
HIGH = 0.28  # m, the height at which hands carry: a bottle passes over the bin's wall
OVER = WALL + GRIP + 0.02  # m, the height from which bottles are dropped
MIDDLE = ((0.44, 0.0), (0.56, 0.0))  # m, where the right arm puts down for the left one
REACHED = -0.10  # m, y to the left of which the left arm fetches
APART = 0.17  # m of y between two hands that work at once
CORNERS = ((-0.05, -0.03), (0.05, 0.03), (0.05, -0.03), (-0.05, 0.03))  # m, of the bin


class Look(NamedTuple):
    """Where things are, (x, y) in metres: bottles outside the bin, and the bin."""

    bottles: list[tuple[float, float]]
    bin: tuple[float, float]


def throw(path: Path, bottle: Sequence[float], over: Sequence[float]) -> Path:
    """Fetch a bottle with the left hand and drop it at a place over the bin."""
    pick(path, (*bottle, GRIP), 0.0, HIGH)
    path.to((*over, HIGH)).hold(2).to((*over, OVER)).hold(2).open()
    return path.to((*over, HIGH))


def hand_over(path: Path, bottle: Sequence[float], middle: Sequence[float]) -> Path:
    """Bring a bottle to the middle with the right hand, and make room."""
    pick(path, (*bottle, GRIP), 0.0, HIGH)
    return retire(place(path, (*middle, GRIP + CLEAR), 0.0, HIGH), 1)


def next_rows(look: Look, targets: Floats, grips: Floats) -> Floats:
    """Return the rows of the next throw and of the next handover beside it; none at the end."""
    paths = waiting(targets, grips)
    near = sorted((b for b in look.bottles if b[1] > REACHED), key=lambda b: b[1])
    far = sorted((b for b in look.bottles if b[1] <= REACHED), key=lambda b: -b[1])
    free = [m for m in MIDDLE if all(np.hypot(m[0] - x, m[1] - y) > 0.1 for x, y in near)]
    hands_over = bool(far and free)
    if hands_over:
        hand_over(paths[1], far[0], free[0])
        near = [bottle for bottle in near if bottle[1] - free[0][1] >= APART]
    if near:
        corner = CORNERS[len(look.bottles) % len(CORNERS)]
        throw(paths[0], near[0], (look.bin[0] + corner[0], look.bin[1] + corner[1]))
    if hands_over or near:
        return side_by_side(*paths)
    return np.empty((0, 16))


def oracle(problem: Problem) -> Callable[[Episode], Floats]:
    """Return the player that knows where every bottle is."""
    bin_at = place_of_bin(problem.objects)
    names = [one["name"] for one in of_kind(problem.objects, "bottle")]

    def play(episode: Episode) -> Floats:
        robot, sight = episode.robot, Sight(problem.bench, episode.robot.data)
        outside = [sight.place(name) for name in names]
        bottles = [(p[0], p[1]) for p in outside if not _in_bin(p, bin_at)]
        rows = next_rows(Look(bottles, bin_at), robot.targets, robot.grips)
        return rows if len(rows) else both_home(robot.targets, robot.grips)

    return play


def _in_bin(point: Floats, bin_at: Sequence[float]) -> bool:
    return bool(np.abs(point[:2] - bin_at).max() < 0.13 and point[2] < WALL + HEIGHT)
