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
    """Line nesting dolls up by size (papers/002 A.1, RoboDojo).

    ## Description
    Dolls of different sizes stand about on a table with two arms. They have to be brought into
    one row, the smallest on the left and the largest on the right as seen from the arms, and both
    arms back to where they started.

    The bench: two arms of seven joints stand at (0, 0.35) and (0, -0.35) on a table; lengths are
    metres, z = 0 is the table's top, x points away from the arms and y to the left. The arms have
    the published joint offsets, ranges and force limits of the Franka arm and shapes made of
    primitives; they stand in for the paper's ARX X5 [ours]. MuJoCo simulates 2 ms steps; targets
    are followed at 25 Hz (papers/002 A.1).

    ## Difficulty
    Dolls / ratio of the radii of neighbouring sizes: 3/1.3, 4/1.22, 4/1.18, 5/1.15, 5/1.1 for
    d = 1..5 [ours]. From d = 3 on a doll's height no longer follows from its radius (2.6 to 3.4
    radii). The largest radius is 26 mm. Colours never say anything about sizes. d = 4 is the
    paper's task.

    ## Action space
    `Box(rows, 17)`, float32: a chunk of rows that are played one after the other, 40 ms each.
    Column 0 is "use": the chunk ends before the first row whose "use" is below 0.5; the first row
    is always played. Columns 1 to 8 are the left arm's, 9 to 16 the right arm's:
    * in mode "pose": x, y, z of the point between the finger pads and the hand's quaternion
      (w, x, y, z), both in the frame of the table and absolute, and the grip from 0 (closed) to
      1 (open, 8 cm). (0, 1, 0, 0) points the hand down with its fingers opening along y.
    * in mode "joint": seven joint angles (rad) and the grip.

    A row moves a hand by at most 3 cm and 0.15 rad (each joint by 0.15 rad) from the last
    accepted target (papers/002 A.1). What cannot be followed is counted, an event for each code
    and arm: "limited" (farther than that: brought nearer), "too_low" (inside the table: raised),
    "unnormalised" (a quaternion not of length 1: normalised), "grip" (clipped), and refused, so
    that the arm stays at its last target: "not_finite", "no_rotation" (a quaternion of zeros),
    "unreachable" (inverse kinematics misses it by more than 1 cm or 0.1 rad). An answer that
    cannot be read uses up a call and no time. As text:
    `{"rows": [{"left": [8 numbers], "right": [8 numbers]}, ...]}`; an arm that a row leaves out
    stays where it was told to be.

    ## Observation space
    A flat `Dict`; no pose of any thing and no score is in it:
    * `head`, `left`, `right` uint8 (height, width, 3): the head camera, which looks straight down
      with +x upwards, and the wrist cameras.
    * `joints`, `speeds` (2, 7): joint angles and speeds, rad and rad/s, left arm first.
    * `tips`, `targets` (2, 7): poses of the hands as they are and as last accepted.
    * `grips`, `openings` (2,): the grip as told, and the gripper as it is, 0 to 1.
    * `residual` (2,): metres by which inverse kinematics missed the last targets.
    * `intrinsics` (3, 3, 3), `poses` (3, 4, 4): of the three cameras; a pose takes points from
      camera axes (x right, y down, z forward) to the table's frame. Pixel (column u, row v) has
      its middle at (u + 0.5, v + 0.5).
    * `instruction` uint8 (512,): UTF-8, padded with zeros.
    * `clock` int32 (4,): rows played, rows left, calls made, calls left (-1 for no limit).

    Numbers are float32 where nothing else is said.

    ## Starting state
    Both hands are open, elbows up, drawn back so that the head camera sees the table. Dolls stand
    at least 11.5 cm apart within x 0.40 to 0.62 and y -0.34 to 0.34; no two neighbouring sizes
    are in a row by chance.

    ## Rewards
    The change of the score / 100 that a chunk brought.

    ## Episode end
    Terminates when all conditions of success hold at the end of a chunk, after 1,050 rows
    (papers/002 A.1: 500 to 1,100), or after 80 calls (steps; papers/002 A.1).

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

    ## Options
    * `mode`: "pose" or "joint".
    * `rows`: rows of an action, 1 to 64; 1 gives control at 25 Hz.
    * `calls`: steps of an episode, or None for no limit but the horizon; written into instances.
    * `size`: (width, height) of the pictures, at most 2,048 each.
    * `renderer`: "raycast", or "mujoco" for MuJoCo's own pictures where OpenGL is there.
    * `look`: "standard", or "randomised" for another table, light and camera pose in each
      instance: colour or texture of the table, direction of the lamp, and a head camera that is
      off by up to 2 cm and 2 degrees.

    The named instances are the layouts of the splits: "development/1" to "/20" (the first five
    are the fixed panel), "validation/1" to "/5" and "test/1" to "/5", of which the last three of
    every five have a randomised look (papers/002 A.1).
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
