"""What tasks give and take: steps, events, scores, solutions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gymnasium import spaces
from numpy.typing import NDArray

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
Observation = dict[str, NDArray[Any]]


class Event(NamedTuple):
    """One invalid or notable thing that happened in a step."""

    code: str
    message: str


class Step(NamedTuple):
    """What a step gave: the reward, `done` (0 running, 1 terminated, 2 truncated), events."""

    reward: float
    done: int
    events: tuple[Event, ...] = ()


class Score(NamedTuple):
    """What the rules alone can say of an episode.

    `raw` is in the task's own unit; `Task.normalise` turns it into the papers' score.
    """

    raw: float
    success: bool
    metrics: Mapping[str, float]


class Solution(NamedTuple):
    """A reference: its actions, the raw score they reach, and what is proved about it."""

    actions: tuple[Any, ...]
    raw: float
    proof: Literal["optimal", "bounded", "heuristic"]


class Retrace(NamedTuple):
    """Where recorded actions lead: the problem, the final state and its score."""

    problem: Any
    state: Any
    score: Score


class Seat(NamedTuple):
    """One agent's part of a task that several can play together.

    Attributes:
        action_space: of this agent's part of an action.
        seen: the names in the observation that it sees; None for all of them.
    """

    action_space: spaces.Space[Any]
    seen: tuple[str, ...] | None = None


class BadAction(ValueError):
    """An answer that cannot be read; the message is meant for the agent that gave it.

    Args:
        message: why, and what would be right.
        code: of the event that becomes of it, where a task tells kinds apart.
    """

    def __init__(self, message: str, code: str = "unreadable") -> None:
        super().__init__(message)
        self.code = code
