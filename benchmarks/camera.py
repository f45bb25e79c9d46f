"""How fast the ray caster draws, against MuJoCo's rays on the same scene."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Workload
from rsi_envs.core.kernels import kernel
from rsi_envs.engines.render.camera import Camera, camera, intrinsics, looking_at
from rsi_envs.engines.render.raycast import blank_frame, cast
from rsi_envs.engines.render.scene import Geom, build

SIDE = 128  # pixels
EYE, TARGET, FOVY = (0.9, 0.0, 1.1), (0.0, 0.0, 0.4), 45.0
KINDS = {
    "box": (0.04, 0.03, 0.05), "sphere": (0.04,), "capsule": (0.025, 0.04),
    "cylinder": (0.035, 0.04), "ellipsoid": (0.05, 0.03, 0.04),
}  # fmt: skip


def table(count: int, seed: int = 0) -> list[Geom]:
    """Return a ground, a table and things on it, turned about the vertical: `count` geoms."""
    rng = np.random.default_rng(seed)
    geoms = [Geom("plane", (0, 0)), Geom("box", (0.5, 0.5, 0.02), (0, 0, 0.4))]
    while len(geoms) < count:
        kind = list(KINDS)[len(geoms) % len(KINDS)]
        turn = np.pi * rng.uniform(-1, 1)
        rotation = [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
        place = (*rng.uniform(-0.45, 0.45, 2), 0.47)
        geoms.append(Geom(kind, KINDS[kind], place, rotation, rng.uniform(40, 250, 3)))
    return geoms


def model_of(geoms: list[Geom]) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return MuJoCo's model and data of the same geoms, with a lamp and the camera "eye"."""
    spec = mujoco.MjSpec()
    spec.worldbody.add_light(pos=(0, 0, 4), dir=(-0.3, 0.4, -0.85), castshadow=False)
    quaternion = np.zeros(4)
    flipped = looking_at(EYE, TARGET) * (1, -1, -1)  # MuJoCo's cameras look along -z, with y up
    mujoco.mju_mat2Quat(quaternion, flipped.ravel())
    spec.worldbody.add_camera(name="eye", pos=EYE, quat=quaternion, fovy=FOVY)
    for geom in geoms:
        size = (*geom.size, 0.01) if geom.kind == "plane" else (*geom.size, 0.0, 0.0)[:3]
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, np.asarray(geom.rotation, float).ravel())
        kind = getattr(mujoco.mjtGeom, f"mjGEOM_{geom.kind.upper()}")
        added = spec.worldbody.add_geom(type=kind, pos=geom.position, quat=quaternion)
        added.size = size
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def rays_of(view: Camera) -> NDArray[np.float64]:
    """Return world directions (height * width, 3) of a camera's pixels; their depth is 1."""
    fx, fy, cx, cy = view.k
    u, v = np.meshgrid(np.arange(view.width) + 0.5, np.arange(view.height) + 0.5)
    local = np.stack([(u - cx) / fx, (v - cy) / fy, np.ones_like(u)], axis=-1)
    return local.reshape(-1, 3) @ view.rotation.T


@kernel
def _films(scene, view, rgb, depth, segmentation, count):
    for _ in range(count):
        cast(scene, view, rgb, depth, segmentation, False)


def frames(count: int, repeats: int = 20) -> tuple[Workload, Workload]:
    """Colour, depth and segmentation by us against depth and segmentation by `mj_multiRay`."""
    geoms, eye = table(count), np.array(EYE)
    view = camera(intrinsics(FOVY, SIDE, SIDE), looking_at(eye, TARGET), eye, SIDE, SIDE)
    scene, frame = build(geoms), blank_frame(SIDE, SIDE)
    model, data = model_of(geoms)
    rays = rays_of(view).ravel()
    geom, depth = np.zeros(SIDE * SIDE, np.int32), np.zeros(SIDE * SIDE)

    def ours() -> int:
        _films(scene, view, *frame, repeats)
        return repeats

    def theirs() -> int:
        for _ in range(repeats):
            mujoco.mj_multiRay(
                model, data, eye, rays, None, True, -1, geom, depth, None, SIDE * SIDE, 1e9
            )
        return repeats

    return ours, theirs
