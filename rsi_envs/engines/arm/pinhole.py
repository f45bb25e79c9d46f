"""Between pixels and points: what a player needs to act on what a camera shows.

K float64 (3, 3) holds the intrinsics, pose float64 (4, 4) takes points from camera axes (x right,
y down, z forward) to the world. Pixels are (column, row) as real numbers: the picture's upper
left corner is (0, 0), the middle of the pixel `rgb[v, u]` is (u + 0.5, v + 0.5). Every function
takes one or many pixels or points, of shape (..., 2) or (..., 3). Lengths are metres.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def project(k: Any, pose: Any, points: Any) -> tuple[Floats, Floats]:
    """Return (pixels (..., 2), depth (...)) of world points; pixels behind the camera are NaN."""
    pose = np.asarray(pose, np.float64)
    local = (np.asarray(points, np.float64) - pose[:3, 3]) @ pose[:3, :3]
    depth = local[..., 2]
    seen = np.where(depth > 0, depth, np.nan)[..., None]
    return (local / seen @ np.asarray(k, np.float64).T)[..., :2], depth


def rays(k: Any, pose: Any, pixels: Any) -> tuple[Floats, Floats]:
    """Return (origin (3,), directions (..., 3)) in the world of the lines of sight of pixels.

    The point at depth d (along the optical axis, as in `Frame.depth`) is origin + d * direction;
    directions are not of unit length.
    """
    k, pose = np.asarray(k, np.float64), np.asarray(pose, np.float64)
    pixels = np.asarray(pixels, np.float64)
    flat = np.concatenate([pixels, np.ones((*pixels.shape[:-1], 1))], axis=-1)
    return pose[:3, 3].copy(), flat @ np.linalg.inv(k).T @ pose[:3, :3].T


def unproject(k: Any, pose: Any, pixels: Any, depth: Any) -> Floats:
    """Return the world points (..., 3) of pixels at depths (...)."""
    origin, directions = rays(k, pose, pixels)
    return origin + np.asarray(depth, np.float64)[..., None] * directions


def on_plane(k: Any, pose: Any, pixels: Any, height: float = 0.0) -> Floats:
    """Return the world points (..., 3) on the plane z = height that pixels show.

    NaN where a line of sight does not meet the plane in front of the camera.
    """
    origin, directions = rays(k, pose, pixels)
    slope = directions[..., 2]
    depth = (height - origin[2]) / np.where(slope == 0, np.nan, slope)
    return origin + np.where(depth > 0, depth, np.nan)[..., None] * directions
