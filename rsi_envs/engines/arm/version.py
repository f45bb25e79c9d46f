"""Which MuJoCo this release supports: the range that the package's own metadata states."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version

COMPARE = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    "!=": lambda a, b: a != b,
    "==": lambda a, b: a == b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


def supported_range() -> str:
    """Return the supported versions as in pyproject.toml, such as ">=3.11,<5".

    It is read from the installed package's metadata, and "" where the package runs from a
    folder without any: then nobody promised a range.
    """
    try:
        stated = requires("rsi-envs") or []
    except PackageNotFoundError:
        return ""
    found = (re.fullmatch(r"mujoco\s*\(?((?:[<>=!][^;()]*)?)\)?\s*", line) for line in stated)
    return next((match[1].strip() for match in found if match), "")


def check_mujoco_version() -> None:
    """Raise ImportError unless the installed MuJoCo is in the supported range; loads no MuJoCo.

    Raises:
        ImportError: MuJoCo is missing, or its version is not supported; the message tells the
            version found, the range and how to install one of it.
    """
    wanted = supported_range()
    try:
        found = version("mujoco")
    except PackageNotFoundError:
        raise ImportError(f"MuJoCo is not installed; pip install 'mujoco{wanted}'") from None
    if not _fits(found, wanted):
        raise ImportError(
            f"MuJoCo {found} is not supported by this release of rsi_envs; it needs {wanted}: "
            f"pip install 'mujoco{wanted}'"
        )


def _fits(found: str, wanted: str) -> bool:
    conditions = re.findall(r"(>=|<=|!=|==|>|<)\s*([0-9.]+)", wanted)
    return all(COMPARE[sign](_numbers(found), _numbers(end)) for sign, end in conditions)


def _numbers(text: str) -> tuple[int, ...]:
    """Return the release part of a version, three numbers: "3.11" is (3, 11, 0)."""
    match = re.match(r"[0-9]+(\.[0-9]+)*", text)
    parts = [int(part) for part in match[0].split(".")] if match else []
    return tuple((*parts, 0, 0, 0)[:3])
