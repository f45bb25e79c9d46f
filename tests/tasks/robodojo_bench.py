"""Episodes of RoboDojo's tasks in which tests put things where they want them."""

import numpy as np

import rsi_envs
from rsi_envs.engines.arm.bench import refresh
from rsi_envs.engines.arm.chain import ARMS, BASES, HOME
from rsi_envs.engines.arm.following import CODES, command
from rsi_envs.engines.arm.kinematics import hand_pose
from rsi_envs.engines.arm.paths import side_by_side
from rsi_envs.tasks.action.robodojo import actions, skills

SMALL = {"size": (64, 48)}


def begin(name, difficulty=1, seed=0, **options):
    """Return (task, problem, state) of an episode that begins."""
    task = rsi_envs.task(name, **{**SMALL, **options})
    problem = task.prepare(task.generate(difficulty, seed))
    return task, problem, task.start(problem)


def put(problem, state, name, *pose):
    """Put a thing to a pose (x, y, z) or (x, y, z, w, x, y, z), at rest."""
    model, data = problem.bench.model, state.robot.data
    joint = model.joint(int(model.body(name).jntadr[0]))
    data.qpos[joint.qposadr[0] :][: len(pose)] = pose
    data.qvel[joint.dofadr[0] :][:6] = 0.0
    refresh(model, data)


def play(task, problem, state, rows):
    """Play rows (n, 16) in chunks; return the last step."""
    for at in range(0, len(rows), task.rows):
        step = task.step(problem, state, actions.chunk(rows[at : at + task.rows], task.rows))
    return step


def wait(task, problem, state, rows=10, grips=None):
    """Play rows in which both arms stay, with other grips where they are given."""
    left, right = skills.waiting(state.robot.targets, state.robot.grips)
    if grips is not None:
        left.grip, right.grip = grips
    return play(task, problem, state, side_by_side(left.hold(rows), right))


def told_at_start():
    """Return what both arms are told at the start: targets (2, 7) and grips (2,)."""
    targets = np.array([hand_pose(HOME) for _ in ARMS])
    targets[:, :3] += BASES
    return targets, np.ones(len(ARMS))


def remarks(rows):
    """Return how often rows from the start are limited or refused, without any physics."""
    angles, (targets, grips) = np.tile(HOME, (len(ARMS), 1)), told_at_start()
    counts = np.zeros((len(ARMS), len(CODES)), np.int64)
    for row in rows:
        told, missed = row.reshape(len(ARMS), -1), np.zeros(len(ARMS))
        command(told, False, BASES, angles, targets, grips, missed, counts)
    return int(counts.sum())
