"""Controls: methods that do not select, so that a gain can be told from chance."""

from __future__ import annotations

from collections.abc import Sequence

from rsi_envs.baselines.methods.progsearch import ProgramSearch
from rsi_envs.protocol.agents import Outcome, Workspace
from rsi_envs.protocol.feedback import FeedbackResult


class Frozen(ProgramSearch):
    """The control `frozen`: the starting agent of program search, never refined."""

    name = "frozen"

    def refine(
        self, workspace: Workspace, feedback: FeedbackResult, seed: int
    ) -> Sequence[Workspace]:
        """Propose nothing."""
        return ()

    def select(self, current: Outcome, candidates: Sequence[Outcome], seed: int) -> Workspace:
        """Keep the current workspace."""
        return current[0]


class AcceptAll(ProgramSearch):
    """The control `accept_all`: the same proposals and evaluations, accepted unseen."""

    name = "accept_all"

    def select(self, current: Outcome, candidates: Sequence[Outcome], seed: int) -> Workspace:
        """Take the first candidate, whatever the results say."""
        return candidates[0][0]
