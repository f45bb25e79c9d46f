"""The bench: a compiled scene with two arms, and what all episodes on it share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.chain import ARMS, HOME, JOINTS, OPEN, SUBSTEPS
from rsi_envs.engines.arm.mjcf import bench_xml
from rsi_envs.engines.arm.shapes import Look, Thing

SPEC = mujoco.mjtState.mjSTATE_INTEGRATION
CALM = 25  # rows that things get to come to rest before an episode

Floats = NDArray[np.float64]


def refresh(model: Any, data: Any) -> None:
    """Bring poses, speeds, cameras and contacts up to the state; nothing of the state changes."""
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    mujoco.mj_camlight(model, data)
    mujoco.mj_collision(model, data)


class Bench:
    """A compiled scene; read-only by convention.

    Args:
        things: what stands on the table; their names are the bodies' names, and those of the
            shapes are "<thing>/<number>".
        look: how it looks.

    Attributes:
        model: MuJoCo's model. The arms' bodies, joints and sites begin with "left/" and "right/";
            cameras are "head", "left", "right" and, for onlookers, "side"; controls are seven
            joints and the fingers of each arm.
        start: the integration state at the start, settled, arms at home, float64.
        joints, fingers: addresses of the arms' joints in qpos, int64 (2, 7) and (2, 2).
        speeds: of the joints in qvel, int64 (2, 7).
        tips: site numbers of the tool centre points, (2,).
        robot: numbers of the geoms of both arms.
        textures: {geom number: name of its texture}.

    Raises:
        ValueError: two things have one name, or a name is empty, world or has a slash.
    """

    def __init__(self, things: Sequence[Thing], look: Look | None = None) -> None:
        names = [thing.name for thing in things]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"things need different names; {', '.join(twice)} is there twice")
        if wrong := [name for name in names if not name or "/" in name or name == "world"]:
            raise ValueError(f"a thing's name is neither empty nor world, without /: {wrong[0]!r}")
        self.things = {thing.name: thing for thing in things}
        self.look = look or Look()
        self.model = model = mujoco.MjModel.from_xml_string(bench_xml(things, self.look))
        joint = [[model.joint(f"{arm}/joint{j + 1}") for j in range(JOINTS)] for arm in ARMS]
        self.joints = np.array([[int(j.qposadr[0]) for j in each] for each in joint])
        self.speeds = np.array([[int(j.dofadr[0]) for j in each] for each in joint])
        fingers = [[model.joint(f"{arm}/finger{k}") for k in (1, 2)] for arm in ARMS]
        self.fingers = np.array([[int(j.qposadr[0]) for j in each] for each in fingers])
        self.tips = np.array([model.site(f"{arm}/tcp").id for arm in ARMS])
        parts = tuple(f"{arm}/" for arm in ARMS)  # a thing may be called "left sleeve"
        self.robot = frozenset(
            g for g in range(model.ngeom) if model.body(model.geom_bodyid[g]).name.startswith(parts)
        )
        self.textures = self._textures()
        self.start = self._settled()

    def __reduce__(self) -> tuple[Any, ...]:
        return (Bench, (tuple(self.things.values()), self.look))

    def _textures(self) -> dict[int, str]:
        found = {
            self.model.geom(f"{name}/{i}").id: shape.texture
            for name, thing in self.things.items()
            for i, shape in enumerate(thing.shapes)
            if shape.texture is not None
        }
        if self.look.table_texture is not None:
            found[self.model.geom("table").id] = self.look.table_texture
        return found

    def _settled(self) -> Floats:
        data = mujoco.MjData(self.model)
        data.qpos[self.joints] = HOME
        data.qpos[self.fingers] = OPEN
        data.ctrl.reshape(len(ARMS), -1)[:] = (*HOME, OPEN)
        mujoco.mj_step(self.model, data, nstep=CALM * SUBSTEPS)
        data.time = 0.0
        return self.state_of(data)

    def state_of(self, data: Any) -> Floats:
        """Return the integration state: from it an episode goes on bit for bit."""
        state = np.empty(mujoco.mj_stateSize(self.model, SPEC))
        mujoco.mj_getState(self.model, data, state, SPEC)
        return state

    def restore(self, data: Any, state: Floats) -> None:
        """Bring `data` to an integration state."""
        mujoco.mj_setState(self.model, data, state, SPEC)
        refresh(self.model, data)

    def fresh(self) -> Any:
        """Return new MuJoCo data at the start."""
        data = mujoco.MjData(self.model)
        self.restore(data, self.start)
        return data

    def tip(self, data: Any, arm: int) -> Floats:
        """Return the pose (7,) of a tool centre point as it is: position and quaternion."""
        pose = np.empty(7)
        pose[:3] = data.site_xpos[self.tips[arm]]
        mujoco.mju_mat2Quat(pose[3:], data.site_xmat[self.tips[arm]])
        return pose

    def opening(self, data: Any) -> Floats:
        """Return how far the grippers are open, (2,), 0 to 1."""
        wide: Floats = data.qpos[self.fingers].sum(axis=1) / (2 * OPEN)
        return np.clip(wide, 0.0, 1.0)
