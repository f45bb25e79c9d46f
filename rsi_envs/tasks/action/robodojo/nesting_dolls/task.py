"""NestingDolls: the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rsi_envs.core.registry import register
from rsi_envs.tasks.action.robodojo.dojo import RoboDojoTask


@register
@dataclass(frozen=True)
class RoboDojoNestingDolls(RoboDojoTask):
    """Line nesting dolls up by size (papers/002 A.1, RoboDojo).

    ## Description
    Dolls of different sizes stand about on a table with two arms. They have to be brought into
    one row, the smallest on the left and the largest on the right as seen from the arms, and both
    arms back to where they started. The horizon is 1,050 rows (RoboDojo).

    ## Difficulty
    Dolls / ratio of the radii of neighbouring sizes: 3/1.3, 4/1.22, 4/1.18, 5/1.15, 5/1.1 for
    d = 1..5 [ours]. From d = 3 on a doll's height no longer follows from its radius (2.6 to 3.4
    radii). The largest radius is 26 mm. Colours never say anything about sizes. d = 4 is the
    paper's task.

    ## Starting state
    Both hands are open, elbows up, drawn back so that the head camera sees the table. Dolls stand
    at least 11.5 cm apart within x 0.40 to 0.62 and y -0.34 to 0.34; no two neighbouring sizes
    are in a row by chance.

    ## Score
    raw = score, 0 to 100, as the scene stands when the episode ends; 100 is success. Success:
    every doll stands upright (within 15 degrees [ours]) and at rest (below 1 cm/s and 0.3 rad/s,
    touched by no arm, on something), each at least 3 cm further right than the next smaller one,
    all within 35 mm of one line across (RoboDojo's tolerances); both hands are within 15 cm and
    20 degrees of where they started and at least 80 % open (RoboDojo). RoboDojo's own rubric
    gives nothing below success; here the longest stretch of k dolls of neighbouring sizes that
    stand in such a row is worth 80 (k - 1) / (n - 1) while all grippers are open [ours].

    ## Reference
    A player that knows where every doll is and brings one after the other into a row nearer to
    the arms, through the same rows of targets. Both efforts are the same; nothing is proved.
    """

    name: ClassVar[str] = "RoboDojoNestingDolls"
    horizon: ClassVar[int] = 1050
    card: ClassVar[int] = 4
    randomised: ClassVar[bool] = True

    def layout(self, difficulty: int, seed: int) -> list[dict[str, Any]]:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import layout

        return layout(difficulty, seed)

    def things(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import things

        return things(objects)

    def rubric(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.layout import rubric

        return rubric(objects)

    def oracle(self, problem: Any) -> Any:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.oracle import oracle

        return oracle(problem, problem.objects)

    def policies(self) -> Mapping[str, Any]:
        from rsi_envs.tasks.action.robodojo.nesting_dolls.vision import plan

        return self.players(plan)
