"""What holds in a scene: one place for environment, scorer, tests and instruction texts.

A thing that is merely passing by counts for nothing: what tasks ask for is tested together with
`settled`, `released` and `supported`, so that nothing in a hand or in the air is a success.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.chain import ARMS, BASES, HOME
from rsi_envs.engines.arm.kinematics import hand_pose, turn_between

Floats = NDArray[np.float64]

SLOW = 0.01  # m/s below which a thing rests
TURNS_SLOWLY = 0.3  # rad/s likewise
WIDE = 0.8  # of its opening that a gripper which has let go shows
BACK, BACK_TURN = 0.15, math.radians(20)  # m and rad within which an arm is back at its start


@dataclass(frozen=True, eq=False)
class Sight:
    """A scene at one moment; poses and contacts in `data` must be up to date (`refresh`)."""

    bench: Bench
    data: Any

    def place(self, thing: str) -> Floats:
        """Return where a thing is, (3,), metres."""
        place: Floats = self.data.xpos[self._body(thing)].copy()
        return place

    def axis(self, thing: str) -> Floats:
        """Return the world direction of a thing's own z axis, (3,)."""
        axis: Floats = self.data.xmat[self._body(thing)].reshape(3, 3)[:, 2].copy()
        return axis

    def yaw(self, thing: str) -> float:
        """Return how far a thing is turned about the vertical: where its x axis points, rad."""
        matrix = self.data.xmat[self._body(thing)].reshape(3, 3)
        return math.atan2(matrix[1, 0], matrix[0, 0])

    def upright(self, thing: str, degrees: float = 15.0) -> bool:
        """Whether a thing's z axis is at most so far from the vertical."""
        return bool(self.axis(thing)[2] >= math.cos(math.radians(degrees)))

    def near(self, thing: str, point: Sequence[float], tolerance: float) -> bool:
        """Whether a thing is within a distance (m) of a point, above the table or in space.

        A point of two numbers is compared in x and y only.

        Raises:
            ValueError: the point has neither two nor three numbers.
        """
        there = np.asarray(point, np.float64)
        if there.shape not in ((2,), (3,)):
            raise ValueError(f"a point has 2 or 3 numbers, not {point!r}")
        return float(np.linalg.norm(self.place(thing)[: len(there)] - there)) <= tolerance

    def inside(self, thing: str, low: Sequence[float], high: Sequence[float]) -> bool:
        """Whether a thing's middle is in a box of the world."""
        place = self.place(thing)
        return bool((place >= low).all() and (place <= high).all())

    def settled(self, thing: str) -> bool:
        """Whether a thing rests: below 1 cm/s and 0.3 rad/s."""
        velocity = np.zeros(6)
        body = mujoco.mjtObj.mjOBJ_BODY
        mujoco.mj_objectVelocity(self.bench.model, self.data, body, self._body(thing), velocity, 0)
        turn, speed = np.linalg.norm(velocity[:3]), np.linalg.norm(velocity[3:])
        return bool(speed < SLOW and turn < TURNS_SLOWLY)

    def released(self, thing: str) -> bool:
        """Whether no part of a robot touches a thing."""
        return not self._touching(self._body(thing)) & self.bench.robot

    def supported(self, thing: str) -> bool:
        """Whether a thing stands on something fixed, perhaps by way of other things.

        Robots do not count: what lies in a box that a hand holds up is in mid-air, too.
        """
        bodies, waiting = {self._body(thing)}, [self._body(thing)]
        model = self.bench.model
        while waiting:
            for geom in self._touching(waiting.pop()) - self.bench.robot:
                body = int(model.geom_bodyid[geom])
                if model.body_weldid[model.body_rootid[body]] == 0:
                    return True
                if body not in bodies:
                    bodies.add(body)
                    waiting.append(body)
        return False

    def at_rest(self, thing: str) -> bool:
        """Whether a thing is settled, released and supported."""
        return self.settled(thing) and self.released(thing) and self.supported(thing)

    def in_order(self, things: Sequence[str], axis: int, gap: float) -> bool:
        """Whether each thing is at least `gap` metres further along a world axis than the last."""
        places = np.array([self.place(thing)[axis] for thing in things])
        return bool((np.diff(places) >= gap).all())

    def aligned(self, things: Sequence[str], axis: int, spread: float) -> bool:
        """Whether things lie within `spread` metres of each other along a world axis."""
        places = [float(self.place(thing)[axis]) for thing in things]
        return max(places) - min(places) <= spread

    def open(self) -> bool:
        """Whether all grippers are at least 80 % open."""
        return bool((self.bench.opening(self.data) >= WIDE).all())

    def returned(self, arm: int) -> bool:
        """Whether an arm's hand is within 15 cm and 20 degrees of where it started."""
        start = hand_pose(HOME)
        tip = self.bench.tip(self.data, arm)
        off = float(np.linalg.norm(tip[:3] - start[:3] - BASES[arm]))
        return off <= BACK and float(np.linalg.norm(turn_between(start[3:], tip[3:]))) <= BACK_TURN

    def all_returned(self) -> bool:
        """Whether every arm has returned."""
        return all(self.returned(arm) for arm in range(len(ARMS)))

    def _body(self, thing: str) -> int:
        if thing not in self.bench.things:
            known = ", ".join(self.bench.things) or "none"
            raise ValueError(f"no thing {thing!r} on this bench; things: {known}")
        return int(self._bodies[thing])

    @cached_property
    def _bodies(self) -> dict[str, int]:
        return {name: self.bench.model.body(name).id for name in self.bench.things}

    @cached_property
    def _contacts(self) -> NDArray[np.int64]:
        """Return the pairs of geoms that touch, (n, 2)."""
        pairs = self.data.contact.geom[self.data.contact.dist <= 0.0]
        return np.array(pairs, np.int64).reshape(-1, 2)

    def _touching(self, body: int) -> set[int]:
        """Return the geoms of other bodies that touch a body."""
        own = np.flatnonzero(self.bench.model.geom_bodyid == body)
        first, second = self._contacts.T
        found = {*second[np.isin(first, own)].tolist(), *first[np.isin(second, own)].tolist()}
        return found - set(own.tolist())
