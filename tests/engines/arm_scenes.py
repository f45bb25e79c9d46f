"""Random MuJoCo models with moving bodies and cameras on them, and what MuJoCo's rays see."""

import mujoco
import numpy as np

from rsi_envs.engines.arm.cameras import Photographer
from rsi_envs.engines.arm.pinhole import rays
from rsi_envs.engines.render.camera import looking_at
from rsi_envs.engines.render.scene import KINDS, SIZES

CAMERAS = ("head", "wrist")
SEEN = np.array([1, 1, 1, 0, 0, 0], np.uint8)  # geom groups


def add_geom(body, kind, size, **more):
    """Add a geom of a kind with as many sizes as the kind has."""
    full = (*size, 0.01) if kind == "plane" else (*size, 0.0, 0.0)[:3]
    return body.add_geom(type=getattr(mujoco.mjtGeom, f"mjGEOM_{kind.upper()}"), size=full, **more)


def random_geom(rng, body, kind):
    """Add a geom anywhere near a body; some are in group 3 or transparent and cannot be seen."""
    size = rng.uniform(0.05, 0.5, SIZES[kind])
    if kind == "plane" and rng.random() < 0.5:
        size[:] = 0
    group = int(rng.choice([0, 1, 2, 3], p=[0.5, 0.2, 0.15, 0.15]))
    rgba = (*rng.uniform(0, 1, 3), 0.0 if rng.random() < 0.1 else 1.0)
    place = {"pos": rng.uniform(-0.3, 0.3, 3), "quat": rng.normal(size=4)}
    add_geom(body, kind, size, group=group, rgba=rgba, **place)


def towards(eye, target):
    """Return the quaternion of a MuJoCo camera at `eye` that looks at a point."""
    quaternion = np.zeros(4)
    flipped = looking_at(eye, target) * (1, -1, -1)  # MuJoCo's look along -z, with y up
    mujoco.mju_mat2Quat(quaternion, flipped.ravel())
    return quaternion


def random_model(rng, bodies=6):
    """Return a model of still geoms and free bodies; one camera stands still, one rides."""
    spec = mujoco.MjSpec()
    solids = [kind for kind in KINDS if kind != "plane"]
    for kind in ("plane", "plane", *solids):
        random_geom(rng, spec.worldbody, kind)
    eye, fovy = rng.uniform(-2, 2, 3), rng.uniform(30, 100)
    turn = towards(eye, rng.uniform(-0.5, 0.5, 3))
    spec.worldbody.add_camera(name="head", pos=eye, quat=turn, fovy=fovy)
    for number in range(bodies):
        body = spec.worldbody.add_body(name=f"body{number}")
        body.add_freejoint()
        add_geom(body, "sphere", (0.01,), group=3)  # so that it has a mass whatever follows
        for kind in rng.choice(solids, 2):
            random_geom(rng, body, kind)
    spec.body("body0").add_camera(name="wrist", pos=(0, 0, 0.1), quat=rng.normal(size=4), fovy=80)
    return spec.compile()


def shaken(model, rng):
    """Return data of a model with its bodies anywhere."""
    data = mujoco.MjData(model)
    data.qpos = rng.normal(size=model.nq) * 0.8
    mujoco.mj_normalizeQuat(model, data.qpos)
    mujoco.mj_forward(model, data)
    return data


def ways(k, pose, size):
    """Return (eye, directions (height, width, 3)) of a camera's pixels; their depth is 1."""
    columns, rows = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    return rays(k, pose, np.stack([columns, rows], axis=-1))


def multi_ray(model, data, eye, directions):
    """Return depth (inf: nothing) and geom ids (-1: nothing) as `mj_multiRay` has them."""
    shape = directions.shape[:2]
    ids, depth = np.zeros(shape, np.int32), np.zeros(shape)
    mujoco.mj_multiRay(
        model, data, eye, directions.ravel(), SEEN, True, -1, ids.ravel(), depth.ravel(), None,
        ids.size, 1e9,
    )  # fmt: skip
    depth[ids < 0] = np.inf
    return depth, ids


def single_ray(model, data, eye, direction):
    """Return (depth, geom id) of one pixel as `mj_ray` has them."""
    found = np.zeros(1, np.int32)
    depth = mujoco.mj_ray(model, data, eye, direction, SEEN, 1, -1, found)
    return depth if found[0] >= 0 else np.inf, found[0]


TABLE = """<mujoco><worldbody>
<geom name="table" type="box" size=".4 .6 .02" pos=".5 0 -.02" rgba=".8 .7 .5 1"/>
<camera name="head" pos=".5 0 .9" xyaxes="1 0 0 0 1 0" fovy="55"/>
<camera name="aside" pos=".1 -.5 .6" xyaxes=".78 -.62 0 .3 .37 .88" fovy="60"/>
<body name="tile" pos=".5 0 .011"><freejoint/>
  <geom name="tile" type="box" size=".035 .035 .01" rgba="1 1 .6 1"/></body>
<body name="ball" pos=".6 .2 .05"><freejoint/><geom name="ball" type="sphere" size=".02"/></body>
</worldbody></mujoco>"""


def table(pose=(), texts=()):
    """Return (photographer, data) of a table with a tile, which has a pose and texts."""
    model = mujoco.MjModel.from_xml_string(TABLE)
    data = mujoco.MjData(model)
    if pose:
        data.joint(model.body("tile").jntadr[0]).qpos[:] = pose
    mujoco.mj_forward(model, data)
    return Photographer(model, {model.geom(name).id: text for name, text in texts}), data


# Of the tile: position and quaternion.
LYING = (0.5, 0.0, 0.011, 1, 0, 0, 0)
TURNED = (0.35, 0.2, 0.06, 0.9, 0.1, -0.15, 0.4)
POSES = [LYING, TURNED, (0.5, -0.3, 0.02, 0, 0, 0, 1)]
