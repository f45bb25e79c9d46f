"""What is seen at the bench: three cameras, the arms, calibration, instruction, clock."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rsi_envs.core.results import Observation
from rsi_envs.engines.arm.chain import ARMS, JOINTS
from rsi_envs.tasks.action.robodojo.dojo import CAMERAS
from rsi_envs.tasks.action.robodojo.episode import (
    LONGEST_INSTRUCTION,
    Episode,
    Problem,
)

SHOWN = (640, 480)  # of the overview's large picture
CLOCK_END = 2**31 - 1


# Bounds of what is seen as numbers: generous ones, so that only nonsense is clipped.
MOST = {
    "joints": 10.0,
    "speeds": 1e3,
    "tips": 10.0,
    "targets": 10.0,
    "residual": 10.0,
    "intrinsics": 1e5,
    "poses": 10.0,
}


def _reals(name: str, *shape: int) -> spaces.Box:
    return spaces.Box(-MOST[name], MOST[name], shape, np.float32)


def observation_space(size: tuple[int, int]) -> spaces.Dict:
    """Return the observation space for pictures of a size (width, height)."""
    picture = spaces.Box(0, 255, (size[1], size[0], 3), np.uint8)
    arms = len(ARMS)
    return spaces.Dict(
        {
            **{name: picture for name in CAMERAS},
            "joints": _reals("joints", arms, JOINTS),
            "speeds": _reals("speeds", arms, JOINTS),
            "tips": _reals("tips", arms, 7),
            "targets": _reals("targets", arms, 7),
            "grips": spaces.Box(0, 1, (arms,), np.float32),
            "openings": spaces.Box(0, 1, (arms,), np.float32),
            "residual": spaces.Box(0, MOST["residual"], (arms,), np.float32),
            "intrinsics": _reals("intrinsics", len(CAMERAS), 3, 3),
            "poses": _reals("poses", len(CAMERAS), 4, 4),
            "instruction": spaces.Box(0, 255, (LONGEST_INSTRUCTION,), np.uint8),
            "clock": spaces.Box(-1, CLOCK_END, (4,), np.int32),
        }
    )


def observe(problem: Problem, state: Episode, size: tuple[int, int], renderer: str) -> Observation:
    """Return an observation as in `observation_space`."""
    robot, bench, data = state.robot, problem.bench, state.robot.data
    lenses = [problem.calibration(state, name, size) for name in CAMERAS]
    rows_left = problem.horizon - robot.rows
    calls_left = -1 if problem.calls is None else problem.calls - state.calls
    reals = {
        "joints": data.qpos[bench.joints],
        "speeds": data.qvel[bench.speeds],
        "tips": [bench.tip(data, arm) for arm in range(len(ARMS))],
        "targets": robot.targets,
        "grips": robot.grips,
        "openings": bench.opening(data),
        "residual": robot.residual,
        "intrinsics": [k for k, _ in lenses],
        "poses": [pose for _, pose in lenses],
    }
    return {
        **{name: problem.picture(state, name, size, renderer) for name in CAMERAS},
        **{name: _within(name, value) for name, value in reals.items()},
        "instruction": problem.instruction_bytes.copy(),
        "clock": np.array([robot.rows, rows_left, state.calls, calls_left], np.int32),
    }


def _within(name: str, value: Any) -> NDArray[np.float32]:
    most = MOST.get(name, 1.0)
    return np.clip(np.array(value, np.float32), -most, most)


def overview(problem: Problem, state: Episode, renderer: str) -> NDArray[np.uint8]:
    """Return a picture of the bench from its side, the cameras' pictures beside it."""
    width, height = SHOWN
    small = (width // 3, height // 3)
    column = [problem.picture(state, name, small, renderer) for name in CAMERAS]
    return np.hstack([problem.picture(state, "side", SHOWN, renderer), np.vstack(column)])
