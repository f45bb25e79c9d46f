"""NestingDolls' oracle: knows where every doll is and brings one after the other into the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.tasks.action.robodojo.episode import Episode, Problem
from rsi_envs.tasks.action.robodojo.skills import both_home, carry

ROW = 0.33  # m, x of the row: nearer to the arms than any doll at the start
STEP = 0.11  # m between the dolls of the row
GRIP = 0.45  # of a doll's height at which it is gripped
LOW = 0.016  # m, the lowest grip
REACHED = 0.012  # m within which a doll counts as in its place


def slots(count: int) -> list[tuple[float, float]]:
    """Return the places of the row, from left to right."""
    return [(ROW, STEP * ((count - 1) / 2 - k)) for k in range(count)]


def oracle(
    problem: Problem, objects: Sequence[Mapping[str, Any]]
) -> Callable[[Episode], NDArray[np.float64]]:
    """Return the player: the rows that bring the next doll into its place, then a pause."""
    goals = slots(len(objects))

    def play(episode: Episode) -> NDArray[np.float64]:
        sight, robot = Sight(problem.bench, episode.robot.data), episode.robot
        for one, goal in zip(objects, goals):
            if not sight.near(one["name"], goal, REACHED):
                at, grip = sight.place(one["name"]), max(GRIP * one["height"], LOW)
                return carry(robot.targets, robot.grips, at, goal, grip)
        return both_home(robot.targets, robot.grips)

    return play
