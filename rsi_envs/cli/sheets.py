"""Contact sheets: an episode in one picture."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rsi_envs.engines.render.font import ROWS, text_size, write
from rsi_envs.engines.render.palette import INK, PAPER
from rsi_envs.engines.render.raster import Raster, blank

MOST = 12  # pictures on a sheet
MARGIN = 4  # pixels around a picture and its number


def chosen(count: int, most: int = MOST) -> list[int]:
    """Return at most `most` numbers below `count`, evenly spaced, the first and last among them."""
    if count <= most:
        return list(range(count))
    return [index * (count - 1) // (most - 1) for index in range(most)]


def sheet(pictures: Sequence[NDArray[np.uint8]], scale: int = 1, most: int = MOST) -> bytes:
    """Return a PNG of evenly spaced pictures of an episode, each with its number above it.

    Args:
        pictures: of all states, each uint8 (height, width, 3) of the same size; number 0 shows
            the start, number n the state after n steps.
        scale: by which pictures and numbers are enlarged.
        most: pictures that are shown, at least 2.
    """
    numbers = chosen(len(pictures), most)
    wide = max(pictures[0].shape[1] * scale, text_size(str(numbers[-1]), scale)[1])
    panels = [_panel(pictures[number], number, scale, wide) for number in numbers]
    columns = math.ceil(math.sqrt(len(panels)))
    panels += [np.full_like(panels[0], PAPER)] * (-len(panels) % columns)
    rows = [np.hstack(panels[at : at + columns]) for at in range(0, len(panels), columns)]
    file = io.BytesIO()
    Image.fromarray(np.vstack(rows)).save(file, "PNG", optimize=True)
    return file.getvalue()


def _panel(picture: NDArray[np.uint8], number: int, scale: int, wide: int) -> Raster:
    """Return a picture in its margin, with its number above."""
    large = picture.repeat(scale, axis=0).repeat(scale, axis=1)
    top = 2 * MARGIN + ROWS * scale
    panel = blank(top + large.shape[0] + MARGIN, wide + 2 * MARGIN, PAPER)
    write(panel, MARGIN, MARGIN, str(number), INK, scale)
    panel[top : top + large.shape[0], MARGIN : MARGIN + large.shape[1]] = large
    return panel
