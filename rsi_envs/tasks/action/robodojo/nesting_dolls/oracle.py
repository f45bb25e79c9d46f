"""NestingDolls' oracle: knows where every doll is and brings one after the other into the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.tasks.action.robodojo.episode import Episode, Problem
from rsi_envs.tasks.action.robodojo.skills import alone, nearest_arm, pick, place, retire, waiting

ROW = 0.33  # m, x of the row: nearer to the arms than any doll at the start
STEP = 0.11  # m between the dolls of the row
GRIP = 0.45  # of a doll's height at which it is gripped
LOW = 0.016  # m, the lowest grip
CLEAR = 0.003  # m above the table at which a doll is let go
REACHED = 0.012  # m within which a doll counts as in its place


def slots(count: int) -> list[tuple[float, float]]:
    """Return the places of the row, from left to right."""
    return [(ROW, STEP * ((count - 1) / 2 - k)) for k in range(count)]


def carry(
    targets: NDArray[Any],
    grips: NDArray[Any],
    start: Sequence[float],
    goal: Sequence[float],
    grip: float,
    arm: int | None = None,
) -> NDArray[np.float64]:
    """Return rows that bring an upright thing, gripped at a height, to another place and retire."""
    chosen = nearest_arm(start) if arm is None else arm
    paths = waiting(targets, grips)
    path = pick(paths[chosen], (*start[:2], grip), 0.0)
    place(path, (*goal[:2], grip + CLEAR), 0.0)
    return alone(chosen, retire(path, chosen), paths[1 - chosen])


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
        paths = waiting(robot.targets, robot.grips)
        return alone(0, retire(paths[0], 0).hold(10), retire(paths[1], 1))

    return play
