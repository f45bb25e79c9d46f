"""What a language model is told at the bench: instruction, conventions, numbers, answer form."""

from __future__ import annotations

from rsi_envs.engines.arm.chain import ARMS, RATE, STEP_LIMIT, TURN_LIMIT, WIDTH
from rsi_envs.tasks.action.robodojo.episode import Episode, Problem

_POSE = (
    "A row of an arm is [x, y, z, qw, qx, qy, qz, grip]: where the point between its finger pads "
    "shall be (metres), the hand's quaternion, and the grip from 0 (closed) to 1 (open, 8 cm). "
    "[0, 1, 0, 0] points the hand down with its fingers opening along y; a turn by the angle a "
    "about the vertical makes it [0, cos(a/2), sin(a/2), 0]."
)
_JOINT = (
    "A row of an arm is [q1, q2, q3, q4, q5, q6, q7, grip]: joint angles (rad) and the grip from "
    "0 (closed) to 1 (open, 8 cm)."
)


def _numbers(values: object) -> str:
    return "[" + ", ".join(f"{value:.3f}" for value in values) + "]"  # type: ignore[attr-defined]


def _arms(episode: Episode) -> str:
    robot, bench = episode.robot, episode.robot.bench
    opening = bench.opening(robot.data)
    return "\n".join(
        f"{name}: hand at {_numbers(bench.tip(robot.data, a))}, told "
        f"{_numbers(robot.targets[a])}, joints {_numbers(robot.data.qpos[bench.joints[a]])}, "
        f"grip {opening[a]:.2f} open"
        for a, name in enumerate(ARMS)
    )


def _cameras(problem: Problem, episode: Episode, size: tuple[int, int]) -> str:
    k, pose = problem.calibration(episode, "head", size)
    rows = "; ".join(_numbers(row) for row in pose[:3])
    return (
        f"The pictures, {size[0]} x {size[1]} pixels, are those of the head camera and of the left "
        f"and the right wrist camera. Head camera: fx {k[0, 0]:.2f}, fy {k[1, 1]:.2f}, cx "
        f"{k[0, 2]:.1f}, cy {k[1, 2]:.1f}; world from camera (camera axes: x right, y down, z "
        f"forward) {rows}."
    )


def prompt(problem: Problem, episode: Episode, mode: str, rows: int, size: tuple[int, int]) -> str:
    """Return the instruction and all that is needed to answer it; no pose of any thing."""
    left = problem.horizon - episode.robot.rows
    calls = "" if problem.calls is None else f", in at most {problem.calls - episode.calls} answers"
    return f"""{problem.instruction}

You control two arms at a table. Coordinates are metres: z = 0 is the table top, x points away \
from the arms, y to the left; the arms stand at (0, 0.35) and (0, -0.35). Targets are absolute \
and are followed at {RATE} rows a second; a row moves a hand {STEP_LIMIT * 100:.0f} cm and \
{TURN_LIMIT} rad at most. Targets out of reach are refused.
{_POSE if mode == "pose" else _JOINT}

{_arms(episode)}
{_cameras(problem, episode, size)}

There are {left} rows left{calls}. Answer with one JSON object that holds 1 to {rows} rows; an \
arm that a row leaves out stays where it was told to be:
{{"rows": [{{"left": [{WIDTH} numbers], "right": [{WIDTH} numbers]}}, ...]}}"""
