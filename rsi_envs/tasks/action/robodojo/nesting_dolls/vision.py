"""NestingDolls' player from pictures: measures the dolls from above and carries them.

It sees what any agent sees; that dolls are cylinders with a lighter head is all it knows of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.results import Observation
from rsi_envs.engines.arm.pinhole import on_plane
from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import HEAD, SLIMNESS
from rsi_envs.tasks.action.robodojo.nesting_dolls.oracle import GRIP, LOW, slots
from rsi_envs.tasks.action.robodojo.seeing import Blob, blobs, head
from rsi_envs.tasks.action.robodojo.skills import carry

Floats = NDArray[np.float64]

SLIM = sum(SLIMNESS) / 2  # height by radius that is guessed
PLACED = 0.02  # m from its place within which a doll is left alone
GUESSES = 3  # rounds of radius and height, which depend on each other
FEWEST = 6  # pixels of a head


class Doll(NamedTuple):
    """A doll as seen: its place (x, y) on the table and its radius, metres."""

    place: tuple[float, float]
    radius: float


def see(observation: Observation) -> list[Doll]:
    """Return the dolls that the head camera sees, from the smallest to the largest."""
    picture, k, pose = head(observation)
    found = [_measure(blob, k, pose) for blob in blobs(picture, k, pose)]
    return sorted((doll for doll in found if doll is not None), key=lambda doll: doll.radius)


def _measure(blob: Blob, k: Floats, pose: Floats) -> Doll | None:
    """Measure a doll by its head: the lighter pixels, a disc at the doll's full height."""
    light = blob.colours.min(axis=1)
    top = blob.pixels[light > (light.min() + light.max()) / 2]
    if len(top) < FEWEST:
        return None
    radius = 0.02
    for _ in range(GUESSES):
        scale = (pose[2, 3] - SLIM * radius) / k[0, 0]  # metres a pixel, at that height
        radius = math.sqrt(len(top) / math.pi) * scale / HEAD
    x, y, _ = on_plane(k, pose, top.mean(axis=0), SLIM * radius)
    return Doll((float(x), float(y)), radius)


def plan(observation: Observation) -> Floats:
    """Return rows that bring the first doll that is not in its place there."""
    dolls = see(observation)
    for doll, goal in zip(dolls, slots(len(dolls))):
        if math.dist(doll.place, goal) > PLACED:
            grip = max(GRIP * SLIM * doll.radius, LOW)
            targets = observation["targets"].astype(np.float64)
            return carry(targets, observation["grips"], doll.place, goal, grip)
    return np.empty((0, 16))
