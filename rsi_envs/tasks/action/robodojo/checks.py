"""Checks of options and of instances' data; a ValueError names the choices."""

from __future__ import annotations

from typing import Any

LONGEST_EPISODE = 1_000_000  # rows or calls


def pair(size: Any) -> tuple[int, int]:
    """Return a (width, height), or raise ValueError if it is no pair."""
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise ValueError(f"size must be (width, height) in pixels, got {size!r}")
    return (size[0], size[1])


def check_whole(name: str, value: Any, most: int) -> None:
    """Raise ValueError unless `value` is a whole number from 1 to `most`."""
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 1 to {most}, got {value!r}")


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise ValueError unless `value` is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
