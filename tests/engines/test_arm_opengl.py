"""Pictures by MuJoCo's renderer: near ours where OpenGL runs, a clear message where not."""

import os
import subprocess
import sys

import pytest

IN_OPENGL = """
import sys, numpy as np
from tests.engines.arm_scenes import TURNED, table
assert "rsi_envs.engines.arm.opengl" not in sys.modules
photographer, data = table(TURNED, [("tile", "3"), ("table", "wood")])
drawn = [photographer.photograph(data, "aside", renderer="mujoco") for _ in range(2)]
cast = photographer.photograph(data, "aside")
assert all(np.array_equal(one, two) for one, two in zip(*drawn))
assert np.array_equal(cast.segmentation, drawn[0].segmentation)
print(np.abs(cast.rgb.astype(int) - drawn[0].rgb).mean())
try:
    photographer.photograph(data, "head", (641, 10), "mujoco")
except ValueError as error:
    print(error)
"""
PLAIN = "import mujoco; mujoco.Renderer(mujoco.MjSpec().compile())"


def in_opengl(backend, script):
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env={**os.environ, "MUJOCO_GL": backend}, capture_output=True, text=True,
    )  # fmt: skip


def test_a_missing_opengl_is_named():
    done = in_opengl("disable", IN_OPENGL)
    assert done.returncode
    for word in ("renderer 'mujoco' needs OpenGL", "libosmesa6", "MUJOCO_GL is disable", "raycast"):
        assert word in done.stderr


@pytest.mark.parametrize("backend", ["egl", "osmesa"])
def test_opengl_draws_about_the_same(backend):
    if in_opengl(backend, PLAIN).returncode:
        pytest.skip(f"no {backend} on this machine")
    done = in_opengl(backend, IN_OPENGL)
    assert not done.returncode, done.stderr
    difference, refused = done.stdout.splitlines()[-2:]
    assert float(difference) < 4 and "at most (640, 480) pixels" in refused
