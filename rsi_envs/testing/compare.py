"""Comparing observations, infos and whole results bit for bit, naming the first difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rsi_envs.testing.conformance import require


def difference(a: Any, b: Any, where: str = "") -> str:
    """Return the first difference between two nested values, "" where there is none.

    Types, dtypes, shapes and bits must agree; NaN equals NaN.
    """
    if type(a) is not type(b):
        return f"{where} is {type(a).__name__} {a!r:.60} against {type(b).__name__} {b!r:.60}"
    if isinstance(a, Mapping):
        if set(a) != set(b):
            return f"{where} has keys {sorted(map(str, a))} against {sorted(map(str, b))}"
        return _first((a[key], b[key], f"{where}[{key!r}]") for key in a)
    if isinstance(a, list | tuple):
        return _sequences(a, b, where)
    if isinstance(a, np.ndarray):
        return _arrays(a, b, where)
    same = a == b or (isinstance(a, float) and a != a and b != b)
    return "" if same else f"{where} is {a!r:.80} against {b!r:.80}"


def _first(parts: Iterator[tuple[Any, Any, str]]) -> str:
    return next((found for part in parts if (found := difference(*part))), "")


def _sequences(a: Any, b: Any, where: str) -> str:
    if len(a) != len(b):
        return f"{where} has {len(a)} entries against {len(b)}"
    return _first(((one, other, f"{where}[{i}]") for i, (one, other) in enumerate(zip(a, b))))


def _arrays(a: NDArray[Any], b: NDArray[Any], where: str) -> str:
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{where} is {a.dtype}{a.shape} against {b.dtype}{b.shape}"
    if a.dtype == object:
        return _sequences(list(a), list(b), where)
    if a.tobytes() == b.tobytes():
        return ""
    index = np.unravel_index(int((_bytes(a) != _bytes(b)).any(axis=1).argmax()), a.shape)
    return f"{where}{[int(i) for i in index]} is {a[index]!r} against {b[index]!r}"


def _bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(array.tobytes(), np.uint8).reshape(array.size, array.itemsize)


def require_same(a: Any, b: Any, what: str) -> None:
    """Raise `ConformanceError` naming the first difference between `a` and `b`."""
    found = difference(a, b)
    require(not found, f"{what} differ: {found}")


def arrays_in(value: Any) -> list[NDArray[Any]]:
    """Return all arrays inside nested dicts, lists and object arrays."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list | tuple | np.ndarray):
        return []
    return [array for item in value for array in arrays_in(item)]


def require_fresh(old: Any, new: Any, what: str) -> None:
    """Raise `ConformanceError` if two results share the memory of an array."""
    for one in arrays_in(old):
        for other in arrays_in(new):
            require(not np.shares_memory(one, other), f"{what} share memory")
