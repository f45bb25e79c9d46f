"""ThrowBottles' things: bottles, a bin that only the left arm reaches, clutter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rsi_envs.engines.arm.layouts import Draws, Region, scatter
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.rubric import Condition, Rubric
from rsi_envs.engines.arm.shapes import Shape, Thing

BIN = (0.42, 0.64)  # m, where the bin's middle is, but for JITTER
JITTER = 0.02
INNER = (0.13, 0.10)  # m, half of the bin's inner width along x and y
WALL, THICK = 0.15, 0.006  # m, height and half thickness of its walls
RADIUS, BODY, NECK, CAP = 0.022, 0.09, 0.024, 0.013  # m: radius, heights of body and neck, neck's
HEIGHT = BODY + NECK
MASS = 0.12  # kg
GAP = 0.115  # m between middles at the start
LEFT, RIGHT = Region(0.38, 0.58, 0.12, 0.40), Region(0.38, 0.58, -0.42, -0.20)
WORTH = (10.0, 25.0, 40.0)  # of one, two, three bottles: RoboDojo

COLOURS = ((204, 66, 58), (58, 116, 196), (70, 160, 90), (222, 168, 60))
WHITE, GREY, BIN_COLOUR = (244, 244, 240), (112, 112, 112), (74, 84, 104)


class Level(NamedTuple):
    """What a difficulty sets: bottles, how many of them stand on the right, and clutter."""

    bottles: int
    right: int
    clutter: int


LEVELS = {
    1: Level(1, 0, 0),
    2: Level(2, 1, 0),
    3: Level(3, 1, 0),
    4: Level(4, 2, 0),
    5: Level(4, 2, 3),
}


def layout(difficulty: int, seed: int) -> list[dict[str, Any]]:
    """Return the bin, the bottles and the clutter of an instance."""
    level, draws = LEVELS[difficulty], Draws(seed, 0)
    place = [round(at + draws.uniform(-JITTER, JITTER), 4) for at in BIN]
    sides = [RIGHT] * level.right + [LEFT] * (level.bottles - level.right)
    sides += [(LEFT, RIGHT)[k % 2] for k in range(level.clutter)]
    places = scatter(draws, sides, GAP)
    colours = draws.shuffled(COLOURS)
    found: list[dict[str, Any]] = [{"name": "bin", "place": place}]
    for k, at in enumerate(places):
        kind = "bottle" if k < level.bottles else draws.choice(("block", "ball"))
        colour = colours[k] if k < level.bottles else GREY
        found.append({"name": f"{kind}{k + 1}", "place": at, "colour": colour})
    return found


def of_kind(objects: Sequence[Mapping[str, Any]], *kinds: str) -> list[Mapping[str, Any]]:
    """Return the objects of some kinds: bin, bottle, block or ball, as their names begin."""
    return [one for one in objects if one["name"].rstrip("0123456789") in kinds]


def things(objects: Sequence[Mapping[str, Any]]) -> list[Thing]:
    """Return the things of a layout."""
    bottles = [_bottle(one) for one in of_kind(objects, "bottle")]
    blocks = [_clutter(one, "box", (0.022, 0.022, 0.02)) for one in of_kind(objects, "block")]
    balls = [_clutter(one, "sphere", (0.022,)) for one in of_kind(objects, "ball")]
    return [_bin(_the_bin(objects)), *bottles, *blocks, *balls]


def _the_bin(objects: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the bin; a ValueError says if there is not exactly one."""
    (found,) = of_kind(objects, "bin")
    return found


def place_of_bin(objects: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Return where the bin's middle is, (x, y), metres."""
    x, y = _the_bin(objects)["place"]
    return x, y


def _bin(one: Mapping[str, Any]) -> Thing:
    """Return four walls and a floor, fixed to the table."""
    (x, y), half = INNER, WALL / 2
    across = (x + 2 * THICK, THICK, half)
    along = (THICK, y, half)
    shapes = [Shape("box", (x, y, 0.002), (0.0, 0.0, 0.002), colour=BIN_COLOUR)]
    shapes += [
        Shape("box", across, (0.0, s * (y + THICK), half), colour=BIN_COLOUR) for s in (-1, 1)
    ]
    shapes += [
        Shape("box", along, (s * (x + THICK), 0.0, half), colour=BIN_COLOUR) for s in (-1, 1)
    ]
    return Thing(one["name"], tuple(shapes), (*one["place"], 0.0))


def _bottle(one: Mapping[str, Any]) -> Thing:
    """Return a standing bottle, its frame in the middle of its height."""
    body = Shape("cylinder", (RADIUS, BODY / 2), (0.0, 0.0, -NECK / 2), colour=one["colour"])
    neck = Shape("cylinder", (CAP, NECK / 2), (0.0, 0.0, BODY / 2), colour=WHITE)
    return Thing(one["name"], (body, neck), (*one["place"], HEIGHT / 2), mass=MASS)


def _clutter(one: Mapping[str, Any], kind: str, size: tuple[float, ...]) -> Thing:
    shape = Shape(kind, size, colour=one["colour"])
    return Thing(one["name"], (shape,), (*one["place"], size[-1]), mass=0.08)


def rubric(objects: Sequence[Mapping[str, Any]]) -> Rubric:
    """Return RoboDojo's rubric: 10, 25, 40 for the first bottles in the bin, 100 for all."""
    x, y = place_of_bin(objects)
    low = (x - INNER[0], y - INNER[1], 0.0)
    high = (x + INNER[0], y + INNER[1], WALL)
    bottles = [one["name"] for one in of_kind(objects, "bottle")]
    clutter = [one["name"] for one in of_kind(objects, "block", "ball")]

    def done(sight: Sight) -> int:
        return sum(sight.inside(name, low, high) and sight.at_rest(name) for name in bottles)

    count = "the bottle" if len(bottles) == 1 else f"all {len(bottles)} bottles"
    binned = Condition(
        "binned",
        f"put {count} into the bin on the far left, which only the left arm reaches: hand over "
        "what only the right arm reaches",
        lambda sight: done(sight) == len(bottles),
    )
    clean = Condition(
        "clean",
        "put nothing else into the bin",
        lambda sight: not any(sight.inside(name, low, high) for name in clutter),
    )
    return Rubric((binned, clean) if clutter else (binned,), done, WORTH)
