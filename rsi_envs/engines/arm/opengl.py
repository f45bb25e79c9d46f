"""Colours by MuJoCo's own renderer, where the machine has OpenGL.

Nothing of OpenGL is loaded before the first picture.
"""

from __future__ import annotations

import os
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.render.camera import Vector

MISSING = (
    "renderer 'mujoco' needs OpenGL, which did not start ({error}). Install libegl1 and "
    "libgl1-mesa-dri and set MUJOCO_GL=egl, or install libosmesa6 and set MUJOCO_GL=osmesa, "
    "before Python starts; MUJOCO_GL is {chosen}. renderer 'raycast' needs none of this."
)


class Gallery:
    """MuJoCo's renderers of one model, one for each size, lit as the ray caster lights.

    Without shadows, reflections and highlights.
    """

    def __init__(self, model: Any, light: Vector, ambient: float) -> None:
        self.model = model
        self.light = np.asarray(light, np.float64) / np.linalg.norm(light)
        self.ambient = ambient
        self._made: dict[tuple[int, int], Any] = {}

    def rgb(self, data: Any, name: str, size: tuple[int, int]) -> NDArray[np.uint8]:
        """Return a picture, uint8 (height, width, 3), by a camera of the model given by name.

        Raises RuntimeError where OpenGL does not start, ValueError for a size above the model's
        `<visual><global offwidth offheight>`.
        """
        if size not in self._made:
            self._made[size] = start(self.model, size)
        renderer = self._made[size]
        renderer.update_scene(data, name)
        self._lit(renderer.scene)
        picture: NDArray[np.uint8] = renderer.render()
        return picture.copy()

    def _lit(self, scene: Any) -> None:
        """Replace the lamps of a scene by one distant one."""
        for flag in ("SHADOW", "REFLECTION", "SKYBOX", "HAZE", "FOG"):
            scene.flags[getattr(mujoco.mjtRndFlag, f"mjRND_{flag}")] = 0
        scene.nlight = 1
        lamp = scene.lights[0]
        lamp.type = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
        lamp.headlight = lamp.castshadow = 0
        lamp.dir, lamp.pos = -self.light, 10 * self.light
        lamp.ambient, lamp.diffuse = [self.ambient] * 3, [1 - self.ambient] * 3
        lamp.specular = np.zeros(3)


def start(model: Any, size: tuple[int, int]) -> Any:
    """Return a `mujoco.Renderer` for pictures of (width, height), or raise RuntimeError."""
    width, height = size
    most = model.vis.global_.offwidth, model.vis.global_.offheight
    if width > most[0] or height > most[1]:
        raise ValueError(f"renderer 'mujoco' draws at most {most} pixels of this model, not {size}")
    try:
        return mujoco.Renderer(model, height, width)
    except Exception as error:  # each backend has its own, from AttributeError to ImportError
        chosen = os.environ.get("MUJOCO_GL", "not set")
        raise RuntimeError(MISSING.format(error=error, chosen=chosen)) from error
