"""What all episodes at one bench share, and one of them in progress."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.instance import Instance
from rsi_envs.core.task import Task
from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.cameras import Photographer, calibration
from rsi_envs.engines.arm.control import Robot
from rsi_envs.engines.arm.predicates import Sight
from rsi_envs.engines.arm.rubric import Rubric, Verdict

LONGEST_INSTRUCTION = 512  # bytes


class Problem:
    """A bench laid out for a task; read-only by convention.

    Attributes:
        task, instance: whose rules and which layout.
        bench, photographer: the scene and its cameras.
        objects: the instance's objects, as plain JSON.
        rubric: what is asked for and what part of it is worth.
        instruction: the text that asks for it.
        horizon: rows of an episode; calls: steps of it, None for no limit.
    """

    def __init__(self, task: Task, instance: Instance, bench: Bench, rubric: Rubric) -> None:
        self.task, self.instance = task, instance
        data = instance.data
        self.bench = bench
        self.photographer = Photographer(bench.model, bench.textures, bench.look.light)
        self.objects: tuple[Mapping[str, Any], ...] = data["objects"]
        self.rubric = rubric
        self.instruction = rubric.instruction()
        self.horizon: int = data["horizon"]
        self.calls: int | None = data["calls"]
        text = self.instruction.encode()[:LONGEST_INSTRUCTION]
        self.instruction_bytes = np.zeros(LONGEST_INSTRUCTION, np.uint8)
        self.instruction_bytes[: len(text)] = np.frombuffer(text, np.uint8)

    def __reduce__(self) -> tuple[Any, ...]:
        return (self.task.prepare, (self.instance,))

    def sight(self, episode: Episode) -> Sight:
        """Return the scene as predicates see it."""
        return Sight(self.bench, episode.robot.data)

    def verdict(self, episode: Episode) -> Verdict:
        """Return the rubric's verdict as the scene stands."""
        return self.rubric.verdict(self.sight(episode))

    def picture(
        self, episode: Episode, name: str, size: tuple[int, int], renderer: str
    ) -> NDArray[np.uint8]:
        """Return what a camera sees, uint8 (height, width, 3)."""
        return self.photographer.photograph(episode.robot.data, name, size, renderer).rgb

    def calibration(
        self, episode: Episode, name: str, size: tuple[int, int]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return a camera's intrinsics (3, 3) and pose (4, 4), world from camera."""
        return calibration(self.bench.model, episode.robot.data, name, size)


class Episode:
    """An episode in progress: the robot, the calls made, and the last verdict's score."""

    def __init__(self, problem: Problem) -> None:
        self.robot = Robot(problem.bench)
        self.calls = 0
        self.raw = 0.0

    def freeze(self) -> bytes:
        """Return everything as bytes."""
        return np.array([float(self.calls), self.raw]).tobytes() + self.robot.freeze()

    def thaw(self, blob: bytes) -> None:
        """Go back to what `freeze` wrote; a ValueError where it is of another scene."""
        calls, self.raw = np.frombuffer(blob[:16]).tolist()
        self.calls = int(calls)
        self.robot.thaw(blob[16:])
