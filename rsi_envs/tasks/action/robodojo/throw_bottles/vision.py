"""ThrowBottles' player from pictures: finds caps and bin from above, then acts as the oracle does.

It sees what any agent sees; of bottles it knows that their caps are white and about how high,
of the bin its colour and size.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.results import Observation
from rsi_envs.engines.arm.pinhole import on_plane
from rsi_envs.tasks.action.robodojo.seeing import head, in_workspace, table_points
from rsi_envs.tasks.action.robodojo.skills import both_home
from rsi_envs.tasks.action.robodojo.throw_bottles.layout import HEIGHTS, INSIDE, WALL
from rsi_envs.tasks.action.robodojo.throw_bottles.oracle import next_rows

Floats = NDArray[np.float64]

HEIGHT = sum(HEIGHTS) / 2  # m, of a bottle's top, guessed
TABLE = (0.27, 0.80, -0.60, 0.42)  # m, x and y from and to, where bottles are looked for
FAR_LEFT = (0.20, 0.65, 0.42, 0.75)  # m, likewise the bin
LIGHT = 1.15  # times as light as the table's lightest colour: white
FEWEST = 8  # pixels of a cap
GREENER = 12  # grey levels by which the bin's green outweighs red and blue
EDGE = 0.012  # m, the strip along the bin's nearest edge that is looked at


def bottles(observation: Observation) -> list[tuple[float, float, float]]:
    """Return x, y and height of the bottles on the table, by their caps; white blobs all count."""
    picture, k, pose = head(observation)
    inside = in_workspace(table_points(picture, k, pose), TABLE)
    white = picture.min(axis=2) > LIGHT * np.median(picture[inside], axis=0).max()
    count, labels = cv2.connectedComponents((inside & white).astype(np.uint8), connectivity=4)
    found = []
    for label in range(1, count):
        rows, columns = np.nonzero(labels == label)
        if len(rows) >= FEWEST:
            pixel = (columns.mean() + 0.5, rows.mean() + 0.5)
            x, y, _ = on_plane(k, pose, pixel, HEIGHT)
            found.append((float(x), float(y), HEIGHT))
    return found


def bin_middle(observation: Observation) -> tuple[float, float]:
    """Return the middle (x, y) of the bin, by the edge of its nearest wall on the table."""
    picture, k, pose = head(observation)
    points = table_points(picture, k, pose)
    red, green, blue = np.moveaxis(picture.astype(np.int64), 2, 0)
    seen = points[in_workspace(points, FAR_LEFT) & (green - np.maximum(red, blue) > GREENER)]
    nearest = seen[:, 1].min()
    edge = seen[seen[:, 1] < nearest + EDGE, 0]
    return float(edge.min() + edge.max()) / 2, float(nearest) + WALL + INSIDE[1]


def plan(observation: Observation) -> Floats:
    """Return rows that bring the next bottles on their way, or both arms home at the end."""
    targets = observation["targets"].astype(np.float64)
    grips = observation["grips"].astype(np.float64)
    if found := bottles(observation):
        return next_rows(targets, grips, found, bin_middle(observation))
    return both_home(targets, grips)
