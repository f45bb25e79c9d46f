"""LargestNumber's things: tiles with digits or letters, and mats in a row."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rsi_envs.engines.arm.layouts import Draws, Region, scatter
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.rubric import Condition, Rubric
from rsi_envs.engines.arm.shapes import Shape, Thing

HALF, THICK = 0.03, 0.012  # m, half a tile's side and half its thickness
MASS = 0.05  # kg
MAT, MAT_THICK = 0.035, 0.0005  # m, half a mat's side and half its thickness
ROW, STEP = 0.36, 0.115  # m, x of the mats and the distance between them
TOLERANCE, TURN, TILT = 0.02, 45.0, 15.0  # m and degrees that a tile may be off
OFF = 0.05  # m from every mat that a letter has to be
UPRIGHT = -math.pi / 2  # yaw of a tile whose digit is upright as seen from the arms
SCATTER = Region(0.47, 0.63, -0.34, 0.34)
GAP = 0.108  # m between the middles of tiles at the start
LEAN = math.radians(20)  # of the yaws where they are not free
SYMMETRIC = "08"  # digits that look the same upside down
LETTERS = "AEFHKLPRTX"
WORTH = {3: (5.0, 20.0), 4: (5.0, 15.0, 30.0), 5: (5.0, 15.0, 25.0, 40.0)}

TILE, MAT_COLOUR = (246, 243, 232), (92, 112, 146)


class Level(NamedTuple):
    """What a difficulty sets: digits, letters beside them, free yaws with 6 and 9 together."""

    digits: int
    letters: int
    free: bool


LEVELS = {
    1: Level(3, 0, False),
    2: Level(4, 0, False),
    3: Level(4, 1, False),
    4: Level(5, 0, True),
    5: Level(5, 2, True),
}


def layout(difficulty: int, seed: int) -> list[dict[str, Any]]:
    """Return the tiles of an instance; their names say nothing about what is on them."""
    level = LEVELS[difficulty]
    for attempt in itertools.count():
        draws = Draws(seed, attempt)
        try:
            places = scatter(draws, [SCATTER] * (level.digits + level.letters), GAP)
        except ValueError:  # this attempt has no room for the last tile
            continue
        break
    marks = draws.shuffled([*_digits(draws, level), *_some(draws, LETTERS, level.letters)])
    end = math.pi if level.free else LEAN
    return [
        {
            "name": f"tile{k + 1}",
            "mark": mark,
            "place": place,
            "yaw": round(UPRIGHT + draws.uniform(-end, end), 4),
        }
        for k, (mark, place) in enumerate(zip(marks, places))
    ]


def _some(draws: Draws, values: Sequence[str], count: int) -> list[str]:
    return draws.shuffled(values)[:count]


def _digits(draws: Draws, level: Level) -> list[str]:
    """Return different digits; 6 and 9 together only where yaws are free, and there always."""
    rest = "01234578"
    if level.free:
        return ["6", "9", *_some(draws, rest, level.digits - 2)]
    return _some(draws, rest + draws.choice("69"), level.digits)


def read_yaw(mark: str, yaw: float) -> float:
    """Return the yaw at which a digit is read: of 0 and 8 the one nearer to upright."""
    off = (yaw - UPRIGHT + math.pi) % (2 * math.pi) - math.pi
    return yaw + math.pi if mark in SYMMETRIC and abs(off) > math.pi / 2 else yaw


def mats(count: int) -> list[tuple[float, float]]:
    """Return the middles of the mats, (x, y), from left to right."""
    return [(ROW, round(STEP * ((count - 1) / 2 - k), 4)) for k in range(count)]


def in_order(objects: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the tiles with digits in the order of the largest number."""
    digits = [one for one in objects if one["mark"].isdigit()]
    return sorted(digits, key=lambda one: -int(one["mark"]))


def things(objects: Sequence[Mapping[str, Any]]) -> list[Thing]:
    """Return tiles and mats as things."""
    tiles = [_tile(one) for one in objects]
    count = len(in_order(objects))
    return tiles + [_mat(k, place) for k, place in enumerate(mats(count))]


def _tile(one: Mapping[str, Any]) -> Thing:
    shape = Shape("box", (HALF, HALF, THICK), colour=TILE, texture=one["mark"])
    turn = (math.cos(one["yaw"] / 2), 0.0, 0.0, math.sin(one["yaw"] / 2))
    return Thing(one["name"], (shape,), (*one["place"], THICK), turn, MASS)


def _mat(number: int, place: Sequence[float]) -> Thing:
    shape = Shape("box", (MAT, MAT, MAT_THICK), colour=MAT_COLOUR)
    return Thing(f"mat{number + 1}", (shape,), (*place, MAT_THICK))


def rubric(objects: Sequence[Mapping[str, Any]]) -> Rubric:
    """Return RoboDojo's rubric: so much for 1, 2, ... digits on their mats, 100 for all."""
    digits = [(one["name"], one["mark"]) for one in in_order(objects)]
    letters = [one["name"] for one in objects if not one["mark"].isdigit()]
    goals = mats(len(digits))

    def placed(sight: Sight, name: str, mark: str, goal: Sequence[float]) -> bool:
        off = (read_yaw(mark, sight.yaw(name)) - UPRIGHT + math.pi) % (2 * math.pi) - math.pi
        lies = sight.near(name, goal, TOLERANCE) and abs(off) <= math.radians(TURN)
        return lies and sight.upright(name, TILT) and sight.at_rest(name)

    def done(sight: Sight) -> int:
        return sum(placed(sight, *digit, goal) for digit, goal in zip(digits, goals))

    number = Condition(
        "number",
        f"put the {len(digits)} digit tiles on the {len(digits)} mats, one on the middle of each, "
        "so that they read the largest number from left to right, upright as seen from the arms "
        "(6 and 9 are underlined)",
        lambda sight: done(sight) == len(digits),
    )
    clean = Condition(
        "clean",
        "leave tiles with letters off the mats",
        lambda sight: not any(sight.near(n, goal, OFF) for n in letters for goal in goals),
    )
    conditions = (number, clean) if letters else (number,)
    return Rubric(conditions, done, WORTH[len(digits)])
