"""Pictures on the page: small PNGs inside the HTML, drawn now or kept with the records."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from rsi_envs.protocol.feedback import picture_name
from rsi_envs.protocol.files import IMAGES
from rsi_envs.report.reading import Step

COLOURS = 32  # of a picture's palette
A_STRIP, THUMB = 8, 160  # pictures in a strip, and their largest side


def png(image: Image.Image) -> bytes:
    """Return a picture as a small PNG with a palette."""
    buffer = io.BytesIO()
    # Other palettes are made for what is frequent, and take a small ball's colour away.
    few = image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
    few.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def img(image: Image.Image, alt: str) -> str:
    """Return a picture as an HTML element; `alt` says, without markup, what it shows."""
    source = base64.b64encode(png(image)).decode()
    return (
        f'<img src="data:image/png;base64,{source}" '
        f'width="{image.width}" height="{image.height}" alt="{alt}">'
    )


def strip(folder: Path, steps: Sequence[Step]) -> str:
    """Return HTML with some of the pictures that were shown in an episode, first and last too.

    Args:
        folder: of the run, whose images/ holds them by the hash of their content.
    """
    shown: dict[str, int] = {}  # by name the action before which it was shown first
    for number, step in enumerate(steps, start=1):
        for name in step.pictures:
            shown.setdefault(name, number)
    if not shown:
        return ""
    told = list(shown.items())
    chosen = np.unique(np.linspace(0, len(told) - 1, A_STRIP).round().astype(int)).tolist()
    found = [_kept(folder / IMAGES / f"{told[at][0]}.png", *told[at]) for at in chosen]
    note = f"Shown with the prompt: {len(chosen)} of {len(told)} pictures, by the action after it."
    return f"<p class=note>{note}<div class=strip>{''.join(found)}</div>"


def _kept(path: Path, name: str, number: int) -> str:
    """Return a recorded picture as HTML, or a note if it is not what the records name."""
    try:
        with Image.open(path) as file:
            image = file.convert("RGB")
        intact = picture_name(np.asarray(image)) == name
    except (OSError, SyntaxError):  # missing, or no PNG any more
        intact = False
    if not intact:
        return f"<span>{number}: {IMAGES}/{name[:12]}… is missing or was changed</span>"
    image.thumbnail((THUMB, THUMB))
    return f"<span>{number} {img(image, f'Shown before action {number}')}</span>"
