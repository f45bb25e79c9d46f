"""NestingDolls' things: dolls of different sizes on the table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rsi_envs.engines.arm.layouts import Draws, Region, scatter
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.rubric import Condition, Rubric
from rsi_envs.engines.arm.shapes import Shape, Thing

SPREAD = 0.035  # m that the row of dolls is wide at most
BESIDE = 0.03  # m that a doll is to the right of the one before it at least
TILT = 15.0  # degrees that an upright doll leans at most
LARGEST = 0.026  # m, radius
SLIMNESS = (2.6, 3.4)  # height by radius
GAP = 0.115  # m between dolls at the start, so that a hand fits between them
HEAD = 0.72  # of the body's radius


class Level(NamedTuple):
    """What a difficulty sets: dolls, the ratio of neighbouring sizes, and free heights."""

    dolls: int
    ratio: float
    free: bool


LEVELS = {
    1: Level(3, 1.3, False),
    2: Level(4, 1.22, False),
    3: Level(4, 1.18, True),
    4: Level(5, 1.15, True),
    5: Level(5, 1.1, True),
}
COLOURS = (
    (204, 66, 58), (58, 116, 196), (70, 160, 90), (222, 168, 60), (150, 88, 176),
)  # fmt: skip


def layout(difficulty: int, seed: int) -> list[dict[str, Any]]:
    """Return the dolls of an instance, from the smallest to the largest."""
    level = LEVELS[difficulty]
    for attempt in itertools.count():
        dolls = _draw(level, Draws(seed, attempt))
        # A row that is there by chance would be worth something before anything was done.
        places = {doll["name"]: doll["place"] for doll in dolls}
        if longest_row([places[doll["name"]] for doll in dolls], [True] * level.dolls) < 2:
            return dolls
    raise AssertionError  # not reached


def _draw(level: Level, draws: Draws) -> list[dict[str, Any]]:
    regions = [Region(0.40, 0.62, -0.34, 0.34)] * level.dolls
    places = scatter(draws, regions, GAP)
    colours = draws.shuffled(COLOURS)
    radii = [round(LARGEST / level.ratio**k, 4) for k in range(level.dolls)][::-1]
    dolls = []
    for index, (radius, place) in enumerate(zip(radii, places)):
        slim = draws.uniform(*SLIMNESS) if level.free else SLIMNESS[0]
        dolls.append(
            {
                "name": f"doll{index + 1}",
                "radius": radius,
                "height": round(slim * radius, 4),
                "place": place,
                "colour": colours[index],
            }
        )
    return dolls


def things(objects: Sequence[Mapping[str, Any]]) -> list[Thing]:
    """Return the dolls as things: a cylinder with a smaller head of its own height above it."""
    return [_doll(one) for one in objects]


def _doll(one: Mapping[str, Any]) -> Thing:
    radius, half = one["radius"], one["height"] / 2
    neck = 0.35 * half
    head = tuple(min(255.0, 0.5 * c + 118.0) for c in one["colour"])
    shapes = (
        Shape("cylinder", (radius, half - neck / 2), (0.0, 0.0, -neck / 2), colour=one["colour"]),
        Shape("cylinder", (HEAD * radius, neck / 2), (0.0, 0.0, half - neck / 2), colour=head),
    )
    mass = round(900.0 * math.pi * radius**2 * 2 * half, 4)
    return Thing(one["name"], shapes, (*one["place"], half), mass=mass)


def longest_row(places: Sequence[Any], standing: Sequence[bool]) -> int:
    """Return how many dolls of neighbouring sizes stand in a row in their order, at most all.

    Args:
        places: (x, y, ...) of the dolls from the smallest to the largest.
        standing: whether each is upright and at rest.
    """
    best = 0
    for start in range(len(places)):
        for end in range(start + 1, len(places) + 1):
            row = places[start:end]
            if all(standing[start:end]) and _row(row):
                best = max(best, end - start)
    return best


def _row(row: Sequence[Any]) -> bool:
    narrow = max(p[0] for p in row) - min(p[0] for p in row) <= SPREAD
    return narrow and all(a[1] - b[1] >= BESIDE for a, b in itertools.pairwise(row))


def rubric(objects: Sequence[Mapping[str, Any]]) -> Rubric:
    """Return the rubric: all dolls upright in one row by size; part of the row is worth part.

    RoboDojo's own rubric gives 0 or 100; the parts are [ours]: 80 * (k - 1) / (n - 1) for the
    longest stretch of k dolls of neighbouring sizes.
    """
    names = [one["name"] for one in objects]
    count = len(names)

    def standing(sight: Sight) -> list[bool]:
        return [sight.upright(name, TILT) and sight.at_rest(name) for name in names]

    def done(sight: Sight) -> int:
        return max(0, longest_row([sight.place(n) for n in names], standing(sight)) - 1)

    in_row = Condition(
        "row",
        f"line up all {count} dolls by size in one row, the smallest on the left as seen from the "
        f"arms and the largest on the right, each at least {BESIDE * 100:.0f} cm further right "
        f"than the last (centre to centre) and all within {SPREAD * 1000:.0f} mm of one line",
        lambda sight: _row([sight.place(name) for name in names]),
    )
    upright = Condition(
        "upright",
        "leave every doll standing upright on the table",
        lambda sight: all(standing(sight)),
    )
    worth = [round(80.0 * k / (count - 1), 4) for k in range(1, count)]
    return Rubric((in_row, upright), done, worth)
