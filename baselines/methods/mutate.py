"""Small edits of a program policy: the bounded space that program search walks in."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rsi_envs.baselines.agents.program import Policy
from rsi_envs.core.results import OPTION_FEATURES, OPTION_KINDS

THRESHOLDS = (1.0, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)
STEPS = (-1.0, -0.5, -0.25, -0.1, 0.1, 0.25, 0.5, 1.0)
RETRIES = (0, 1, 2, 4, 8)

Draft = dict[str, Any]


def _pick(rng: random.Random, choices: Any) -> Any:
    return choices[int(rng.random() * len(choices))]


def _order(draft: Draft, rng: random.Random) -> None:
    order = draft["order"]
    at = int(rng.random() * (len(order) - 1))
    order[at], order[at + 1] = order[at + 1], order[at]


def _threshold(draft: Draft, rng: random.Random) -> None:
    draft["sure"][_pick(rng, OPTION_KINDS)] = _pick(rng, THRESHOLDS)


def _weight(draft: Draft, rng: random.Random) -> None:
    row, feature = draft["weights"][_pick(rng, OPTION_KINDS)], _pick(rng, OPTION_FEATURES)
    row[feature] = round(row[feature] + _pick(rng, STEPS), 3)


def _gamble(draft: Draft, rng: random.Random) -> None:
    draft["gamble"] = _pick(rng, OPTION_KINDS)


def _ties(draft: Draft, rng: random.Random) -> None:
    draft["ties"] = "first" if draft["ties"] == "random" else "random"


def _retry(draft: Draft, rng: random.Random) -> None:
    draft["retry"] = _pick(rng, RETRIES)


def _effort(draft: Draft, rng: random.Random) -> None:
    draft["effort"] = 1 - draft["effort"]


# Weights and thresholds are many, so they are drawn more often.
OPERATORS: tuple[Callable[[Draft, random.Random], None], ...] = (
    _order, _threshold, _threshold, _weight, _weight, _weight, _gamble, _ties, _retry, _effort,
)  # fmt: skip


def mutate(policy: Policy, rng: random.Random) -> Policy:
    """Return a policy that differs from `policy` by one or two edits."""
    mutant = policy
    while mutant == policy:
        draft = policy.model_dump(mode="json")
        for _ in range(1 + (rng.random() < 0.3)):
            _pick(rng, OPERATORS)(draft, rng)
        mutant = Policy.model_validate(draft)
    return mutant
