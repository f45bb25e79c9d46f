"""LargestNumber's player from pictures: finds tiles from above and reads what is on them."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.results import Observation
from rsi_envs.engines.arm.pinhole import on_plane, project
from rsi_envs.engines.arm.textures import texture
from rsi_envs.tasks.action.robodojo.largest_number.layout import HALF, THICK, read_yaw
from rsi_envs.tasks.action.robodojo.largest_number.oracle import Tile, next_rows
from rsi_envs.tasks.action.robodojo.seeing import head, in_workspace, table_points

Floats = NDArray[np.float64]

TOP = 2 * THICK  # m, the height of a tile's top
# Tiles are the lightest things about, whatever the lamp: all their colours reach this share of the
# level that so many percent of the workspace stay below.
LIGHT, BELOW = 0.88, 99.5
SIDES = (1.4 * HALF, 2.8 * HALF)  # m, of a tile as seen: less or more is something else
MARKS = "0123456789AEFHKLPRTX"
GRID = 12  # samples along each side of a tile
TABLE = (0.28, 0.72, -0.45, 0.45)  # m, where tiles are looked for


class Read(NamedTuple):
    """A tile as read: what is on it, and how it lies."""

    mark: str
    tile: Tile


def see(observation: Observation) -> list[Read]:
    """Return the tiles that the head camera sees, with digits or letters."""
    picture, k, pose = head(observation)
    inside = in_workspace(table_points(picture, k, pose), TABLE)
    levels = picture.min(axis=2)
    lightest = np.percentile(levels[inside], BELOW)
    light = ((levels >= LIGHT * lightest) & inside).astype(np.uint8)
    # Ink near a tile's edge may cut it in two.
    light = cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(light, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [_read(outline, picture, k, pose) for outline in outlines]
    return [one for one in found if one is not None]


def _read(
    outline: NDArray[Any], picture: NDArray[np.uint8], k: Floats, pose: Floats
) -> Read | None:
    corners = cv2.boxPoints(cv2.minAreaRect(outline)) + 0.5
    points = on_plane(k, pose, corners, TOP)[:, :2]
    sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
    if not (SIDES[0] < sides.min() and sides.max() < SIDES[1]):
        return None
    x, y = points.mean(axis=0)
    edge = points[1] - points[0]
    yaw = math.atan2(edge[1], edge[0])
    shown = _top(picture, k, pose, (x, y), yaw)
    mark, turn = max(_templates(), key=lambda one: float((_templates()[one] * shown).sum()))
    yaw = read_yaw(mark, yaw + turn * math.pi / 2)
    return Read(mark, Tile((float(x), float(y)), yaw))


def _top(
    picture: NDArray[np.uint8], k: Floats, pose: Floats, place: tuple[float, float], yaw: float
) -> Floats:
    """Return what is seen on a tile's top, row 0 at its +y edge, normalised, (GRID, GRID)."""
    steps = (np.arange(GRID) + 0.5) / GRID * 2 * HALF - HALF
    right, up = np.meshgrid(steps, -steps)
    x = place[0] + math.cos(yaw) * right - math.sin(yaw) * up
    y = place[1] + math.sin(yaw) * right + math.cos(yaw) * up
    pixels, _ = project(k, pose, np.stack([x, y, np.full_like(x, TOP)], axis=-1))
    at = (pixels - 0.5).astype(np.float32)
    grey = picture.mean(axis=2).astype(np.float32)
    return _normal(cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR))


def _normal(values: NDArray[Any]) -> Floats:
    centred: Floats = values.astype(np.float64) - values.mean()
    length = float(np.linalg.norm(centred))
    return centred / length if length > 0 else centred


@cache
def _templates() -> dict[tuple[str, int], Floats]:
    """Return how each mark looks by the quarter turns that its tile is turned further."""
    found = {}
    for mark in MARKS:
        drawn = texture(mark)[..., 0].astype(np.float32)
        small = cv2.resize(drawn, (GRID, GRID), interpolation=cv2.INTER_AREA)
        for turn in range(4):
            # A tile turned counter-clockwise shows its picture turned likewise.
            found[mark, turn] = _normal(np.rot90(small, turn))
    return found


def plan(observation: Observation) -> Floats:
    """Return the rows that lay the next tile on its mat; home where all lie."""
    digits = [one for one in see(observation) if one.mark.isdigit()]
    digits.sort(key=lambda one: -int(one.mark))
    targets = observation["targets"].astype(np.float64)
    return next_rows([one.tile for one in digits], targets, observation["grips"])
