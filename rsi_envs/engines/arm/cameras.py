"""Pictures by the cameras of a MuJoCo model, by our ray caster or by OpenGL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm import textures as drawn
from rsi_envs.engines.render.camera import Camera, Floats, Vector, camera, from_mujoco, intrinsics
from rsi_envs.engines.render.raycast import Frame, render
from rsi_envs.engines.render.scene import AMBIENT, KINDS, LAMP, SIZES, SKY, Geom, Scene, build

SIZE = (320, 240)  # width and height in pixels
RENDERERS = ("raycast", "mujoco")
VISIBLE = 3  # geoms of the groups 0 to 2 are seen, as in MuJoCo's own pictures

_KINDS = {int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind.upper()}")): kind for kind in KINDS}


@dataclass(frozen=True, eq=False)
class Photographer:
    """Takes pictures of one model in any state; made once, unchanged by its work.

    What can be seen: geoms of the groups 0 to 2 that are not wholly transparent, in the colour
    `model.geom_rgba`. They must be planes, boxes, spheres, capsules, cylinders or ellipsoids; a
    ValueError names another.

    Attributes:
        model: mujoco.MjModel; sizes, colours and fields of view are read once.
        textures: names, see `textures.known`, by geom id; on boxes and planes only. Characters
            are drawn on the +z face with +y upwards, patterns on all faces.
        light: direction towards the lamp, in the world.
        ambient: share of the light that comes from everywhere, 0 to 1.
        sky: colour where nothing is, 0 to 255.
    """

    model: Any
    textures: Mapping[int, str] = field(default_factory=dict)
    light: Vector = LAMP
    ambient: float = AMBIENT
    sky: Vector = SKY

    def __post_init__(self) -> None:
        _ = self.scene  # so that a model that cannot be drawn is refused at once

    def photograph(
        self,
        data: Any,
        name: str,
        size: tuple[int, int] = SIZE,
        renderer: str = "raycast",
        shadows: bool = False,
    ) -> Frame:
        """Return what a camera sees; the segmentation holds geom ids.

        Args:
            data: mujoco.MjData of the model, with up-to-date positions (`mj_forward`, or
                `mj_kinematics` and `mj_camlight`).
            name: of one of the model's cameras.
            size: width and height in pixels.
            renderer: "raycast", or "mujoco" for colours by OpenGL: without shadows, and only
                near the same on different machines. Depth and segmentation stay the rays'.
            shadows: whether rays cast shadows.

        Raises:
            ValueError: an unknown camera or renderer, or a size that makes no sense.
            RuntimeError: no OpenGL on this machine; the message says what is missing.
        """
        if renderer not in RENDERERS:
            raise ValueError(f"no renderer {renderer!r}; renderers: {', '.join(RENDERERS)}")
        scene, seen = self.placed(data), view(self.model, data, name, size)
        frame = render(scene, seen, shadows)
        if renderer == "raycast":
            return frame
        rgb = self._gallery.rgb(data, name, size) * self._stencil(scene, seen)
        rgb[frame.segmentation < 0] = self.sky
        return frame._replace(rgb=np.rint(rgb).astype(np.uint8))

    def _stencil(self, scene: Scene, seen: Camera) -> Floats:
        """Return what textures leave of each pixel's light, 0 to 1; the model has none itself."""
        white = scene._replace(colour=np.full_like(scene.colour, 255.0), ambient=np.ones(1))
        return render(white, seen).rgb / 255.0

    def placed(self, data: Any) -> Scene:
        """Return the scene with everything where it is in `data`."""
        turned = data.geom_xmat[self._ids].reshape(-1, 3, 3)
        return self.scene._replace(position=data.geom_xpos[self._ids], rotation=turned)

    @cached_property
    def scene(self) -> Scene:
        """Everything that can be seen, still at the origin."""
        for number, name in self.textures.items():
            if not 0 <= number < self.model.ngeom or not drawn.known(name):
                raise ValueError(
                    f"texture {name!r} on geom {number}: textures are {drawn.names()}, "
                    f"geoms 0 to {self.model.ngeom - 1}"
                )
        names = sorted(set(self.textures.values()))
        geoms = [self._geom(int(number), names) for number in self._ids]
        return build(geoms, drawn.atlas(names), (*self.light, 0.0), self.ambient, self.sky)

    @cached_property
    def _ids(self) -> NDArray[np.intp]:
        seen = (self.model.geom_group < VISIBLE) & (self.model.geom_rgba[:, 3] > 0)
        return np.flatnonzero(seen)

    def _geom(self, number: int, names: list[str]) -> Geom:
        kind = _KINDS.get(int(self.model.geom_type[number]))
        if kind is None:
            raise ValueError(f"geom {self._title(number)} must be one of {', '.join(KINDS)}")
        name = self.textures.get(number)
        try:
            return Geom(
                kind,
                self.model.geom_size[number, : SIZES[kind]],
                colour=np.rint(self.model.geom_rgba[number, :3] * 255.0),
                texture=-1 if name is None else names.index(name),
                tile=0.0 if name is None else drawn.tile(name),
                ident=number,
            )
        except ValueError as error:
            raise ValueError(f"geom {self._title(number)}: {error}") from None

    def _title(self, number: int) -> str:
        return repr(self.model.geom(number).name or number)

    @cached_property
    def _gallery(self) -> Any:
        from rsi_envs.engines.arm.opengl import Gallery

        return Gallery(self.model, self.light, self.ambient)


def view(model: Any, data: Any, name: str, size: tuple[int, int] = SIZE) -> Camera:
    """Return a camera of a model, given by name, where it is in `data`, for the ray caster.

    The vertical field of view is `model.cam_fovy`. Raises ValueError: an unknown camera, or a
    size that makes no sense.
    """
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_CAMERA, name)
    if number < 0:
        known = [model.camera(i).name for i in range(model.ncam)]
        raise ValueError(f"no camera {name!r}; cameras: {', '.join(known)}")
    k = _lens(float(model.cam_fovy[number]), *size)
    return Camera(k, from_mujoco(data.cam_xmat[number]), data.cam_xpos[number].copy(), *size)


@cache
def _lens(fovy: float, width: int, height: int) -> Floats:
    """Return (fx, fy, cx, cy) of a picture whose size makes sense."""
    return camera(intrinsics(fovy, width, height), np.eye(3), np.zeros(3), width, height).k


def calibration(
    model: Any, data: Any, name: str, size: tuple[int, int] = SIZE
) -> tuple[Floats, Floats]:
    """Return a camera's intrinsics (3, 3) and pose (4, 4), world from camera, as in `pinhole`."""
    seen = view(model, data, name, size)
    fx, fy, cx, cy = seen.k
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = seen.rotation, seen.position
    return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]), pose
