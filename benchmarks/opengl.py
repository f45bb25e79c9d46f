"""A camera's picture by us and by MuJoCo's renderer: ``python -m benchmarks.opengl GEOMS``.

Prints the figures as JSON. MUJOCO_GL must be set before Python starts, hence a process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import mujoco
import numpy as np

from benchmarks.camera import model_of, table
from benchmarks.measure import NotHere, Workload, interleaved
from rsi_envs.engines.arm.cameras import Photographer

SIZE = (320, 240)
BACKENDS = ("osmesa", "egl")  # in software where the machine has no graphics card
PICTURES = 20


def pictures(geoms: int) -> tuple[Workload, Workload]:
    """Colour, depth and segmentation by us against `mujoco.Renderer`'s colours, no shadows."""
    model, data = model_of(table(geoms))
    model.geom_rgba[:, :3] = np.random.default_rng(0).uniform(0.2, 1, (model.ngeom, 3))
    photographer, renderer = Photographer(model), mujoco.Renderer(model, SIZE[1], SIZE[0])

    def ours() -> int:
        for _ in range(PICTURES):
            photographer.photograph(data, "eye", SIZE)
        return PICTURES

    def theirs() -> int:
        for _ in range(PICTURES):
            renderer.update_scene(data, "eye")
            renderer.render()
        return PICTURES

    return ours, theirs


def measured(geoms: int) -> dict[str, Any]:
    """Return the figures of a process with the first backend that runs here, or raise NotHere."""
    failed = []
    for backend in BACKENDS:
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.opengl", str(geoms)]
        env = {**os.environ, "MUJOCO_GL": backend}
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        if done.returncode == 0:
            found: dict[str, Any] = json.loads(done.stdout)
            return {**found, "note": f" ({backend}, {1e3 / found['ours']:.3g} ms ours)"}
        failed.append(f"{backend}: {done.stderr.strip().splitlines()[-1]}")
    raise NotHere(f"no OpenGL; install libosmesa6 ({'; '.join(failed)})")


if __name__ == "__main__":
    print(json.dumps(interleaved(*pictures(int(sys.argv[1]))).as_dict()))
