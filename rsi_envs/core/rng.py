"""Seeds: derived by SHA-256 from named parts, never by addition.

Two runs whose root seeds differ by one share no instance, and a seed says nothing about its
neighbours. The draws inside rules come from the counter hash in `rsi_envs.core.kernels`.
"""

from __future__ import annotations

import hashlib
import operator
from typing import Any

SEED_END = 2**63


def derive(*parts: str | int) -> int:
    """Derive a seed in [0, 2**63) from named parts, the same on every machine.

    Args:
        parts: strings and integers, e.g. ``derive("episode", 7, 1)``. Order matters.

    Raises:
        TypeError: a part is neither a string nor an integer.
    """
    text = ""
    for part in parts:
        if type(part) is str:
            text += f"{len(part)}:{part};"
        elif type(part) is int:
            text += f"i{part};"
        else:
            raise TypeError(f"derive() takes strings and integers, not {part!r}")
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def check_seed(seed: Any) -> int:
    """Return `seed` as an int, or raise ValueError unless it is an integer in [0, 2**63)."""
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < SEED_END:
        raise ValueError(f"seed must be an integer in [0, 2**63), got {seed!r}")
    return number
