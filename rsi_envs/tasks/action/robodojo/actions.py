"""Actions of the bench's tasks: chunks of rows, as arrays and as text."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rsi_envs.core.answers import one_object, shown
from rsi_envs.core.results import BadAction
from rsi_envs.engines.arm.chain import ARMS, RANGES, WIDTH

Floats = NDArray[np.float64]

LONGEST = 64  # rows of a chunk, papers/002 A.1
DIGITS = 6  # of metres and the like that rows are rounded to
USED = 0.5  # a row whose "use" is less ends the chunk before it
BOUNDS = ((-0.2, -1.0, 0.0), (1.0, 1.0, 1.2))  # m that targets of the hands may be in
COLUMNS = 1 + len(ARMS) * WIDTH


def action_space(rows: int, mode: str) -> spaces.Box:
    """Return Box(rows, 17): "use", then 8 numbers of the left arm and 8 of the right."""
    if mode == "joint":
        low, high = [*RANGES[:, 0], 0.0], [*RANGES[:, 1], 1.0]
    else:
        low, high = [*BOUNDS[0], *[-1.0] * 4, 0.0], [*BOUNDS[1], *[1.0] * 4, 1.0]
    lowest, highest = (
        np.tile(np.array(ends, np.float32), (rows, 1)) for ends in ([0, *low * 2], [1, *high * 2])
    )
    return spaces.Box(lowest, highest, dtype=np.float32)


def chunk(rows: Any, length: int) -> NDArray[np.float32]:
    """Return the action (length, 17) that plays rows (n, 16) of targets, 1 <= n <= length."""
    action = np.zeros((length, COLUMNS), np.float32)
    action[: len(rows), 0] = 1.0
    action[: len(rows), 1:] = np.round(rows, DIGITS)
    return action


def used(action: Floats) -> Floats:
    """Return the rows (n, 16) that an action plays; the first one whatever its "use" is."""
    ends = np.flatnonzero(~(action[1:, 0] >= USED))
    return action[: 1 + ends[0] if ends.size else len(action), 1:]


def schema(rows: int) -> dict[str, Any]:
    """Return the JSON Schema of a text answer."""
    numbers = {"type": "array", "items": {"type": "number"}, "minItems": WIDTH, "maxItems": WIDTH}
    row = {
        "type": "object",
        "properties": {**{arm: numbers for arm in ARMS}, "use": {"type": "number"}},
        "additionalProperties": False,
    }
    rows_of = {"type": "array", "items": row, "minItems": 1, "maxItems": rows}
    return {
        "type": "object",
        "properties": {"rows": rows_of},
        "required": ["rows"],
        "additionalProperties": False,
    }


def parse(text: str, length: int, last: Floats) -> NDArray[np.float32]:
    """Return the action of an answer; an arm that a row leaves out stays at its target.

    Args:
        length: rows of an action.
        last: what both arms were told last, (16,).

    Raises:
        BadAction: no readable answer; the message says what is wrong with which row.
    """
    rows = one_object(text, ("rows",))["rows"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= length:
        raise BadAction(f"'rows' must be a list of 1 to {length} rows, got {shown(rows)}")
    action = np.zeros((length, COLUMNS), np.float32)
    for at, row in enumerate(rows):
        last = _row(at, row, action[at], last)
    return action


def _row(at: int, row: Any, into: NDArray[np.float32], last: Floats) -> Floats:
    """Write a row of an answer into an action's; return what both arms are told by it."""
    keys = (*ARMS, "use")
    if not isinstance(row, dict) or not set(row) <= set(keys):
        raise BadAction(f"row {at} must be an object with the keys {keys}, got {shown(row)}")
    told = last.copy()
    for a, arm in enumerate(ARMS):
        if arm in row:
            told[a * WIDTH : (a + 1) * WIDTH] = _numbers(f"{arm!r} of row {at}", row[arm], WIDTH)
    into[0] = _numbers(f"'use' of row {at}", [row.get("use", 1.0)], 1)[0]
    into[1:] = told
    return told


def _numbers(name: str, values: Any, count: int) -> list[float]:
    numeric = isinstance(values, list) and all(type(v) in (int, float) for v in values)
    if not numeric or len(values) != count:
        raise BadAction(f"{name} must be {count} numbers, got {shown(values)}")
    if any(abs(v) > 1e6 for v in values):
        raise BadAction(f"{name} must be numbers up to a million, got {shown(values)}")
    return [float(v) for v in values]


def format_action(action: Any, shape: tuple[int, ...]) -> str:
    """Return the answer text of an action; `parse` reads it back.

    Rows of zeros at the end are left out.

    Raises:
        BadAction: the shape is wrong or a number is not finite.
    """
    array = np.asarray(action, np.float32)
    if array.shape != shape or not np.isfinite(array).all():
        raise BadAction(f"an action is {shape} finite numbers")
    count = max(1, len(array) - int((array[::-1] != 0).any(axis=1).argmax()))
    if not array.any():
        count = 1
    return json.dumps({"rows": [_told([_short(v) for v in row]) for row in array[:count]]})


def _short(value: np.float32) -> float:
    """Return the float with the fewest digits that is read back as this float32."""
    return float(str(value))


def _told(row: list[float]) -> dict[str, Any]:
    left, right = row[1 : 1 + WIDTH], row[1 + WIDTH :]
    told: dict[str, Any] = {"left": left, "right": right}
    return told if row[0] == 1.0 else {**told, "use": row[0]}
