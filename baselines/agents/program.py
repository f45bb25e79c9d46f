"""An agent given by a small JSON policy over the options that all tasks describe alike."""

from __future__ import annotations

import json
import random
from collections import deque
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from rsi_envs.core.results import OPTION_FEATURES, OPTION_KINDS, Options
from rsi_envs.protocol.agents import View

Kind = Literal["probe", "claim", "revise"]
Chance = Annotated[float, Field(ge=0, le=1)]


class Policy(BaseModel):
    """A policy: plain numbers and choices, nothing that runs.

    Attributes:
        order: kinds of options in order of preference.
        sure: for each kind the chance of being right from which an option is taken without
            asking further (probability thresholds).
        gamble: the kind to risk when nothing is sure enough.
        weights: for each kind, what ranks its options; ties: how equals are settled.
        retry: how many of the last actions are not tried again at once.
        effort: how thoroughly the options' features are worked out, 0 or 1.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    order: tuple[Kind, ...] = ("probe", "claim", "revise")
    sure: dict[Kind, Chance] = {"probe": 1.0, "claim": 1.0, "revise": 1.0}
    gamble: Kind = "probe"
    weights: dict[Kind, dict[str, float]] = {
        "probe": {"sure": 1.0, "info": 0.0, "near": 0.0},
        "claim": {"sure": 1.0, "info": 0.0, "near": 0.0},
        "revise": {"sure": 1.0, "info": 0.0, "near": 0.0},
    }
    ties: Literal["first", "random"] = "random"
    retry: Annotated[int, Field(ge=0, le=64)] = 0
    effort: Annotated[int, Field(ge=0, le=1)] = 0

    def dump(self) -> str:
        """Return the policy as the text of its file."""
        return json.dumps(self.model_dump(mode="json"), indent=1) + "\n"


class ProgramAgent:
    """Plays a policy.

    The first kind in `order` that has an option sure enough wins; else the gamble; within a
    kind the weighted features decide.
    """

    def __init__(self, policy: Policy, seed: int) -> None:
        self.policy, self.rng = policy, random.Random(seed)
        self.recent: deque[bytes] = deque(maxlen=policy.retry)
        self.weights = {
            OPTION_KINDS.index(kind): np.array([row[name] for name in OPTION_FEATURES])
            for kind, row in policy.weights.items()
        }

    def act(self, view: View) -> Any:
        options = view.options(self.policy.effort)
        if options is None:
            raise ValueError(f"{view.task} describes no options for program agents")
        allowed = self._allowed(options)
        for kind in self.policy.order:
            index = OPTION_KINDS.index(kind)
            sure = options.features[:, 0] >= self.policy.sure[kind]
            eligible = np.flatnonzero(allowed & (options.kinds == index) & sure)
            if len(eligible):
                return self._choose(options, eligible)
        gamble = allowed & (options.kinds == OPTION_KINDS.index(self.policy.gamble))
        return self._choose(options, np.flatnonzero(gamble if gamble.any() else allowed))

    def _allowed(self, options: Options) -> NDArray[np.bool_]:
        """Return which options are not among the recent actions; all, if none is left."""
        allowed = np.ones(len(options.actions), bool)
        if self.recent:
            allowed[:] = [action.tobytes() not in self.recent for action in options.actions]
        return allowed if allowed.any() else ~allowed

    def _choose(self, options: Options, among: NDArray[np.int64]) -> Any:
        weights = np.stack([self.weights[kind] for kind in options.kinds[among]])
        value = (options.features[among] * weights).sum(axis=1)
        best = among[value == value.max()]
        at = int(self.rng.random() * len(best)) if self.policy.ties == "random" else 0
        action = options.actions[best[at]]
        self.recent.append(action.tobytes())
        return action
