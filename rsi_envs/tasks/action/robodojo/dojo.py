"""What RoboDojo's tasks share: interface, limits, scores, splits; a task adds things and rubric."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rsi_envs.core.actions import join_chunks
from rsi_envs.core.instance import Instance
from rsi_envs.core.results import (
    RUNNING,
    TERMINATED,
    Event,
    Observation,
    Score,
    Seat,
    Solution,
    Step,
)
from rsi_envs.core.rng import check_seed
from rsi_envs.core.task import Task
from rsi_envs.tasks.action.robodojo import actions
from rsi_envs.tasks.action.robodojo.checks import LONGEST_EPISODE, check_choice, check_whole, pair
from rsi_envs.tasks.action.robodojo.splits import members

FULL = 100.0  # the score of success
MODES = ("pose", "joint")
RENDERERS = ("raycast", "mujoco")
LOOKS = ("standard", "randomised")
CAMERAS = ("head", "left", "right")
CALLS = 80  # papers/002 A.1
SIZE = (320, 240)
LARGEST = 2048  # pixels of a picture's side


@dataclass(frozen=True)
class RoboDojoTask(Task):
    """Rules and interface of a task at the bench (papers/002 A.1).

    A subclass says what stands on the bench (`layout`, `things`), what is asked (`rubric`), and
    how a player that sees everything does it (`oracle`).

    Class attributes:
        horizon: rows of targets in an episode, 25 a second.
        card: the difficulty at which the task is the paper's; that of the named layouts.
        randomised: whether three of five validation and test layouts have a randomised look.

    ## Action space
    Two arms of seven joints stand at (0, 0.35) and (0, -0.35) on a table; lengths are
    metres, z = 0 is the table's top, x points away from the arms and y to the left. The arms have
    the published joint offsets, ranges and force limits of the Franka arm and shapes made of
    primitives; they stand in for the paper's ARX X5 [ours]. MuJoCo simulates 2 ms steps; targets
    are followed at 25 Hz (papers/002 A.1).

    `Box(rows, 17)`, float32: a chunk of rows that are played one after the other, 40 ms each.
    Column 0 is "use": the chunk ends before the first row whose "use" is below 0.5; the first row
    is always played. Columns 1 to 8 are the left arm's, 9 to 16 the right arm's:
    * in mode "pose": x, y, z of the point between the finger pads and the hand's quaternion
      (w, x, y, z), both in the frame of the table and absolute, and the grip from 0 (closed) to
      1 (open, 8 cm). (0, 1, 0, 0) points the hand down with its fingers opening along y.
    * in mode "joint": seven joint angles (rad) and the grip.

    A row moves a hand by at most 3 cm and 0.15 rad (each joint by 0.15 rad) from the last
    accepted target (papers/002 A.1). What cannot be followed is counted, an event for each code
    and arm: "limited" (farther than that: brought nearer), "too_low" (inside the table: raised),
    "unnormalised" (a quaternion not of length 1: normalised), "grip" (clipped), and refused, so
    that the arm stays at its last target: "not_finite", "no_rotation" (a quaternion of zeros),
    "unreachable" (inverse kinematics misses it by more than 1 cm or 0.1 rad). An answer that
    cannot be read uses up a call and no time. As text:
    `{"rows": [{"left": [8 numbers], "right": [8 numbers]}, ...]}`; an arm that a row leaves out
    stays where it was told to be.

    ## Observation space
    A flat `Dict`, float32 where nothing else is said; no pose of any thing and no score is in it:
    * `head`, `left`, `right` uint8 (height, width, 3): the head camera, which looks straight down
      with +x upwards, and the wrist cameras.
    * `joints`, `speeds` (2, 7): joint angles and speeds, rad and rad/s, left arm first.
    * `tips`, `targets` (2, 7): poses of the hands as they are and as last accepted.
    * `grips`, `openings` (2,): the grip as told, and the gripper as it is, 0 to 1.
    * `residual` (2,): metres by which inverse kinematics missed the last targets.
    * `intrinsics` (3, 3, 3), `poses` (3, 4, 4): of the three cameras; a pose takes points from
      camera axes (x right, y down, z forward) to the table's frame. Pixel (column u, row v) has
      its middle at (u + 0.5, v + 0.5).
    * `instruction` uint8 (512,): UTF-8, padded with zeros.
    * `clock` int32 (4,): rows played, rows left, calls made, calls left (-1 for no limit).

    ## Rewards
    The change of the score / 100 that a chunk brought.

    ## Episode end
    Terminates when all conditions of success hold at the end of a chunk, after the task's own
    horizon (500 to 1,100 rows, papers/002 A.1), or after 80 calls (steps; papers/002 A.1).

    ## Options
    * `mode`: "pose" or "joint".
    * `rows`: rows of an action, 1 to 64; 1 gives control at 25 Hz.
    * `calls`: steps of an episode, or None for no limit but the horizon; written into instances.
    * `size`: (width, height) of the pictures, at most 2,048 each.
    * `renderer`: "raycast", or "mujoco" for MuJoCo's own pictures where OpenGL is there.
    * `look`: "standard", or "randomised" for another table, light and camera pose in each
      instance: colour or texture of the table, direction of the lamp, and a head camera that is
      off by up to 2 cm and 2 degrees.

    The named instances are the layouts of the splits: "development/1" to "/20" (the first five
    are the fixed panel), "validation/1" to "/5" and "test/1" to "/5". Where the paper's task has
    a randomised variant, the last three of every five have a randomised look (papers/002 A.1).
    """

    mode: str = "pose"
    rows: int = actions.LONGEST
    calls: int | None = CALLS
    size: tuple[int, int] = SIZE
    renderer: str = RENDERERS[0]
    look: str = LOOKS[0]

    suite: ClassVar[str] = "flex"
    area: ClassVar[str] = "action"
    hardest: ClassVar[int | None] = 5
    private: ClassVar[tuple[str, ...]] = ("objects", "look")
    reward_scale: ClassVar[float] = FULL
    physics: ClassVar[bool] = True
    brief: ClassVar[Mapping[str, Any]] = {"calls": 10, "size": [64, 48]}
    filmed: ClassVar[Mapping[str, Any]] = {"rows": 8, "calls": None}
    horizon: ClassVar[int]
    card: ClassVar[int]
    randomised: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_choice("mode", self.mode, MODES)
        check_choice("renderer", self.renderer, RENDERERS)
        check_choice("look", self.look, LOOKS)
        check_whole("rows", self.rows, actions.LONGEST)
        if self.calls is not None:
            check_whole("calls", self.calls, LONGEST_EPISODE)
        object.__setattr__(self, "size", pair(self.size))
        for name, side in zip(("width", "height"), self.size):
            check_whole(f"the {name} of a picture", side, LARGEST)

    # what a task adds

    @abstractmethod
    def layout(self, difficulty: int, seed: int) -> list[dict[str, Any]]:
        """Return the things of an instance as plain JSON, in a fixed order."""

    @abstractmethod
    def things(self, objects: Any, difficulty: int) -> Any:
        """Return the `Thing`s of a layout."""

    @abstractmethod
    def rubric(self, objects: Any, difficulty: int) -> Any:
        """Return the `Rubric` of a layout."""

    @abstractmethod
    def oracle(self, problem: Any) -> Any:
        """Return a player that sees everything: ``oracle(episode) -> rows (n, 16)``."""

    # instances and episodes

    def generate(self, difficulty: int, seed: int) -> Instance:
        from rsi_envs.engines.arm.layouts import randomised_look, standard_look

        difficulty, seed = self.check_difficulty(difficulty), check_seed(seed)
        look = standard_look() if self.look == "standard" else randomised_look(seed)
        data = {
            "objects": self.layout(difficulty, seed),
            "look": look,
            "horizon": self.horizon,
            "calls": self.calls,
        }
        return Instance(self.name, difficulty, seed, data, self.rules_version)

    def named(self) -> Mapping[str, Instance]:
        """Return the layouts of the splits: development/1..20, validation/1..5, test/1..5.

        The first five of development are the fixed panel. Solutions are evaluated on withheld
        layouts instead, whose seeds nobody knows.
        """
        return {
            member.name: type(self)(calls=self.calls, look=member.look).generate(
                self.card, member.seed
            )
            for member in members(self.name, self.randomised)
        }

    def prepare(self, instance: Instance) -> Any:
        from rsi_envs.tasks.action.robodojo.problems import problem_of

        return problem_of(type(self)(), self.check_instance(instance))

    def start(self, problem: Any) -> Any:
        from rsi_envs.tasks.action.robodojo.episode import Episode

        return Episode(problem)

    def seats(self, difficulty: int) -> Mapping[str, Seat]:
        """Return the seats of two agents, one an arm; each sees everything."""
        own = actions.action_space(self.rows, self.mode)
        parts = {"left": range(0, 9), "right": (0, *range(9, 17))}
        return {
            arm: Seat(spaces.Box(own.low[:, [*part]], own.high[:, [*part]], dtype=np.float32))
            for arm, part in parts.items()
        }

    def join(self, parts: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        """Return the action of both arms side by side; the shorter chunk holds its last row."""
        return join_chunks([parts["left"], parts["right"]])

    def step(self, problem: Any, state: Any, action: Any) -> Step:
        from rsi_envs.engines.arm.control import messages

        if self._over(problem, state):
            return Step(0.0, TERMINATED, ())
        action = np.asarray(action, np.float64)
        state.calls += 1
        if np.isnan(action).all():
            events = [("unreadable", "no readable answer: nothing was done, a call was used")]
        else:
            rows = actions.used(action)[: problem.horizon - state.robot.rows]
            events = list(messages(state.robot.play(rows, self.mode)))
        before, state.raw = state.raw, problem.verdict(state).raw
        done = TERMINATED if self._over(problem, state) else RUNNING
        return Step((state.raw - before) / FULL, done, tuple(Event(*e) for e in events))

    def _over(self, problem: Any, state: Any) -> bool:
        out_of_calls = problem.calls is not None and state.calls >= problem.calls
        return bool(out_of_calls or state.robot.rows >= problem.horizon or state.raw >= FULL)

    def observe(self, problem: Any, state: Any) -> Observation:
        from rsi_envs.tasks.action.robodojo.observation import observe

        return observe(problem, state, self.size, self.renderer)

    def spaces(self, difficulty: int) -> tuple[spaces.Dict, spaces.Space[Any]]:
        from rsi_envs.tasks.action.robodojo.observation import observation_space

        self.check_difficulty(difficulty)
        return observation_space(self.size), actions.action_space(self.rows, self.mode)

    def score(self, problem: Any, state: Any) -> Score:
        verdict = problem.verdict(state)
        metrics = {
            "rows": float(state.robot.rows),
            "calls": float(state.calls),
            **{name: float(holds) for name, holds in verdict.conditions.items()},
        }
        return Score(verdict.raw, verdict.success, metrics)

    def reference(self, instance: Instance, effort: str = "paper") -> Solution:
        """Return the oracle's episode; both efforts are the same."""
        check_choice("effort", effort, ("paper", "best"))
        from rsi_envs.tasks.action.robodojo.problems import solved

        return solved(self, self.check_instance(instance))

    def freeze(self, problem: Any, state: Any) -> bytes:
        return bytes(state.freeze())

    def thaw(self, problem: Any, blob: bytes, into: Any = None) -> Any:
        state = self.start(problem) if into is None else into
        state.thaw(blob)
        return state

    # text and pictures

    def prompt(self, problem: Any, state: Any) -> str:
        from rsi_envs.tasks.action.robodojo.text import prompt

        return prompt(problem, state, self.mode, self.rows, self.size)

    def answer_schema(self, difficulty: int) -> Mapping[str, Any]:
        return actions.schema(self.rows)

    def parse(self, problem: Any, state: Any, text: str) -> NDArray[np.float32]:
        robot = state.robot
        told = robot.targets if self.mode == "pose" else robot.angles
        last = np.hstack([told, robot.grips[:, None]]).ravel()
        return actions.parse(text, self.rows, last)

    def format(self, problem: Any, state: Any, action: Any) -> str:
        return actions.format_action(action, (self.rows, actions.COLUMNS))

    def images(self, problem: Any, state: Any) -> tuple[NDArray[np.uint8], ...]:
        return tuple(problem.picture(state, c, self.size, self.renderer) for c in CAMERAS)

    def players(self, plan: Any) -> Mapping[str, Any]:
        """Return the players "still" and, in mode "pose", "vision", which follows a plan."""
        from rsi_envs.tasks.action.robodojo.seeing import Player, still

        vision = {"vision": Player(plan, self.rows)} if self.mode == "pose" else {}
        return {"still": still(self.rows), **vision}

    def pixels(self, problem: Any, state: Any) -> NDArray[np.uint8]:
        from rsi_envs.tasks.action.robodojo.observation import overview

        return overview(problem, state, self.renderer)
