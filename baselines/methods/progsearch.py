"""Program search: improve a policy file by paired trials, from feedback alone.

Not a language model: a search over a bounded space of programs. Challengers are small edits of
the current policy. Each stays over several tasks, and its score is compared with the current
agent's on the same instances, until the evidence says take it or drop it. One lucky instance
therefore changes nothing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from rsi_envs.baselines.agents.program import Policy, ProgramAgent
from rsi_envs.baselines.methods.mutate import mutate
from rsi_envs.protocol.agents import Agent, Outcome, Workspace
from rsi_envs.protocol.feedback import FeedbackResult

POLICY, MEMORY = "policy.json", "memory/search.json"


class Challenger(BaseModel):
    """A policy on trial and what it gained over the current one, an entry a task."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    policy: Policy
    gains: tuple[float, ...] = ()

    @property
    def mean(self) -> float:
        """The mean gain; 0 before the first trial."""
        return sum(self.gains) / max(len(self.gains), 1)

    @property
    def error(self) -> float:
        """The standard error of the mean gain; infinite below two trials."""
        n = len(self.gains)
        if n < 2:
            return math.inf
        spread = sum((gain - self.mean) ** 2 for gain in self.gains) / (n - 1)
        return math.sqrt(spread / n)


class Settings(BaseModel):
    """How the search decides; the part of the workspace that improves the improver.

    Attributes:
        candidates: challengers on trial at a time.
        least, most: trials before a challenger can be taken, and after which it is dropped.
        confidence: standard errors that the mean gain must exceed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    candidates: int = 8
    least: int = 5
    most: int = 16
    confidence: float = 2.0


class Memory(BaseModel):
    """What the search remembers between tasks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    settings: Settings = Settings()
    challengers: tuple[Challenger, ...] = ()
    tried: int = 0
    taken: int = 0


class ProgramSearch:
    """The method `progsearch`."""

    name = "progsearch"

    def initial(self) -> Workspace:
        """Return the starting policy: sure things first, else the least risk."""
        return Workspace({POLICY: Policy().dump(), MEMORY: Memory().model_dump_json(indent=1)})

    def agent(self, workspace: Workspace, seed: int) -> Agent:
        """Return the agent that plays the workspace's policy."""
        return ProgramAgent(Policy.model_validate_json(workspace[POLICY]), seed)

    def refine(
        self, workspace: Workspace, feedback: FeedbackResult, seed: int
    ) -> Sequence[Workspace]:
        """Return the challengers on trial, with new ones in the free places."""
        policy, memory = _read(workspace)
        rng = random.Random(seed)
        policies = [challenger.policy for challenger in memory.challengers]
        while len(policies) < memory.settings.candidates:
            fresh = mutate(policy, rng)
            if fresh not in policies:
                policies.append(fresh)
        return [workspace.edited({POLICY: candidate.dump()}) for candidate in policies]

    def select(self, current: Outcome, candidates: Sequence[Outcome], seed: int) -> Workspace:
        """Add this task's gains to the evidence; take a proven challenger, drop hopeless ones."""
        workspace, feedback = current
        _, memory = _read(workspace)
        known = {challenger.policy.dump(): challenger for challenger in memory.challengers}
        trials = [_add(known, candidate, feedback) for candidate in candidates]
        fresh = len(trials) - len(known)
        proven = [c for c in trials if _proven(c, memory.settings)]
        changes = {"tried": memory.tried + fresh}
        if proven:
            best = max(proven, key=lambda challenger: challenger.mean)
            changes["taken"] = memory.taken + 1
            left: tuple[Challenger, ...] = ()
            files = {POLICY: best.policy.dump()}
        else:
            left = tuple(c for c in trials if _hopeful(c, memory.settings))
            files = {}
        following = memory.model_copy(update={**changes, "challengers": left})
        return workspace.edited({**files, MEMORY: following.model_dump_json(indent=1)})


def _read(workspace: Workspace) -> tuple[Policy, Memory]:
    policy = Policy.model_validate_json(workspace[POLICY])
    return policy, Memory.model_validate_json(workspace[MEMORY])


def _add(known: dict[str, Challenger], candidate: Outcome, current: FeedbackResult) -> Challenger:
    """Return the candidate's challenger with its gain on this task added."""
    space, result = candidate
    before = known.get(space[POLICY])
    if before is None:
        before = Challenger(policy=Policy.model_validate_json(space[POLICY]))
    gained = result.evaluation.score - current.evaluation.score
    return before.model_copy(update={"gains": (*before.gains, gained)})


def _proven(challenger: Challenger, settings: Settings) -> bool:
    enough = len(challenger.gains) >= settings.least
    return enough and challenger.mean > settings.confidence * challenger.error


def _hopeful(challenger: Challenger, settings: Settings) -> bool:
    """Return whether a challenger may still prove better: some gain, and trials left."""
    n = len(challenger.gains)
    return n < settings.most and (n < 2 or challenger.mean > 0)
