"""LargestNumber's oracle: knows every tile and lays one after the other on its mat."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.tasks.action.robodojo.episode import Episode, Problem
from rsi_envs.tasks.action.robodojo.largest_number.layout import UPRIGHT, in_order, mats, read_yaw
from rsi_envs.tasks.action.robodojo.skills import both_home, carry, nearest_arm, turns

Floats = NDArray[np.float64]

GRIP = 0.015  # m, the height at which a tile is gripped
PLACED, STRAIGHT = 0.012, math.radians(25)  # m and rad within which a tile is left alone


class Tile(NamedTuple):
    """A tile with a digit as it lies: (x, y) in metres and its `read_yaw` in rad."""

    place: tuple[float, float]
    yaw: float


def next_rows(tiles: Sequence[Tile], targets: Floats, grips: Floats) -> Floats:
    """Return the rows that lay the next tile on its mat; `tiles` in the largest number's order."""
    for tile, goal in zip(tiles, mats(len(tiles))):
        off = (tile.yaw - UPRIGHT + math.pi) % (2 * math.pi) - math.pi
        if math.dist(tile.place, goal) > PLACED or abs(off) > STRAIGHT:
            yaws = turns(nearest_arm(tile.place), tile.yaw, UPRIGHT, math.pi / 2)
            return carry(targets, grips, tile.place, goal, GRIP, yaws)
    return both_home(targets, grips)


def oracle(problem: Problem) -> Callable[[Episode], Floats]:
    """Return the player that knows where every tile is."""
    digits = in_order(problem.objects)

    def play(episode: Episode) -> Floats:
        sight, robot = Sight(problem.bench, episode.robot.data), episode.robot
        tiles = [_tile(sight, one["name"], one["mark"]) for one in digits]
        return next_rows(tiles, robot.targets, robot.grips)

    return play


def _tile(sight: Sight, name: str, mark: str) -> Tile:
    x, y, _ = sight.place(name)
    return Tile((x, y), read_yaw(mark, sight.yaw(name)))
