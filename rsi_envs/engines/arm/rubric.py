"""Staged rubrics: what part of a task is worth what, scored as the scene stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rsi_envs.engines.arm.predicates import Sight

FULL = 100.0
RETURN = "bring both arms back to where they started, with their grippers open"


class Condition(NamedTuple):
    """One thing that success needs: its name, the phrase that asks for it, and its test."""

    name: str
    phrase: str
    holds: Callable[[Sight], bool]


class Verdict(NamedTuple):
    """What a rubric says of a scene: the score 0 to 100, success, and which conditions hold."""

    raw: float
    success: bool
    conditions: Mapping[str, bool]


@dataclass(frozen=True)
class Rubric:
    """Success conditions and the worth of what is done of them.

    Both arms always have to return, and the instruction says so. A stage counts only while all
    grippers are at least 80 % open; 100 is given on success only.

    Attributes:
        conditions: what success needs beside the arms' return.
        done: how many steps of the task are done as the scene stands.
        worth: the score of 1, 2, ... steps done; more steps are worth as much as the last.
    """

    conditions: Sequence[Condition]
    done: Callable[[Sight], int]
    worth: Sequence[float]

    def __post_init__(self) -> None:
        rising = all(a < b for a, b in zip([0.0, *self.worth], [*self.worth, FULL]))
        if not rising or not self.worth:
            raise ValueError(f"the worth of stages must rise from 0 to 100, not {self.worth!r}")

    def verdict(self, sight: Sight) -> Verdict:
        """Return the verdict on a scene as it stands."""
        found = {condition.name: condition.holds(sight) for condition in self.conditions}
        found["returned"] = sight.all_returned()
        found["open"] = sight.open()
        success = all(found.values())
        return Verdict(FULL if success else self._stage(sight, found["open"]), success, found)

    def _stage(self, sight: Sight, wide: bool) -> float:
        steps = self.done(sight) if wide else 0
        return float(self.worth[min(steps, len(self.worth)) - 1]) if steps else 0.0

    def instruction(self) -> str:
        """Return the text that asks for every condition of success."""
        phrases = [condition.phrase for condition in self.conditions]
        first = "; ".join([*phrases, f"then {RETURN}"])
        return f"{first[0].upper()}{first[1:]}."
