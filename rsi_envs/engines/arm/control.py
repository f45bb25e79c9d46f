"""Rows of targets: limits, inverse kinematics and the clock of an episode.

A row holds 8 numbers an arm. As "pose": the tool centre point's position (m, world), quaternion
(w, x, y, z) and grip; as "joint": seven joint angles (rad) and grip. Grip is 0 closed to 1 open.
What cannot be followed is limited or refused, and counted, a code each; the simulation goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.arm.bench import Bench, refresh
from rsi_envs.engines.arm.chain import ARMS, BASES, HOME, OPEN, SQUEEZE, SUBSTEPS, WIDTH
from rsi_envs.engines.arm.following import CODES, command
from rsi_envs.engines.arm.kinematics import hand_pose

Floats = NDArray[np.float64]

MODES = ("pose", "joint")
MESSAGES: Mapping[str, str] = {
    "not_finite": "{arm} arm, rows with NaN or infinity, which were refused: {n}",
    "no_rotation": "{arm} arm, rows with a quaternion of zeros, whose poses were refused: {n}",
    "unnormalised": "{arm} arm, quaternions not of length 1, which were normalised: {n}",
    "too_low": "{arm} arm, targets inside the table, which were raised above it: {n}",
    "limited": "{arm} arm, targets farther than 3 cm or 0.15 rad, which were limited: {n}",
    "unreachable": "{arm} arm, targets out of reach, which were not followed: {n}",
    "grip": "{arm} arm, grips not between 0 and 1, which were clipped: {n}",
}


class Robot:
    """The two arms in an episode: what they were told, and MuJoCo's data.

    Attributes:
        data: MuJoCo's data, with poses and contacts up to date.
        angles: joint angles last told, (2, 7), rad.
        targets: poses last accepted, (2, 7), in the world.
        residual: metres by which the last targets were missed by the joint angles, (2,).
        rows: rows played so far.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.data = bench.fresh()
        self.angles: Floats = np.tile(HOME, (len(ARMS), 1))
        self.targets: Floats = np.array([hand_pose(HOME) for _ in ARMS])
        self.targets[:, :3] += BASES
        self.grips: Floats = np.ones(len(ARMS))
        self.residual: Floats = np.zeros(len(ARMS))
        self.rows = 0

    def play(self, rows: NDArray[Any], mode: str = "pose") -> NDArray[np.int64]:
        """Play rows (n, 16) of targets, one after the other, 40 ms each.

        Returns:
            How often each arm met each of CODES, int64 (2, number of codes).

        Raises:
            ValueError: the rows are not of shape (n, 16), or no such mode.
        """
        rows = np.asarray(rows, np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(ARMS) * WIDTH:
            raise ValueError(f"rows of targets have shape (n, 16), not {rows.shape}")
        if mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        counts = np.zeros((len(ARMS), len(CODES)), np.int64)
        control = self.data.ctrl.reshape(len(ARMS), WIDTH)
        for row in rows:
            told = row.reshape(len(ARMS), WIDTH)
            command(
                told, mode == "joint", BASES, self.angles, self.targets, self.grips,
                self.residual, counts,
            )  # fmt: skip
            control[:, :-1] = self.angles
            control[:, -1] = SQUEEZE + self.grips * (OPEN - SQUEEZE)
            mujoco.mj_step(self.bench.model, self.data, nstep=SUBSTEPS)
        self.rows += len(rows)
        refresh(self.bench.model, self.data)
        return counts

    def freeze(self) -> bytes:
        """Return everything as bytes; `thaw` goes on from them bit for bit."""
        told = (self.angles, self.targets, self.grips, self.residual, np.array([float(self.rows)]))
        parts = (self.bench.state_of(self.data), *told)
        return b"".join(part.tobytes() for part in parts)

    def thaw(self, blob: bytes) -> None:
        """Go back to what `freeze` wrote, on the same bench.

        Raises:
            ValueError: the bytes are not of an episode on this bench.
        """
        if len(blob) != len(self.freeze()):
            raise ValueError("the saved state is not of this scene: its size is another")
        values = np.frombuffer(blob)
        ends = np.cumsum([len(self.bench.start), 14, 14, 2, 2, 1])
        state, angles, targets, grips, residual, rows = np.split(values, ends[:-1])
        self.bench.restore(self.data, state)
        self.angles, self.targets = angles.reshape(2, 7).copy(), targets.reshape(2, 7).copy()
        self.grips, self.residual, self.rows = grips.copy(), residual.copy(), int(rows[0])

    def __getstate__(self) -> dict[str, Any]:
        return {"bench": self.bench, "blob": self.freeze()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(saved["bench"])  # type: ignore[misc]
        self.thaw(saved["blob"])

    def __deepcopy__(self, memo: Any) -> Robot:
        copy = Robot(self.bench)
        copy.thaw(self.freeze())
        return copy


def messages(counts: NDArray[np.int64]) -> tuple[tuple[str, str], ...]:
    """Return (code, message) of everything that was counted in `Robot.play`."""
    return tuple(
        (code, MESSAGES[code].format(n=int(counts[a, c]), arm=arm))
        for a, arm in enumerate(ARMS)
        for c, code in enumerate(CODES)
        if counts[a, c]
    )
