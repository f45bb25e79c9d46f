"""From points to pixels and back."""

import numpy as np

from rsi_envs.engines.arm.cameras import calibration
from rsi_envs.engines.arm.pinhole import on_plane, project, rays, unproject
from tests.engines.arm_scenes import table


def test_pixels_go_to_points_and_back():
    photographer, data = table()
    k, pose = calibration(photographer.model, data, "aside")
    rng = np.random.default_rng(0)
    points = rng.uniform((0.2, -0.4, 0), (0.8, 0.4, 0.3), (50, 3))
    pixels, depth = project(k, pose, points)
    assert (depth > 0).all()
    assert np.allclose(unproject(k, pose, pixels, depth), points)
    eye, ways = rays(k, pose, pixels)
    assert np.allclose(eye + depth[:, None] * ways, points)
    flat = points * (1, 1, 0) + (0, 0, 0.1)
    assert np.allclose(on_plane(k, pose, project(k, pose, flat)[0], 0.1), flat)
    assert np.allclose(on_plane(k, pose, project(k, pose, flat[0])[0], 0.1), flat[0])


def test_what_cannot_be_seen_is_nan():
    k, pose = np.array([[100.0, 0, 50], [0, 100, 40], [0, 0, 1]]), np.eye(4)
    pose[:3, :3] = [[0, 0, 1], [-1, 0, 0], [0, -1, 0]]  # looks along +x, at height 0
    pixels, depth = project(k, pose, [[-1, 0, 0], [0, 1, 0], [2, 1, 1]])
    assert np.isnan(pixels).tolist() == [[True] * 2, [True] * 2, [False] * 2]
    assert depth.tolist() == [-1, 0, 2] and pixels[2].tolist() == [0, -10]
    found = on_plane(k, pose, [[50, 40], [50, 30], [50, 60]], -1.0)  # level, up, down
    assert np.isnan(found).all(axis=1).tolist() == [True, True, False]
    assert np.allclose(found[2], [5, 0, -1])
