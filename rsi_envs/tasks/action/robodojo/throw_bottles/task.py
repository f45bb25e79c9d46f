"""ThrowBottles: the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rsi_envs.core.registry import register
from rsi_envs.tasks.action.robodojo.dojo import RoboDojoTask


@register
@dataclass(frozen=True)
class RoboDojoThrowBottles(RoboDojoTask):
    """Put bottles into a bin that only one arm reaches (papers/002 A.1, RoboDojo).

    ## Description
    Bottles stand about on a table with two arms, and all of them have to go into the bin at the
    far left. Only the left arm reaches it: what stands on the right has to be handed over, put
    down in the middle for instance. Then both arms have to return to where they started. The
    horizon is 700 rows (RoboDojo).

    ## Difficulty
    Bottles / of them on the right / other things, which must stay out of the bin: 1/0/0, 2/1/0,
    3/1/0, 4/2/0, 4/2/3 for d = 1..5 [ours]. d = 4 is the paper's task.

    ## Starting state
    Both hands are open, elbows up, drawn back so that the head camera sees the table. Bottles are
    114 mm high and 44 mm wide and stand at least 11.5 cm apart: those on the left within x 0.38
    to 0.58 and y 0.12 to 0.40, those on the right within y -0.42 to -0.20. The bin's middle is
    within 2 cm of (0.42, 0.64); inside it is 26 cm by 20 cm, its walls are 15 cm high [ours].

    ## Score
    raw = score, 0 to 100, as the scene stands when the episode ends; 100 is success. Success:
    every bottle's middle is inside the bin, below the top of its walls, and at rest (below 1 cm/s
    and 0.3 rad/s, touched by no arm, on something), nothing else is inside; both hands are within
    15 cm and 20 degrees of where they started and at least 80 % open (RoboDojo). Short of
    success one, two, three or more bottles in the bin are worth 10, 25, 40 while all grippers are
    open (RoboDojo).

    ## Reference
    A player that knows where every bottle is: the right arm brings what the left one does not
    reach to the middle, beside it the left one throws what is near it, through the same rows of
    targets. Both efforts are the same; nothing is proved.
    """

    name: ClassVar[str] = "RoboDojoThrowBottles"
    horizon: ClassVar[int] = 700
    card: ClassVar[int] = 4

    def layout(self, difficulty: int, seed: int) -> list[dict[str, Any]]:
        from rsi_envs.tasks.action.robodojo.throw_bottles.layout import layout

        return layout(difficulty, seed)

    def things(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.throw_bottles.layout import things

        return things(objects)

    def rubric(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.throw_bottles.layout import rubric

        return rubric(objects)

    def oracle(self, problem: Any) -> Any:
        from rsi_envs.tasks.action.robodojo.throw_bottles.oracle import oracle

        return oracle(problem)

    def policies(self) -> Mapping[str, Any]:
        from rsi_envs.tasks.action.robodojo.throw_bottles.vision import plan

        return self.players(plan)
