"""ThrowBottles' things: standing bottles, a bin at the far left, and what is no bottle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rsi_envs.engines.arm.layouts import Draws, Region, scatter
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.rubric import Condition, Rubric
from rsi_envs.engines.arm.shapes import Shape, Thing

BOTTLE = 0.022  # m, radius
HEIGHTS = (0.110, 0.120)  # m, of bottles with their caps
CAP = (0.012, 0.025)  # m, radius and height
FOOT = 0.02  # m that the heavier foot of a bottle is high
MASS = 0.15  # kg
WORTH = (10.0, 25.0, 40.0)  # of 1, 2, 3 bottles in the bin, RoboDojo

INSIDE = (0.13, 0.11, 0.15)  # m, half the bin's inner width along x and y, and its depth
WALL = 0.008  # m thick
BIN = Region(0.40, 0.44, 0.60, 0.64)  # where the bin's middle is: no reach of the right arm

ZONE = (0.48, -0.04)  # a free place in the middle that both arms reach
LEFT = Region(0.36, 0.62, 0.06, 0.34)
RIGHT = Region(0.50, 0.66, -0.48, -0.30)  # farther from the left arm than it reaches
ANYWHERE = Region(0.36, 0.66, -0.40, 0.34)

COLOURS = ((214, 48, 42), (40, 92, 214), (232, 132, 26), (146, 54, 176), (24, 152, 168))
WHITE = (248, 248, 244)  # caps; nothing else on the table is as light
GREEN = (52, 104, 62)  # the bin
OTHERS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("box", (0.022, 0.022, 0.022)),
    ("sphere", (0.024,)),
    ("cylinder", (0.024, 0.014)),
    ("box", (0.036, 0.016, 0.016)),
)  # what is no bottle: shapes and sizes


class Level(NamedTuple):
    """What a difficulty sets.

    Attributes:
        left, right: how many bottles stand where the left arm reaches, and beyond its reach.
        others: how many other things lie about.
        gap: metres between any two things, centre to centre, at least.
    """

    left: int
    right: int
    others: int
    gap: float


LEVELS = {
    1: Level(1, 0, 0, 0.14),
    2: Level(2, 0, 0, 0.14),
    3: Level(2, 1, 0, 0.13),
    4: Level(2, 2, 0, 0.12),
    5: Level(2, 2, 3, 0.11),
}


def layout(difficulty: int, seed: int) -> list[dict[str, Any]]:
    """Return the objects of an instance: the bin, the bottles and the other things."""
    level, draws = LEVELS[difficulty], Draws(seed, 0)
    middle = scatter(draws, [BIN], 0.0)[0]
    regions = [*[LEFT] * level.left, *[RIGHT] * level.right, *[ANYWHERE] * level.others]
    places = scatter(draws, regions, level.gap, [ZONE])
    colours, shapes = draws.shuffled(COLOURS), draws.shuffled(OTHERS)
    bottles = [
        {
            "name": f"bottle{k + 1}",
            "kind": "flask",
            "place": places[k],
            "height": draws.uniform(*HEIGHTS),
            "colour": colours[k],
        }
        for k in range(level.left + level.right)
    ]
    others = [
        {
            "name": f"other{k + 1}",
            "kind": shapes[k][0],
            "place": places[len(bottles) + k],
            "size": shapes[k][1],
            "colour": draws.choice(COLOURS),
        }
        for k in range(level.others)
    ]
    return [{"name": "bin", "kind": "bin", "place": middle}, *bottles, *others]


def things(objects: Sequence[Mapping[str, Any]]) -> list[Thing]:
    """Return the objects as things."""
    makers = {"bin": _bin, "flask": _bottle}
    return [makers.get(one["kind"], _other)(one) for one in objects]


def _bin(one: Mapping[str, Any]) -> Thing:
    """Return four walls and a floor; its origin is the middle of its floor on the table."""
    x, y, deep = INSIDE
    walls = [
        Shape(
            "box",
            (x + WALL, WALL / 2, deep / 2),
            (0.0, side * (y + WALL / 2), deep / 2),
            colour=GREEN,
        )
        for side in (-1, 1)
    ]
    walls += [
        Shape("box", (WALL / 2, y, deep / 2), (side * (x + WALL / 2), 0.0, deep / 2), colour=GREEN)
        for side in (-1, 1)
    ]
    floor = Shape("box", (x, y, WALL / 4), (0.0, 0.0, WALL / 4), colour=GREEN)
    return Thing(one["name"], (floor, *walls), (*one["place"], 0.0))


def _bottle(one: Mapping[str, Any]) -> Thing:
    """Return a foot, a body and a cap above each other; its origin is the middle of its height.

    A capsule inside the body meets the floor along the same line when a bottle lies: capsules
    have friction against rolling, cylinders have none and would roll on and on.
    """
    half, colour = one["height"] / 2, one["colour"]
    dark = tuple(0.7 * c for c in colour)
    radius, high = CAP
    body = 2 * half - FOOT - high
    core = (BOTTLE, (FOOT + body) / 2 - BOTTLE)
    shapes = (
        Shape("cylinder", (BOTTLE, FOOT / 2), (0.0, 0.0, FOOT / 2 - half), colour=dark),
        Shape("cylinder", (BOTTLE, body / 2), (0.0, 0.0, FOOT + body / 2 - half), colour=colour),
        Shape("capsule", core, (0.0, 0.0, -high / 2), colour=colour),
        Shape("cylinder", (radius, high / 2), (0.0, 0.0, half - high / 2), colour=WHITE),
    )
    return Thing(one["name"], shapes, (*one["place"], half), mass=MASS)


def _other(one: Mapping[str, Any]) -> Thing:
    size = one["size"]
    shape = Shape(one["kind"], tuple(size), colour=one["colour"])
    return Thing(one["name"], (shape,), (*one["place"], size[-1]), mass=MASS)


def middle_of_bin(objects: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Return the middle (x, y) of the bin; a ValueError where there is not one bin."""
    bins = [one["place"] for one in objects if one["kind"] == "bin"]
    if len(bins) != 1:
        raise ValueError(f"a layout of ThrowBottles needs one bin, not {len(bins)}")
    x, y = bins[0]
    return x, y


def rubric(objects: Sequence[Mapping[str, Any]]) -> Rubric:
    """Return the rubric: every bottle in the bin, nothing else in it.

    Raises:
        ValueError: there is no bottle, or not one bin.
    """
    middle = middle_of_bin(objects)
    bottles = [one["name"] for one in objects if one["kind"] == "flask"]
    if not bottles:
        raise ValueError("a layout of ThrowBottles needs at least one bottle")
    others = [one["name"] for one in objects if one["kind"] not in ("bin", "flask")]
    low = (middle[0] - INSIDE[0], middle[1] - INSIDE[1], 0.0)
    high = (middle[0] + INSIDE[0], middle[1] + INSIDE[1], INSIDE[2])

    def done(sight: Sight) -> int:
        return sum(sight.inside(name, low, high) and sight.at_rest(name) for name in bottles)

    filled = Condition(
        "filled",
        f"put {'the bottle' if len(bottles) == 1 else f'all {len(bottles)} bottles'} into the bin "
        "on the left and let go, so that each rests with its middle inside; the right arm cannot "
        "reach the bin",
        lambda sight: done(sight) == len(bottles),
    )
    clean = Condition(
        "clean",
        "keep everything that is no bottle out of the bin",
        lambda sight: not any(sight.inside(name, low, high) for name in others),
    )
    worth = WORTH[: max(1, len(bottles) - 1)]
    return Rubric((filled, clean) if others else (filled,), done, worth)
