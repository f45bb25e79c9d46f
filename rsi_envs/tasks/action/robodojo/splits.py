"""Named layouts of the splits, as papers/002 A.1 lays them out, and the suite's score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rsi_envs.core.rng import derive

DATA_KEYS = ("objects", "look", "horizon", "calls")
SIZES = {"development": 20, "validation": 5, "test": 5}
PANEL = 5  # the first layouts of development, which are evaluated together
STANDARD = 2  # of five layouts, in tasks with a randomised variant
TASKS = 10  # of the suite


class Member(NamedTuple):
    """A layout of a split: its name "SPLIT/k" from 1, its seed and its look."""

    name: str
    seed: int
    look: str


def members(task: str, randomised: bool) -> Iterator[Member]:
    """Yield the layouts of all splits; of every five, three are randomised where asked for."""
    for split, count in SIZES.items():
        for index in range(count):
            look = "randomised" if randomised and index % PANEL >= STANDARD else "standard"
            yield Member(f"{split}/{index + 1}", derive(task, split, index), look)


def suite_score(scores: Mapping[str, float]) -> float:
    """Return the suite's score: the tasks' mean scores (0 to 100) over all ten tasks.

    A task without a run counts as 0 (papers/002 A.1).

    Raises:
        ValueError: a score is not from 0 to 100, or there are more than ten.
    """
    if len(scores) > TASKS:
        raise ValueError(f"the suite has {TASKS} tasks, got {len(scores)} scores")
    for name, score in scores.items():
        if not 0 <= score <= 100:
            raise ValueError(f"the score of {name} must be from 0 to 100, got {score!r}")
    return sum(scores.values()) / TASKS
