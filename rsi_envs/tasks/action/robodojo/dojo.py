"""What RoboDojo's tasks share: interface, limits, scores, splits; a task adds things and rubric."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
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
from rsi_envs.tasks.action.robodojo.splits import DATA_KEYS, members

FULL = 100.0  # the score of success
MODES = ("pose", "joint")
RENDERERS = ("raycast", "mujoco")
LOOKS = ("standard", "randomised")
CALLS = 80  # papers/002 A.1
SIZE = (320, 240)
LARGEST = 2048  # pixels of a picture's side
LONGEST_EPISODE = 1_000_000  # rows or calls
PROBLEMS = 16  # kept


@dataclass(frozen=True)
class RoboDojoTask(Task):
    """Rules and interface of a task at the bench (papers/002 A.1).

    A subclass says what stands on the bench (`layout`, `things`), what is asked (`rubric`), and
    how a player that sees everything does it (`oracle`).

    Class attributes:
        horizon: rows of targets in an episode, 25 a second.
        card: the difficulty at which the task is the paper's; that of the named layouts.
        randomised: whether three of five validation and test layouts have a randomised look.
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
        _check_choice("mode", self.mode, MODES)
        _check_choice("renderer", self.renderer, RENDERERS)
        _check_choice("look", self.look, LOOKS)
        _check_whole("rows", self.rows, actions.LONGEST)
        if self.calls is not None:
            _check_whole("calls", self.calls, LONGEST_EPISODE)
        object.__setattr__(self, "size", _pair(self.size))
        for name, side in zip(("width", "height"), self.size):
            _check_whole(f"the {name} of a picture", side, LARGEST)

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
        return _problem(type(self)(), self.check_instance(instance))

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
        return out_of_calls or state.robot.rows >= problem.horizon or state.raw >= FULL

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
        _check_choice("effort", effort, ("paper", "best"))
        return _solved(self, self.check_instance(instance))

    def freeze(self, problem: Any, state: Any) -> bytes:
        frozen: bytes = state.freeze()
        return frozen

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
        from rsi_envs.tasks.action.robodojo.episode import CAMERAS

        return tuple(problem.picture(state, c, self.size, self.renderer) for c in CAMERAS)

    def players(self, plan: Any) -> Mapping[str, Any]:
        """Return the players "still" and, in mode "pose", "vision", which follows a plan."""
        from rsi_envs.tasks.action.robodojo.seeing import Player, still

        vision = {"vision": Player(plan, self.rows)} if self.mode == "pose" else {}
        return {"still": still(self.rows), **vision}

    def pixels(self, problem: Any, state: Any) -> NDArray[np.uint8]:
        from rsi_envs.tasks.action.robodojo.observation import overview

        return overview(problem, state, self.renderer)


@lru_cache(maxsize=PROBLEMS)
def _problem(task: RoboDojoTask, instance: Instance) -> Any:
    """Return the problem of an instance; compiling and settling takes tens of milliseconds."""
    from rsi_envs.engines.arm.bench import Bench
    from rsi_envs.engines.arm.shapes import Look
    from rsi_envs.tasks.action.robodojo.episode import Problem

    data, difficulty = instance.data, instance.difficulty
    try:
        if {*data} != {*DATA_KEYS}:
            raise ValueError(f"the data has the keys {', '.join(DATA_KEYS)}, not {sorted(data)}")
        _check_whole("horizon", data["horizon"], LONGEST_EPISODE)
        if data["calls"] is not None:
            _check_whole("calls", data["calls"], LONGEST_EPISODE)
        things = task.things(data["objects"], difficulty)
        bench = Bench(things, Look.from_data(data["look"]))
        return Problem(task, instance, bench, task.rubric(data["objects"], difficulty))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        kind = type(error).__name__
        raise ValueError(f"the data of this {task.name} instance is wrong: {kind}") from None


@lru_cache(maxsize=64)
def _solved(task: RoboDojoTask, instance: Instance) -> Solution:
    """Return the oracle's episode as actions of the task's options."""
    problem = task.prepare(instance)
    state = task.start(problem)
    played = tuple(_oracle_actions(task, problem, state))
    return Solution(played, task.score(problem, state).raw, "heuristic")


def _oracle_actions(task: RoboDojoTask, problem: Any, state: Any) -> Iterator[Any]:
    """Play the oracle's rows, in chunks of the task's length."""
    oracle = task.oracle(problem)
    done = RUNNING
    while not done:
        rows = oracle(state)
        for at in range(0, len(rows), task.rows):
            action = actions.chunk(rows[at : at + task.rows], task.rows)
            yield action
            done = task.step(problem, state, action).done
            if done:
                return


def _pair(size: Any) -> tuple[int, int]:
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise ValueError(f"size must be (width, height) in pixels, got {size!r}")
    return (size[0], size[1])


def _check_whole(name: str, value: Any, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 1 to {most}, got {value!r}")


def _check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
