"""Textures by name: characters as on printed tiles, and patterns for tables.

A texture is uint8 (SIDE, SIDE, 3), row 0 on top; it multiplies the colour of its geom, so that
255 leaves it as it is. Integer arithmetic and the suite's own font: the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.render.font import GLYPHS
from rsi_envs.engines.render.scene import TOP_ONLY

SIDE = 96  # texels
INK, DARK = 25, 190  # of characters, and of the darker fields of a pattern
UNDERLINED = "69"  # as on real tiles: what would read as another one upside down

# Metres that one copy of a pattern covers.
TILES = {"checker": 0.4, "stripes": 0.2, "wood": 0.5}


def names() -> str:
    """Return what can be drawn, for messages."""
    return f"{', '.join(TILES)} or a letter or digit"


def known(name: str) -> bool:
    """Return whether a name stands for a texture: a pattern in TILES, an ASCII letter or digit."""
    return name in TILES or (len(name) == 1 and name in GLYPHS and name.isalnum())


def tile(name: str) -> float:
    """Return a texture's `Scene.tile`: its metres, or TOP_ONLY for characters."""
    return TILES.get(name, TOP_ONLY)


@cache
def texture(name: str) -> NDArray[np.uint8]:
    """Return a texture, read-only; a ValueError lists the valid names."""
    if not known(name):
        raise ValueError(f"no texture {name!r}; textures: {names()}")
    level = _character(name) if name not in TILES else _PATTERNS[name](*np.indices((SIDE, SIDE)))
    shown = np.repeat(level.astype(np.uint8)[..., None], 3, axis=2)
    shown.setflags(write=False)
    return shown


def atlas(textures: Iterable[str]) -> NDArray[np.uint8]:
    """Return the textures of some names, one after the other, uint8 (k, SIDE, SIDE, 3)."""
    found = [texture(name) for name in textures]
    return np.array(found, np.uint8).reshape(-1, SIDE, SIDE, 3)


def _character(name: str) -> NDArray[np.int64]:
    """Return a character, dark on light, 70 texels wide and high; 6 and 9 are underlined."""
    level = np.full((SIDE, SIDE), 255)
    top = 6 if name in UNDERLINED else 13
    level[top : top + 70, 13:83][GLYPHS[name].repeat(10, axis=0).repeat(14, axis=1)] = INK
    if name in UNDERLINED:
        level[82:91, 13:83] = INK
    return level


def _checker(row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where((row // 24 + column // 24) % 2, DARK, 255)


def _stripes(row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(row // 12 % 2, DARK, 255)


def _wood(row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
    """Grain along the rows that bends a little, and a joint every 24 rows."""
    grain = (row + np.minimum(column, SIDE - column) // 12) % SIDE
    level = 255 - (grain * grain * 37 + grain * 101) % 41
    return np.where(row % 24 == 0, DARK, level)


_PATTERNS = {"checker": _checker, "stripes": _stripes, "wood": _wood}
