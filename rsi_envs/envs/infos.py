"""Vector infos in Gymnasium's form: an array a key, beside it a mask of the rows that have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Info = dict[str, Any]


def row_mask(count: int, which: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return bool (count,), true at the rows `which`."""
    mask = np.zeros(count, np.bool_)
    mask[which] = True
    return mask


def spread(count: int, which: NDArray[np.int64], columns: Mapping[str, NDArray[Any]]) -> Info:
    """Return each column, which has one entry a row of `which`, over all rows, zero elsewhere."""
    found: Info = {}
    for name, values in columns.items():
        found[name] = np.zeros((count, *values.shape[1:]), values.dtype)
        found[name][which] = values
    return present(count, which, found)


def present(count: int, which: NDArray[np.int64], values: Mapping[str, Any]) -> Info:
    """Return `values` with a `_key` mask each that is true at the rows `which`."""
    found: Info = dict(values)
    for name in values:
        found[f"_{name}"] = row_mask(count, which)
    return found
