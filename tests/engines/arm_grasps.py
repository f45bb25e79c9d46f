"""Benches, things and rows of targets with which the arms are tested."""

import math

import numpy as np

from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.chain import ARMS
from rsi_envs.engines.arm.control import Robot
from rsi_envs.engines.arm.paths import Path, folded, side_by_side, top_down
from rsi_envs.engines.arm.shapes import Shape, Thing

KINDS = ("box", "cylinder", "sphere")
HIGH = 0.2  # m, where things are carried
LOADED = 0.02  # m a row


def block(name="block", place=(0.45, 0.2), half=0.02, mass=0.1):
    """Return a cube on the table."""
    return Thing(name, (Shape("box", (half,) * 3),), (*place, half), mass=mass)


def blocks():
    """Return a bench with blocks before both arms, two of them one upon the other."""
    upper = Thing("upper", (Shape("box", (0.02,) * 3),), (0.45, 0.2, 0.06), mass=0.1)
    return Bench([block(), upper, block("other", (0.5, -0.25))])


def random_shape(rng, kind):
    """Return a shape that fits the hand, and half its height."""
    friction = rng.uniform(0.6, 1.2)
    if kind == "box":
        size = (rng.uniform(0.015, 0.035), rng.uniform(0.015, 0.035), rng.uniform(0.012, 0.035))
    elif kind == "cylinder":
        size = (rng.uniform(0.012, 0.035), rng.uniform(0.015, 0.04))
    else:
        size = (rng.uniform(0.014, 0.035),)
    return Shape(kind, size, friction=friction), size[-1]


def random_place(rng, arm):
    side = 1 if ARMS[arm] == "left" else -1
    return np.array([rng.uniform(0.35, 0.6), side * rng.uniform(0.05, 0.5)])


def carried(robot, arm, grasp, goal, height, quaternion):
    """Return the path of a hand that takes a thing from one place of the table to another.

    Loaded it moves at half a metre a second, and lets go of the thing gently: at full speed each
    row's jerk lets what is held slip a little, and an open hand that jumps up can push a ball.
    """
    path = Path(robot.targets[arm], 1.0).to((*grasp, HIGH), quaternion).to((*grasp, height)).hold(3)
    path.close()
    for place in ((*grasp, HIGH), (*goal, HIGH), (*goal, height + 0.003)):
        path.to(place, stride=LOADED)
    return path.hold(4).open().to((*goal, height + 0.05), stride=0.01).to((*goal, HIGH))


def both(robot, arm, path):
    """Return rows of one hand's path; the other hand stays."""
    ways = [Path(robot.targets[other], robot.grips[other]) for other in range(len(ARMS))]
    ways[arm] = path
    return side_by_side(*ways)


def pick_and_place(seed, kind):
    """Carry a random thing; return robot, its body's number, the goal, and what was counted."""
    rng, arm = np.random.default_rng(seed), seed % len(ARMS)
    shape, half = random_shape(rng, kind)
    yaw, start, goal = rng.uniform(-1.5, 1.5), random_place(rng, arm), random_place(rng, arm)
    quaternion = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
    thing = Thing("thing", (shape,), (*start, half), quaternion, mass=rng.uniform(0.05, 0.4))
    bench = Bench([thing])
    robot, body = Robot(bench), bench.model.body("thing").id
    across = (
        kind == "box" and shape.size[0] < shape.size[1]
    )  # the fingers close along its short side
    hand = top_down(folded(yaw + (math.pi / 2 if across else 0.0)))
    grasp = robot.data.xpos[body][:2].copy()  # a ball may have rolled
    path = carried(robot, arm, grasp, goal, max(half, 0.013), hand)
    counts = robot.play(both(robot, arm, path))
    return robot, body, goal, counts


def wild_rows(rng, count):
    """Return rows of what no player should send: anything, everywhere, and no numbers at all."""
    scale = 10.0 ** rng.uniform(-3, 3, (count, 16))
    rows = rng.normal(size=(count, 16)) * scale
    odd = rng.random((count, 16)) < 0.03
    rows[odd] = rng.choice([np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0, 1e-300], odd.sum())
    return rows


def restless_rows(rng, robot, count):
    """Return rows within reach that turn round at random: accepted, and as rough as can be."""
    goals = rng.uniform((0.3, -0.3, -0.05), (0.65, 0.3, 0.35), (2, count // 8 + 1, 3))
    ways = []
    for arm, each in enumerate(goals):
        way = Path(robot.targets[arm], 1.0)
        for goal in each:
            way.grip = float(rng.integers(2))
            way.to(goal, top_down(rng.uniform(-1.5, 1.5)))
        ways.append(way)
    return side_by_side(*ways)[:count]


def warned(robot):
    """Return how often MuJoCo warned of anything."""
    return int(sum(warning.number for warning in robot.data.warning))


def deepest(robot):
    """Return the deepest contact of the moment, metres; 0 without contacts."""
    return max((-contact.dist for contact in robot.data.contact), default=0.0)
