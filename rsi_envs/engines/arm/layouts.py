"""Drawing layouts: places, turns, colours and looks, each a function of seed and stream only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from rsi_envs.core.kernels import below

T = TypeVar("T")

TRIES = 4_000
FINE = 10_000  # steps of a metre or radian that draws are rounded to
TABLES = (
    (176, 158, 134), (120, 96, 78), (200, 196, 188), (96, 108, 120), (150, 170, 150),
)  # fmt: skip
TEXTURES = ("checker", "stripes", "wood")
JITTER, TWIST = 0.02, 2.0  # m and degrees that the head camera is off in randomised looks


class Draws:
    """A stream of draws; the same seed and stream give the same ones on every machine."""

    def __init__(self, seed: int, stream: int) -> None:
        self.seed, self.stream, self.count = seed, stream, 0

    def below(self, end: int) -> int:
        """Return an integer in [0, end)."""
        self.count += 1
        return int(below(self.seed, self.stream, self.count, end))

    def uniform(self, low: float, high: float) -> float:
        """Return a number in [low, high] in steps of 0.0001; ValueError where high < low."""
        first, last = round(low * FINE), round(high * FINE)
        if last < first:
            raise ValueError(f"nothing lies between {low!r} and {high!r}: low must not exceed high")
        return (first + self.below(last - first + 1)) / FINE

    def choice(self, values: Sequence[T]) -> T:
        """Return one of some values."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in a random order."""
        rest = list(values)
        return [rest.pop(self.below(len(rest))) for _ in range(len(rest))]


class Region(NamedTuple):
    """A rectangle of the table, metres."""

    x0: float
    x1: float
    y0: float
    y1: float


def scatter(
    draws: Draws, regions: Sequence[Region], gap: float, taken: Sequence[Sequence[float]] = ()
) -> list[tuple[float, float]]:
    """Return one place in each region, all at least `gap` metres from each other and from `taken`.

    Places are drawn one after the other and drawn anew where they are too close, so that a seed
    has one layout.

    Raises:
        ValueError: no place was found for a region in 4,000 tries.
    """
    found: list[tuple[float, float]] = []
    for number, region in enumerate(regions):
        for _ in range(TRIES):
            x, y = draws.uniform(region.x0, region.x1), draws.uniform(region.y0, region.y1)
            if all(math.dist((x, y), other[:2]) >= gap for other in (*taken, *found)):
                found.append((x, y))
                break
        else:
            raise ValueError(f"no place for thing {number} in {region} with a gap of {gap} m")
    return found


def standard_look() -> dict[str, Any]:
    """Return the look of standard layouts, as plain JSON for `Look.from_data`."""
    return {}


def randomised_look(seed: int) -> dict[str, Any]:
    """Return a look with another table, light and head camera, as plain JSON.

    The camera is off by at most 2 cm along each axis and 2 degrees about it (papers/002 A.1's
    randomised variants; the sizes are [ours]).
    """
    draws = Draws(seed, 900)
    angle, height = draws.uniform(0, 2 * math.pi), draws.uniform(0.5, 1.0)
    return {
        "table": draws.choice(TABLES),
        "table_texture": draws.choice((None, *TEXTURES)),
        "light": (
            round(0.6 * math.cos(angle), 4), round(0.6 * math.sin(angle), 4), round(height, 4)
        ),
        "camera": (
            *(draws.uniform(-JITTER, JITTER) for _ in range(3)),
            *(draws.uniform(-TWIST, TWIST) for _ in range(3)),
        ),
    }  # fmt: skip
