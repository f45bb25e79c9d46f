"""ThrowBottles' player from pictures: finds bottles by their white caps, seen from above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.results import Observation
from rsi_envs.engines.arm.pinhole import on_plane
from rsi_envs.tasks.action.robodojo.seeing import blobs, head
from rsi_envs.tasks.action.robodojo.skills import both_home
from rsi_envs.tasks.action.robodojo.throw_bottles.layout import BIN, HEIGHT
from rsi_envs.tasks.action.robodojo.throw_bottles.oracle import Look, next_rows

CAP_LIGHT = 200.0  # grey level that all colours of a cap reach
FEWEST = 8  # pixels of a cap
TABLE = (0.33, 0.68, -0.48, 0.50)  # m, where bottles are looked for: all of it but the bin


def bottles(observation: Observation) -> list[tuple[float, float]]:
    """Return the places (x, y) of the bottles that the head camera sees on the table."""
    picture, k, pose = head(observation)
    found = []
    for blob in blobs(picture, k, pose, TABLE):
        cap = blob.pixels[blob.colours.min(axis=1) > CAP_LIGHT]
        if len(cap) >= FEWEST:
            x, y, _ = on_plane(k, pose, cap.mean(axis=0), HEIGHT)
            found.append((float(x), float(y)))
    return found


def plan(observation: Observation) -> NDArray[np.float64]:
    """Return the rows of the next throw and handover; the bin stands where it always does."""
    targets = observation["targets"].astype(np.float64)
    grips = observation["grips"].astype(np.float64)
    rows = next_rows(Look(bottles(observation), BIN), targets, grips)
    return rows if len(rows) else both_home(targets, grips)
