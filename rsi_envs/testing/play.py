"""Playing episodes for checks: reproducible choices, legal and wild actions, recorded turns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rsi_envs.core.instance import Instance
from rsi_envs.core.results import Observation, Step
from rsi_envs.core.rng import derive
from rsi_envs.core.task import Task
from rsi_envs.testing.conformance import ConformanceError

LONGEST = 20_000  # random play that takes more steps counts as endless
WILD = 25  # percent of actions in mixed play that ignore the mask and the space
MARGIN = 2  # how far wild integers leave the space
FAR = 1000.0  # stands for an infinite bound

Choose = Callable[[Observation], Any]
T = TypeVar("T")


class Chance(Protocol):
    """Where choices come from: a hash, or hypothesis."""

    def below(self, end: int) -> int:
        """Return an integer in [0, end)."""
        ...


class Dice:
    """Choices that are a function of named parts only, the same on every machine and release."""

    def __init__(self, *parts: str | int) -> None:
        self.parts = parts
        self.count = 0

    def below(self, end: int) -> int:
        """Return the next integer in [0, end)."""
        self.count += 1
        return derive(*self.parts, self.count) % end


class Turn(NamedTuple):
    """One step of an episode: the action, what the rules returned and what is seen after it."""

    action: Any
    step: Step
    observation: Observation


def some(task: Task, items: Iterable[T], count: int) -> list[T]:
    """Return all items, or the first `count` where each costs physics and pictures."""
    return [*itertools.islice(items, count if task.physics else None)]


def deal(task: Task, difficulty: int, number: int) -> Instance:
    """Return the instance of a 63-bit seed that depends on `number` only."""
    return task.generate(difficulty, derive("check", number))


def begin(task: Task, difficulty: int, number: int) -> tuple[Any, Any]:
    """Return the problem and the first state of `deal`'s instance."""
    problem = task.prepare(deal(task, difficulty, number))
    return problem, task.start(problem)


def _integers(low: Any, high: Any, chance: Chance, margin: int) -> NDArray[np.int64]:
    """Return one integer in [low - margin, high + margin] for each pair of bounds."""
    pairs = zip(np.ravel(low).tolist(), np.ravel(high).tolist(), strict=True)
    chosen = [
        int(first) - margin + chance.below(int(last - first) + 1 + 2 * margin)
        for first, last in pairs
    ]
    return np.array(chosen, np.int64).reshape(np.shape(low))


def _numbers(space: spaces.Box, chance: Chance, wild: bool) -> NDArray[Any]:
    low, high = np.clip(space.low, -FAR, FAR), np.clip(space.high, -FAR, FAR)
    share = np.array([chance.below(2**32) / 2**32 for _ in range(low.size)]).reshape(low.shape)
    if wild:
        share = 3.0 * share - 1.0
    values = low + share * (high - low)
    if wild and values.size and chance.below(4) == 0:
        values.flat[chance.below(values.size)] = np.nan
    return np.asarray(values, space.dtype)


def any_action(space: spaces.Space[Any], chance: Chance, wild: bool = False) -> Any:
    """Return an action of the space or, if `wild`, one of the same type and shape beyond it."""
    margin = MARGIN if wild else 0
    if isinstance(space, spaces.Discrete):
        return int(_integers(space.start, space.start + space.n - 1, chance, margin))
    if isinstance(space, spaces.MultiDiscrete):
        return _integers(space.start, space.start + space.nvec - 1, chance, margin)
    if isinstance(space, spaces.Box) and np.issubdtype(space.dtype, np.floating):
        return _numbers(space, chance, wild)
    space.seed(chance.below(2**31))
    return space.sample()


def legal_action(space: spaces.Space[Any], observation: Observation, chance: Chance) -> Any:
    """Return an action that the observation's mask allows; any of the space without a mask."""
    mask = observation.get("action_mask")
    if mask is None or not mask.any():
        return any_action(space, chance)
    if isinstance(space, spaces.Discrete):
        allowed = np.flatnonzero(mask)
        return int(space.start + allowed[chance.below(len(allowed))])
    if isinstance(space, spaces.MultiDiscrete):
        ends = np.cumsum(space.nvec.ravel())
        parts = [np.flatnonzero(part) for part in np.split(mask, ends[:-1])]
        chosen = [part[chance.below(len(part))] for part in parts]
        return space.start + np.array(chosen, np.int64).reshape(space.nvec.shape)
    return any_action(space, chance)


def chooser(space: spaces.Space[Any], chance: Chance, wild: int = WILD) -> Choose:
    """Return a player that is legal but for `wild` percent of its actions."""

    def choose(observation: Observation) -> Any:
        if wild and chance.below(100) < wild:
            return any_action(space, chance, wild=True)
        return legal_action(space, observation, chance)

    return choose


def player(task: Task, difficulty: int, *parts: str | int, wild: int = WILD) -> Choose:
    """Return the `chooser` of a task whose dice are named by `parts`."""
    return chooser(task.spaces(difficulty)[1], Dice(*parts), wild)


def play(task: Task, problem: Any, state: Any, choose: Choose) -> Iterator[Turn]:
    """Play `state` in place until the end of the episode.

    Raises:
        ConformanceError: the episode does not end.
    """
    observation = task.observe(problem, state)
    for _ in range(LONGEST):
        action = choose(observation)
        step = task.step(problem, state, action)
        observation = task.observe(problem, state)
        yield Turn(action, step, observation)
        if step.done:
            return
    raise ConformanceError(f"an episode has not ended after {LONGEST} random actions")
