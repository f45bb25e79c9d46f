"""Numba kernels: the decorator, the counter hash, the event log and record copies.

Kernels work on one-dimensional arrays of structured records. With NUMBA_DISABLE_JIT=1 the same
source runs as plain Python, bit for bit: hence int64 arithmetic with 32-bit masks and
multipliers below 2**31, so that no product overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.kernel_cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])
Records = NDArray[Any]


def kernel(function: F) -> F:
    """Compile `function` with numba, cached on disk where a cache folder can be written.

    In a read-only installation without a writable home no cache folder is found; the kernel is
    then compiled once in each process.
    """
    jit: Any = numba.njit
    compiled = jit(error_model="numpy")(function)
    if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        with suppress(RuntimeError):
            compiled._cache = KernelCache(function)
    return compiled  # type: ignore[no-any-return]


def records(count: int, dtype: np.dtype[Any]) -> Records:
    """Return `count` zeroed records. Without JIT they are a recarray, so `r[i].field` works."""
    made = np.zeros(count, dtype)
    return made.view(np.recarray) if numba.config.DISABLE_JIT else made  # type: ignore[attr-defined]


def as_bytes(array: Records) -> NDArray[np.uint8]:
    """View records as uint8 rows (count, itemsize); copying through it is 10 times faster."""
    return array.view(np.ndarray).view(np.uint8).reshape(len(array), array.dtype.itemsize)


@kernel
def mix(x: int) -> int:
    """Mix 32 bits into 32 bits, a bijection."""
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & 0xFFFFFFFF
    x ^= x >> 15
    x = (x * 0x735A2D97) & 0xFFFFFFFF
    return x ^ (x >> 15)


@kernel
def bits(seed: int, stream: int, counter: int) -> int:
    """Return 32 random bits: a pure function of a 63-bit seed, a stream and a counter.

    Both 32-bit halves of the seed reach every draw through separate lanes, so that seeds do not
    collapse into 2**32 sequences.
    """
    low = mix((seed & 0xFFFFFFFF) ^ mix((stream + 0x3C6EF372) & 0xFFFFFFFF))
    high = mix(((seed >> 32) + stream + 0x5BF03635) & 0xFFFFFFFF)
    return mix(mix((low + counter * 0x1E3779B9) & 0xFFFFFFFF) ^ high)


@kernel
def below(seed: int, stream: int, counter: int, end: int) -> int:
    """Return a random integer in [0, end), for end < 2**31."""
    return (bits(seed, stream, counter) * end) >> 32


@kernel
def emit(log: NDArray[np.int64], code: int, a: int, b: int) -> None:
    """Append the event (code, a, b) to a log: log[0] counts, triples follow while there is room.

    A log of length 0 is off (search), one of length 1 only counts (vector environments).
    """
    if log.size > 0:
        at = 1 + 3 * log[0]
        log[0] += 1
        if at + 2 < log.size:
            log[at] = code
            log[at + 1] = a
            log[at + 2] = b
