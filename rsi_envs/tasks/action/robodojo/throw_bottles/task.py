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
    """Put bottles into a bin that one arm cannot reach (papers/002 A.1, RoboDojo).

    ## Description
    Bottles stand about on a table with two arms, and all of them have to go into the bin on the
    far left, which the right arm cannot reach. The left arm in turn cannot reach the bottles on
    the right: those have to be handed over, by putting them down in the middle for instance.
    Afterwards both arms have to return to where they started. The horizon is 700 rows (RoboDojo).

    ## Difficulty
    Bottles / of them out of the left arm's reach / other things, which must stay out of the bin /
    cm between the middles of any two things at least: 1/0/0/14, 2/0/0/14, 3/1/0/13, 4/2/0/12,
    4/2/3/11 for d = 1..5 [ours]. d = 4 is the paper's task. The other things are boxes, balls and
    discs in the bottles' colours.

    ## Starting state
    Both hands are open, elbows up, drawn back so that the head camera sees the table. Bottles are
    11 to 12 cm high and 44 mm wide, weigh 150 g and have white caps, 24 mm wide. Those on the
    left stand within x 0.36 to 0.62 and y 0.06 to 0.34, those on the right within x 0.50 to 0.66
    and y -0.48 to -0.30. Other things lie within x 0.36 to 0.66 and y -0.40 to 0.34. Nothing is
    as near to (0.48, -0.04), which both arms reach, as things are to each other. The bin's middle
    is within 2 cm of (0.42, 0.62); inside it is 26 cm by 22 cm, its walls are 15 cm high [ours].

    ## Score
    raw = score, 0 to 100, as the scene stands when the episode ends; 100 is success. A bottle
    counts if its middle is inside the bin, not above its walls, and it is at rest (below 1 cm/s
    and 0.3 rad/s, touched by no arm, on something [ours]). Success: all bottles count (RoboDojo),
    the middle of nothing else is inside [ours], and both hands are within 15 cm and 20 degrees of
    where they started and at least 80 % open (RoboDojo). Short of success 1, 2, 3 bottles are
    worth 10, 25, 40 while all grippers are open (RoboDojo); all are worth as much as all but one
    until the arms have returned, and a single one is worth 10 [ours].

    ## Reference
    A player that knows where everything is: the left arm drops one bottle after the other into
    the bin while the right one brings the next from its side to the middle, through the same rows
    of targets. Both efforts are the same; nothing is proved.
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
