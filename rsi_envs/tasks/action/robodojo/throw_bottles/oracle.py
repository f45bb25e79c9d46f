"""ThrowBottles' oracle: the left arm throws while the right one brings what is out of its reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.paths import side_by_side
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
from rsi_envs.tasks.action.robodojo.throw_bottles.layout import INSIDE, RIGHT, ZONE, middle_of_bin

Floats = NDArray[np.float64]

BELOW = 0.037  # m below its top where a bottle is gripped: the hand just clears the cap
CARRY = 0.26  # m, the height at which hands travel: a bottle in them clears the bin and others
RELEASE = INSIDE[2] + 0.01  # m, the height of the fingers' middle over the bin
SPOTS = ((0.05, 0.04), (-0.06, -0.04), (0.06, -0.04), (-0.05, 0.04))  # m from the bin's middle
TOO_FAR = RIGHT.y1 + 0.05  # m, y of bottles that the right arm has to bring


def next_rows(
    targets: Floats, grips: Floats, bottles: Sequence[Sequence[float]], middle: Sequence[float]
) -> Floats:
    """Return rows that bring one bottle, or one with each arm, on its way; both arms retire.

    The left arm first clears the middle, into which the right one then brings the next bottle.

    Args:
        targets, grips: what both arms were told last, (2, 7) and (2,).
        bottles: x, y and height of those outside the bin, at least one.
        middle: x and y of the bin's.
    """
    left, right = waiting(targets, grips)
    gone = 0  # rows after which the left hand has left the middle
    near = [bottle for bottle in bottles if bottle[1] >= TOO_FAR]
    far = [bottle for bottle in bottles if bottle[1] < TOO_FAR]
    if near:
        spot = SPOTS[len(bottles) % len(SPOTS)]
        goal = (middle[0] + spot[0], middle[1] + spot[1])
        x, y, height = min(near, key=lambda bottle: bottle[1])
        pick(left, (x, y, height - BELOW), 0.0, CARRY)
        gone = len(left.to((*goal, CARRY)))
        left.to((*goal, RELEASE)).open().to((*goal, CARRY))
    if far:
        x, y, height = far[0]
        pick(right, (x, y, height - BELOW), 0.0, CARRY)
        right.hold(gone - len(right))
        place(right, (*ZONE, height - BELOW + CLEAR), 0.0, CARRY)
    return side_by_side(retire(left, 0), retire(right, 1))


def oracle(problem: Problem) -> Callable[[Episode], Floats]:
    """Return the player: the next rows for the bottles that are outside the bin, then a pause."""
    middle = middle_of_bin(problem.objects)
    heights = {one["name"]: one["height"] for one in problem.objects if one["kind"] == "flask"}

    def play(episode: Episode) -> Floats:
        sight, robot = Sight(problem.bench, episode.robot.data), episode.robot
        places = {name: sight.place(name) for name in heights}
        bottles = [
            (x, y, heights[name])
            for name, (x, y, _) in places.items()
            if abs(y - middle[1]) > INSIDE[1]
        ]
        if bottles:
            return next_rows(robot.targets, robot.grips, bottles, middle)
        return both_home(robot.targets, robot.grips)

    return play
