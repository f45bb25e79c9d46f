"""Checking foreign actions: wrong type or shape is the caller's bug, wrong value is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

LARGEST = np.iinfo(np.int64).max


def check_action(space: spaces.Space[Any], action: Any) -> Any:
    """Return `action` in the form the rules take: an int for Discrete, else an array.

    Values outside the space pass: the rules score them as events. Any integer outside a
    Discrete space is as wrong as -1 and becomes it.

    Raises:
        ValueError: the type or shape is wrong; the message names the space.
    """
    if not isinstance(space, spaces.Discrete):
        return check_actions(space, action, space.shape or ())
    if type(action) is not int and not isinstance(action, np.integer):
        action = check_actions(space, action, ())[()]
    number, first = int(action), int(space.start)
    return number if first <= number < first + int(space.n) else -1


def check_actions(space: spaces.Space[Any], action: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return `action` as an array of `shape` with the kind of numbers that `space` holds.

    Raises:
        ValueError: as `check_action`.
    """
    try:
        array = np.asarray(action)
    except ValueError:
        raise ValueError(f"action must be an array for {space}, got {_shown(action)}") from None
    whole = space.dtype is not None and not np.issubdtype(space.dtype, np.floating)
    if array.dtype.kind not in ("iu" if whole else "iuf"):
        kind = "integers" if whole else "numbers"
        raise ValueError(f"action must be {kind} for {space}, got {_shown(action)}")
    if array.shape != shape:
        raise ValueError(f"action must have shape {shape} for {space}, got shape {array.shape}")
    if not whole:
        return array.astype(np.float64)
    if array.dtype == np.uint64:
        array = np.where(array > LARGEST, -1, array.astype(np.int64))
    return array.astype(np.int64)


def join_chunks(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the chunk of rows in which several parts are played side by side.

    Args:
        parts: each float (rows, 1 + n) with its own column "use" first; it ends before its
            first row, but the very first, with a use below 0.5.

    Returns:
        float (rows, 1 + all n), as long as the longest part; shorter ones hold their last row.
    """
    lengths = [1 + int((np.append(part[1:, 0], 0.0) < 0.5).argmax()) for part in parts]
    longest = parts[int(np.argmax(lengths))]
    held = [
        part[np.minimum(np.arange(len(part)), length - 1), 1:]
        for part, length in zip(parts, lengths)
    ]
    return np.concatenate([longest[:, :1], *held], axis=1)


def _shown(action: Any) -> str:
    text = repr(action)
    return f"{type(action).__name__} {text if len(text) <= 80 else text[:77] + '...'}"
