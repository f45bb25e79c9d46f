"""The command record."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from PIL import Image

from rsi_envs.cli.sheets import sheet
from rsi_envs.cli.terminal import EnvId, Named, Seed, begin, console, make

LAST_MS = 2000  # how long the last frame stays, at least
FASTEST, LARGEST = 50, 16  # a GIF counts in hundredths of a second


def record(
    env_id: EnvId,
    out: Annotated[Path, typer.Option(help="the .gif or .png file to write")],
    agent: Annotated[str, typer.Option(help="who plays")] = "reference",
    seed: Seed = 0,
    instance: Named = None,
    fps: Annotated[int, typer.Option(help="frames a second of a .gif", min=1, max=FASTEST)] = 4,
    scale: Annotated[int, typer.Option(help="enlarge the picture", min=1, max=LARGEST)] = 2,
) -> None:
    """Record an episode of an agent as an animated GIF or as a contact sheet.

    A .gif has a frame for every state, a .png a dozen evenly spaced ones with their numbers.
    Robots are recorded in short chunks of 8 rows (0.32 s) without a limit on calls.
    """
    kind = out.suffix.lower()
    if kind not in (".gif", ".png"):
        raise ValueError(f"{str(out)!r} must end in .gif or .png")
    filmed = make(env_id).unwrapped.task.filmed
    env, observation = begin(env_id, seed, instance, **filmed)
    if "rgb_array" not in env.metadata["render_modes"]:
        raise ValueError(f"{env.task.name} draws no picture; nothing can be recorded")
    pictures, result = _played(env, observation, agent, seed)
    if kind == ".gif":
        content = gif([frame(each, scale) for each in pictures], fps)
    else:
        content = sheet(pictures, scale)
    try:
        out.write_bytes(content)
    except OSError as error:  # of a full disk it does not name the file
        raise OSError(error.errno, error.strerror, str(out)) from None
    told = f"written to {out}: {len(pictures) - 1} steps, score {result['score']:.4f}"
    console.print(told, markup=False, highlight=False, soft_wrap=True)


def _played(
    env: Any, observation: Any, agent: str, seed: int
) -> tuple[list[NDArray[np.uint8]], dict[str, Any]]:
    """Play an episode that has begun; return its pictures, first state included, and last info."""
    from rsi_envs.baselines import agents
    from rsi_envs.protocol.agents import View

    player = agents.make(agent, env.instance, seed, env.task)
    pictures = [env.task.pixels(env.problem, env.state)]
    done = False
    while not done:
        action = player.act(View(env, observation, len(pictures) - 1))
        observation, _, terminated, truncated, info = env.step(action)
        done = terminated or truncated
        pictures.append(env.task.pixels(env.problem, env.state))
    return pictures, info


def frame(picture: NDArray[np.uint8], scale: int) -> Image.Image:
    """Return a picture, uint8 (height, width, 3), enlarged and with at most 256 colours."""
    # Other palettes are made for what is frequent, and take a small ball's colour away.
    image = Image.fromarray(picture).quantize(256, method=Image.Quantize.MAXCOVERAGE)
    size = (image.width * scale, image.height * scale)
    return image.resize(size, Image.Resampling.NEAREST)


def gif(frames: Sequence[Image.Image], fps: int) -> bytes:
    """Return an endless GIF of frames; the last one stays longer.

    Frames that show the same, one after the other, become one that stays as long as all.
    """
    each = 1000 // fps
    durations = [each] * (len(frames) - 1) + [max(each, LAST_MS)]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return file.getvalue()
