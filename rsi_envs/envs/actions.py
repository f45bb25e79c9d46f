"""Checking foreign actions: wrong type or shape is the caller's bug, wrong value is not."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray


def check_action(space: spaces.Space[Any], action: Any) -> Any:
    """Return `action` in the form the rules take: an int for Discrete, else an array.

    Values outside the space pass: the rules score them as events.

    Raises:
        ValueError: the type or shape is wrong; the message names the space.
    """
    if type(action) is int:
        number = action
    elif isinstance(space, spaces.Discrete) and isinstance(action, np.integer):
        number = int(action)
    else:
        return check_actions(space, action, space.shape or ())[()]
    if not isinstance(space, spaces.Discrete):
        raise ValueError(
            f"action must be an array of shape {space.shape} for {space}, got a number"
        )
    # Any number outside the space is equally wrong; -1 keeps huge ones inside int64.
    return number if 0 <= number - space.start < space.n else -1


def check_actions(space: spaces.Space[Any], action: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return `action` as an array of `shape` with the kind of numbers that `space` holds.

    Raises:
        ValueError: as `check_action`.
    """
    array = np.asarray(action)
    whole = space.dtype is not None and not np.issubdtype(space.dtype, np.floating)
    if array.dtype.kind not in ("iu" if whole else "iuf"):
        kind = "integers" if whole else "numbers"
        raise ValueError(f"action must be {kind} for {space}, got {_shown(action)}")
    if array.shape != shape:
        raise ValueError(f"action must have shape {shape} for {space}, got shape {array.shape}")
    if not whole:
        return array.astype(np.float64)
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        return np.where(array > np.iinfo(np.int64).max, -1, array).astype(np.int64)
    return array.astype(np.int64)


def _shown(action: Any) -> str:
    text = repr(action)
    return f"{type(action).__name__} {text if len(text) <= 80 else text[:77] + '...'}"
