"""Small benches with things that tests put where they want them."""

import numpy as np

from rsi_envs.engines.arm.bench import Bench, refresh
from rsi_envs.engines.arm.paths import Path, side_by_side, top_down
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.shapes import Shape, Thing

HALF = 0.02  # m, of the boxes' sides


def box(name, x, y, z=HALF, mass=0.05):
    return Thing(name, (Shape("box", (HALF,) * 3),), (x, y, z), mass=mass)


def boxes(*places):
    """Return a bench with the boxes "a", "b", ... at places (x, y)."""
    return Bench([box(name, *place) for name, place in zip("abcdef", places)])


def seen(bench, **poses):
    """Return the sight of a bench, things put to poses (x, y, z) or (x, y, z, w, x, y, z)."""
    data = bench.fresh()
    for name, pose in poses.items():
        address = bench.model.joint(int(bench.model.body(name).jntadr[0])).qposadr[0]
        data.qpos[address : address + len(pose)] = pose
    refresh(bench.model, data)
    return Sight(bench, data)


def moving(sight, name, *velocity):
    """Give a thing a velocity: m/s along x, y, z and rad/s about its axes."""
    bench, data = sight.bench, sight.data
    address = int(bench.model.body(name).dofadr[0])
    data.qvel[address : address + len(velocity)] = velocity
    refresh(bench.model, data)
    return Sight(bench, data)


def left_hand(robot, *points, grip=1.0, turn=None):
    """Bring the left hand, pointing down, to points one after the other; then grip."""
    path = Path(robot.targets[0], float(robot.grips[0]))
    for point in points:
        path.to(point, top_down() if turn is None else turn, stride=0.02)
    path.grip = grip
    robot.play(side_by_side(path.hold(12), Path(robot.targets[1], float(robot.grips[1]))))
    return Sight(robot.bench, robot.data)


def turned_about_x(degrees):
    half = np.radians(degrees) / 2
    return (float(np.cos(half)), float(np.sin(half)), 0.0, 0.0)
