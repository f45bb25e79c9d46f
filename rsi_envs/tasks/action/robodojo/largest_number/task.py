"""LargestNumber: the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rsi_envs.core.registry import register
from rsi_envs.tasks.action.robodojo.dojo import RoboDojoTask


@register
@dataclass(frozen=True)
class RoboDojoLargestNumber(RoboDojoTask):
    """Lay digit tiles so that they read the largest number (papers/002 A.1, RoboDojo).

    ## Description
    Tiles with digits lie about on a table with two arms. Each has to be put on one of the mats in
    a row, upright, so that they read the largest number from left to right as seen from the arms;
    both arms have to return to where they started. The horizon is 1,050 rows (RoboDojo).

    ## Difficulty
    Digits / tiles with letters, which must stay off the mats: 3/0, 4/0, 4/1, 5/0, 5/2 for
    d = 1..5. Tiles lie within 20 degrees of upright for d <= 3 and any way beyond, where 6 and 9
    always occur together; both are underlined. All digits of an instance differ [ours]. d = 3
    is the paper's task.

    ## Starting state
    Both hands are open, elbows up, drawn back so that the head camera sees the table. Tiles are
    60 x 60 x 24 mm and lie with their middles at least 10.8 cm apart within x 0.47 to 0.63 and y
    -0.34 to 0.34. The mats' middles are at x = 0.36, 11.5 cm apart, symmetric about y = 0 [ours].
    A tile reads upright at a yaw of -90 degrees.

    ## Score
    raw = score, 0 to 100, as the scene stands when the episode ends; 100 is success. A digit is
    placed if its tile's middle is within 2 cm of its mat's, it is upright within 45 degrees
    (RoboDojo; 0 and 8 either way up, which nobody can tell [ours]), flat within 15 degrees
    [ours], and at rest (below 1 cm/s and 0.3 rad/s, touched by no arm, on something). Success:
    all are placed, no letter is within 5 cm of a mat's middle [ours], and both hands are within
    15 cm and 20 degrees of where they started and at least 80 % open (RoboDojo). Short of success
    1, 2, ... placed digits are worth 5, 20 of three [ours], 5, 15, 30 of four, and 5, 15, 25, 40
    of five (RoboDojo) while all grippers are open; all are worth as much as all but one until
    the arms have returned.

    ## Reference
    A player that knows where every tile is and lays one after the other on its mat by the arm
    nearer to it, through the same rows of targets. Both efforts are the same; nothing is proved.
    """

    name: ClassVar[str] = "RoboDojoLargestNumber"
    horizon: ClassVar[int] = 1050
    card: ClassVar[int] = 3
    randomised: ClassVar[bool] = True

    def layout(self, difficulty: int, seed: int) -> list[dict[str, Any]]:
        from rsi_envs.tasks.action.robodojo.largest_number.layout import layout

        return layout(difficulty, seed)

    def things(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.largest_number.layout import things

        return things(objects)

    def rubric(self, objects: Any, difficulty: int) -> Any:
        from rsi_envs.tasks.action.robodojo.largest_number.layout import rubric

        return rubric(objects)

    def oracle(self, problem: Any) -> Any:
        from rsi_envs.tasks.action.robodojo.largest_number.oracle import oracle

        return oracle(problem)

    def policies(self) -> Mapping[str, Any]:
        from rsi_envs.tasks.action.robodojo.largest_number.vision import plan

        return self.players(plan)
