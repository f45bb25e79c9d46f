"""What tasks give and take: steps, events, scores, solutions, options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
OPTION_KINDS = ("probe", "claim", "revise")
OPTION_FEATURES = ("sure", "info", "near")

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


class Options(NamedTuple):
    """What an agent could do next, described in words that all tasks share.

    Attributes:
        actions: int64 (n, ...) actions in the task's own form.
        kinds: int64 (n,), an index into OPTION_KINDS each: "probe" (learn something), "claim"
            (commit to an answer), "revise" (take something back).
        features: float64 (n, 3) in [0, 1], a column for each of OPTION_FEATURES: "sure" (chance
            of being right), "info" (how much it would teach), "near" (close to what is known).
    """

    actions: NDArray[np.int64]
    kinds: NDArray[np.int64]
    features: NDArray[np.float64]


class Retrace(NamedTuple):
    """Where recorded actions lead: the problem, the final state and its score."""

    problem: Any
    state: Any
    score: Score


class BadAction(ValueError):
    """An answer that cannot be read; the message is meant for the agent that gave it."""
