"""The task contract: pure rules over data. Everything else is a thin adapter over it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rsi_envs.core.actions import check_action
from rsi_envs.core.drafts import Draft
from rsi_envs.core.instance import Instance
from rsi_envs.core.results import BadAction, Observation, Retrace, Score, Seat, Solution, Step

SUITES = ("selfimprove", "flex")


@dataclass(frozen=True)
class Task(ABC):
    """The rules of one task. Stateless; the dataclass fields are its options.

    Interface options (how an episode is shown) stay on the object; options that change the
    rules are written into the instance's data by `generate`.

    Class attributes:
        name: CamelCase, the id's middle part: ``rsi/<name>-d<k>``.
        suite: "selfimprove" (papers/000) or "flex" (papers/002).
        area: the capability: planning, reasoning, exploring, action, ...
        difficulties: the difficulties that have an id of their own; they share one layout.
        hardest: the largest supported difficulty, or None for no end.
        rules_version: bumped whenever the same seed would give another instance or outcome.
        private: names in an instance's data that no agent may see.
        physics: simulated by MuJoCo. Bits agree in one release on one machine only, so goldens
            compare numbers with a tolerance; pictures in the default observation need numba's
            compiler, so nothing is checked without it.
        brief: options with which episodes are short; the conformance suite plays with them.
        filmed: options with which episodes are recorded, where one step would be too long a
            time for one picture.
        reward_offset, reward_scale: an episode's rewards sum to (raw - offset) / scale.
    """

    name: ClassVar[str]
    suite: ClassVar[str]
    area: ClassVar[str]
    difficulties: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)
    hardest: ClassVar[int | None] = None
    rules_version: ClassVar[int] = 1
    private: ClassVar[tuple[str, ...]] = ()
    physics: ClassVar[bool] = False
    brief: ClassVar[Mapping[str, Any]] = {}
    filmed: ClassVar[Mapping[str, Any]] = {}
    reward_offset: ClassVar[float] = 0.0
    reward_scale: ClassVar[float] = 1.0

    # instances and episodes

    @abstractmethod
    def generate(self, difficulty: int, seed: int) -> Instance:
        """Return G(difficulty, seed); pure, and the only birth of randomness.

        Raises:
            ValueError: the difficulty is not supported or the seed is not in [0, 2**63).
        """

    @abstractmethod
    def prepare(self, instance: Instance) -> Any:
        """Return what all episodes of an instance share (read-only by convention).

        Raises:
            ValueError: the instance is of another task or rules version, or its data is wrong.
        """

    def named(self) -> Mapping[str, Instance]:
        """Return instances that have a name, such as a paper's own; none by default.

        A name is "SET/NAME", e.g. "official/1"; those of a set stay in the order of its members.
        """
        return {}

    def named_instance(self, name: str) -> Instance:
        """Return the instance of a name.

        Raises:
            ValueError: there is none of this name; the message lists those there are.
        """
        known = self.named()
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "it has none"
            raise ValueError(f"{self.name} has no named instance {name!r}; {there}")
        return known[name]

    def deal(self, difficulty: int, seed: int) -> Any:
        """Return ``prepare(generate(difficulty, seed))``; kernel tasks do it without Python."""
        return self.prepare(self.generate(difficulty, seed))

    @abstractmethod
    def start(self, problem: Any) -> Any:
        """Return the state at the start of an episode."""

    @abstractmethod
    def step(self, problem: Any, state: Any, action: Any) -> Step:
        """Play one action in place. Owns every limit; scores invalid actions as events."""

    @abstractmethod
    def observe(self, problem: Any, state: Any) -> Observation:
        """Return fresh arrays of at least one dimension; changes nothing.

        An int8 "action_mask" is among them where it makes sense: 0 means surely invalid.
        """

    @abstractmethod
    def spaces(self, difficulty: int) -> tuple[spaces.Dict, spaces.Space[Any]]:
        """Return the observation space (a flat Dict) and the action space."""

    @abstractmethod
    def score(self, problem: Any, state: Any) -> Score:
        """Return the score as the episode stands; defined at any time."""

    @abstractmethod
    def reference(self, instance: Instance, effort: str = "paper") -> Solution:
        """Return a reference solution; deterministic, effort counts nodes, never seconds."""

    # text

    @abstractmethod
    def prompt(self, problem: Any, state: Any) -> str:
        """Return rules, state and the form of an answer, for a language agent."""

    @abstractmethod
    def parse(self, problem: Any, state: Any, text: str) -> Any:
        """Return the action that `text` asks for.

        Raises:
            BadAction: the text holds no readable answer; the message says why.
        """

    @abstractmethod
    def format(self, problem: Any, state: Any, action: Any) -> str:
        """Return the answer text of an action in the action space; `parse` reads it back."""

    @abstractmethod
    def answer_schema(self, difficulty: int) -> Mapping[str, Any] | None:
        """Return the JSON Schema of an answer, or None where answers are not JSON."""

    # defaults

    def invalid(self, problem: Any, state: Any) -> Any:
        """Return the action played for an unreadable answer: -1 or NaN of the right shape.

        A task whose action shape depends on the difficulty overrides this.
        """
        space = self.spaces(self.difficulties[0])[1]
        if space.dtype is None or space.shape is None:
            raise TypeError(f"{self.name} must define invalid(): its actions have no fixed shape")
        fill = np.nan if np.issubdtype(space.dtype, np.floating) else -1
        return np.full(space.shape, fill, space.dtype) if space.shape else fill

    def ansi(self, problem: Any, state: Any) -> str:
        """Return a picture of the state in plain text; the prompt by default."""
        return self.prompt(problem, state)

    def pixels(self, problem: Any, state: Any) -> NDArray[np.uint8]:
        """Return a picture of the state, uint8 (height, width, 3)."""
        raise NotImplementedError(f"{self.name} draws no picture")

    def images(self, problem: Any, state: Any) -> tuple[NDArray[np.uint8], ...]:
        """Return the pictures that belong to the prompt; none by default."""
        return ()

    def draft(self, observation: Observation, effort: int = 0) -> Draft | None:
        """Return an action to be put together by choices, from an observation only.

        None by default: the task describes no choices. This is a hand-made part of program
        agents' harness, not of the rules; see drafts.py for the words that all tasks share.

        Args:
            effort: 0 looks at the features that are plain to see, 1 works them out thoroughly.
        """
        return None

    def policies(self) -> Mapping[str, Any]:
        """Return hand-written players by name, each ``play(observation, rng) -> action``.

        They play from what these options show, as program agents do.
        """
        return {}

    def seats(self, difficulty: int) -> Mapping[str, Seat]:
        """Return the seats of agents that play together, by agent; none by default."""
        return {}

    def join(self, actions: Mapping[str, NDArray[Any]]) -> Any:
        """Return the action that the parts of all `seats` make together."""
        raise NotImplementedError(f"{self.name} has no seats")

    def normalise(self, instance: Instance, raw: float) -> float:
        """Return the papers' score of a raw score; identity by default."""
        return raw

    def reference_score(self, instance: Instance) -> float:
        """Return the normalised score of the "paper" reference: the ladder's s_r."""
        return self.normalise(instance, self.reference(instance).raw)

    def best_score(self, instance: Instance) -> float:
        """Return the normalised score of the best known reference or of a bound.

        It is at least `reference_score`, which it is by default.
        """
        return self.reference_score(instance)

    def aggregate(self, scores: Sequence[float]) -> float:
        """Return the split-level metric of normalised scores; their mean by default."""
        return float(np.mean(scores))

    @abstractmethod
    def freeze(self, problem: Any, state: Any) -> bytes:
        """Return the state as bytes; equal states give equal bytes."""

    @abstractmethod
    def thaw(self, problem: Any, blob: bytes, into: Any = None) -> Any:
        """Return the state that `freeze` wrote, reusing `into` where that saves work."""

    def read(self, problem: Any, state: Any, text: str) -> tuple[Any, BadAction | None]:
        """Return the action in a text answer; for an unreadable one the invalid action and why."""
        try:
            return self.parse(problem, state, text), None
        except BadAction as bad:
            return self.invalid(problem, state), bad

    def retrace(self, instance: Instance, actions: Iterable[Any]) -> Retrace:
        """Play recorded actions (or text answers) on `instance`: proves any logged result again.

        Raises:
            ValueError: the instance is not of this task, an action has the wrong type or shape,
                or actions go on after the end.
        """
        problem = self.prepare(instance)
        state = self.start(problem)
        space = self.spaces(instance.difficulty)[1]
        done = 0
        for index, action in enumerate(actions):
            if done:
                raise ValueError(f"the episode ended before action {index} of the recording")
            if isinstance(action, str):
                action, _ = self.read(problem, state, action)
            else:
                action = check_action(space, action)
            done = self.step(problem, state, action).done
        return Retrace(problem, state, self.score(problem, state))

    def public(self, instance: Instance) -> dict[str, Any]:
        """Return what an agent may know of an instance: no seed, no key, no private data."""
        data = {name: value for name, value in instance.data.items() if name not in self.private}
        return {"task": instance.task, "difficulty": instance.difficulty, "data": data}

    # checks shared by all tasks

    def check_difficulty(self, difficulty: Any) -> int:
        """Return `difficulty` as an int, or raise ValueError naming the supported range."""
        integral = hasattr(difficulty, "__index__") and not isinstance(difficulty, bool)
        end = float("inf") if self.hardest is None else self.hardest
        if not integral or not self.difficulties[0] <= difficulty <= end:
            upto = "up" if self.hardest is None else f"to {self.hardest}"
            raise ValueError(
                f"{self.name} has difficulties from {self.difficulties[0]} {upto}, "
                f"got {difficulty!r}"
            )
        return int(difficulty)

    def check_instance(self, instance: Any) -> Instance:
        """Return `instance` if these rules can play it, or raise ValueError saying why not."""
        if not isinstance(instance, Instance):
            raise ValueError(f"expected an Instance, got {type(instance).__name__}")
        if instance.task != self.name:
            raise ValueError(f"the instance is of task {instance.task!r}, not {self.name!r}")
        if instance.rules_version != self.rules_version:
            raise ValueError(
                f"the instance was made by {self.name} rules version {instance.rules_version}; "
                f"these are version {self.rules_version}"
            )
        self.check_difficulty(instance.difficulty)
        return instance

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """Return the names of the options that the constructor takes."""
        return tuple(field.name for field in fields(cls))
