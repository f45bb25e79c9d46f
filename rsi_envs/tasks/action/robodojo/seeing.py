"""What players from pictures share: blobs on the table, and a player that looks, plans and acts.

Nothing here sees more than an observation holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.results import Observation
from rsi_envs.engines.arm.pinhole import on_plane
from rsi_envs.tasks.action.robodojo import actions

Floats = NDArray[np.float64]

WORKSPACE = (0.27, 0.72, -0.5, 0.5)  # m, x and y from and to, in which things are looked for
DIFFERENT = 40.0  # grey levels, summed over the colours, by which a thing differs from the table
SMALLEST = 12  # pixels of a thing
STILL = 5  # rows that a player waits when its plan is empty


class Blob(NamedTuple):
    """A connected patch that is not table.

    Attributes:
        pixels: (n, 2), column and row of the middles of its pixels.
        colours: (n, 3), 0 to 255.
    """

    pixels: Floats
    colours: Floats

    def middle(self) -> Floats:
        """Return the mean pixel, (2,)."""
        middle: Floats = self.pixels.mean(axis=0)
        return middle


def head(observation: Observation) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """Return the head camera's picture, intrinsics (3, 3) and pose (4, 4)."""
    k, pose = observation["intrinsics"][0], observation["poses"][0]
    return observation["head"], k.astype(np.float64), pose.astype(np.float64)


def table_points(picture: NDArray[Any], k: Floats, pose: Floats, height: float = 0.0) -> Floats:
    """Return for every pixel the point (x, y) at a height that it shows, (h, w, 2)."""
    rows, columns = np.indices(picture.shape[:2])
    pixels = np.stack([columns + 0.5, rows + 0.5], axis=-1)
    return on_plane(k, pose, pixels, height)[..., :2]


def in_workspace(points: Floats, workspace: tuple[float, ...] = WORKSPACE) -> NDArray[np.bool_]:
    """Return which points (..., 2) are in the workspace."""
    x, y = points[..., 0], points[..., 1]
    x0, x1, y0, y1 = workspace
    inside: NDArray[np.bool_] = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    return inside


def blobs(
    picture: NDArray[np.uint8],
    k: Floats,
    pose: Floats,
    workspace: tuple[float, ...] = WORKSPACE,
) -> list[Blob]:
    """Return the patches in the workspace that differ from the table, by size, largest first.

    The table's colour is the median of the workspace, which must show mostly table.
    """
    inside = in_workspace(table_points(picture, k, pose), workspace)
    table = np.median(picture[inside], axis=0)
    off = np.abs(picture.astype(np.float64) - table).sum(axis=2)
    mask = (inside & (off > DIFFERENT)).astype(np.uint8)
    count, labels = cv2.connectedComponents(mask, connectivity=4)
    found = []
    for label in range(1, count):
        rows, columns = np.nonzero(labels == label)
        if len(rows) >= SMALLEST:
            pixels = np.stack([columns + 0.5, rows + 0.5], axis=1)
            found.append(Blob(pixels, picture[rows, columns].astype(np.float64)))
    return sorted(found, key=lambda blob: -len(blob.pixels))


class Player:
    """Looks while both arms wait, plans rows, plays them out, then looks again.

    It remembers its plan and starts anew with every episode: one player plays one environment.

    Args:
        plan: ``plan(observation) -> rows (n, 16)``, poses; none where there is nothing to do.
        length: rows of an action.
    """

    def __init__(self, plan: Callable[[Observation], Floats], length: int) -> None:
        self.plan, self.length = plan, length
        self._rows: Floats = np.empty((0, 16))

    def __call__(self, observation: Observation, rng: random.Random) -> NDArray[np.float32]:
        if observation["clock"][0] == 0:
            self._rows = np.empty((0, 16))
        if not len(self._rows):
            self._rows = self.plan(observation)
        if not len(self._rows):
            self._rows = np.tile(told(observation), (STILL, 1))
        now, self._rows = self._rows[: self.length], self._rows[self.length :]
        return actions.chunk(now, self.length)


def told(observation: Observation) -> Floats:
    """Return the row (16,) that keeps both arms where they were told to be."""
    row = np.hstack([observation["targets"], observation["grips"][:, None]])
    return row.ravel().astype(np.float64)


def still(length: int) -> Player:
    """Return a player that never moves."""
    return Player(lambda observation: np.empty((0, 16)), length)
