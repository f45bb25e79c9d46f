"""Fingerprints: hashes that pin an instance, its play and its picture on every machine.

Of physics, whose bits hold on one machine only, they are numbers to compare with a tolerance.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.task import Task
from rsi_envs.testing.conformance import require
from rsi_envs.testing.play import play, player

Fingerprint = dict[str, Any]
SECONDS = 600  # a process that takes longer hangs
CALM = 3  # actions of the reference that a fingerprint of physics plays
EXACT = ("key", "content", "steps")  # also of physics
NUMBERS, GREY = 5e-3, 2.0  # how far numbers and grey levels of physics may differ


def fingerprint(task: Task, difficulty: int, seed: int, reference: bool = True) -> Fingerprint:
    """Return what must not change for the life of a rules version, as plain JSON.

    The keys: "key" and "content" of the instance, "raw" of its reference (only if asked for),
    "steps" and "play" (number and hash of all actions, states, rewards, event codes and
    observations of a fixed play, a quarter of it wild), "score" after it, and "pixels" of the
    first and the last picture where the task draws any.

    Of physics the play is the first three actions of the reference. In place of "play" there are
    "numbers", the mean and spread of each observed field after it, and "pixels" is the mean of
    the picture; `mismatches` compares them.
    """
    if task.physics:
        return _numbers(task, difficulty, seed, reference)
    instance = task.generate(difficulty, seed)
    problem = task.prepare(instance)
    state = task.start(problem)
    digest, steps = hashlib.sha256(), 0
    first = _picture(task, problem, state)
    for turn in play(task, problem, state, player(task, difficulty, "golden", seed)):
        reward, done, events = turn.step
        codes = [event.code for event in events]
        action = np.asarray(turn.action).tolist()
        digest.update(repr((action, float(reward), int(done), codes)).encode())
        digest.update(task.freeze(problem, state))
        for name in sorted(turn.observation):
            value = np.ascontiguousarray(turn.observation[name])
            digest.update(f"{name}{value.dtype.str}{value.shape}".encode() + value.tobytes())
        steps += 1
    raw, success, metrics = task.score(problem, state)
    pixels = first + _picture(task, problem, state)
    found: Fingerprint = {"key": instance.key, "content": instance.content_key}
    if reference:
        found["raw"] = task.reference(instance).raw
    return {
        **found,
        "steps": steps,
        "play": digest.hexdigest(),
        "score": [raw, success, dict(metrics)],
        "pixels": hashlib.sha256(pixels).hexdigest() if pixels else None,
    }


def _numbers(task: Task, difficulty: int, seed: int, reference: bool) -> Fingerprint:
    """Return the fingerprint of a task with physics."""
    instance = task.generate(difficulty, seed)
    solution = task.reference(instance)
    actions = solution.actions[:CALM]
    problem, state, score = task.retrace(instance, actions)
    found: Fingerprint = {"key": instance.key, "content": instance.content_key}
    if reference:
        found["raw"] = round(solution.raw, 6)
    seen = task.observe(problem, state)
    metrics = {name: round(value, 6) for name, value in sorted(score.metrics.items())}
    try:
        pixels = [round(float(task.pixels(problem, state).mean()), 3)]
    except NotImplementedError:
        pixels = None
    return {
        **found,
        "steps": len(actions),
        "numbers": {name: _spread(value) for name, value in sorted(seen.items())},
        "score": [round(score.raw, 6), score.success, metrics],
        "pixels": pixels,
    }


def _spread(value: NDArray[Any]) -> list[float]:
    """Return mean and standard deviation of an array, rounded."""
    digits = 3 if _is_picture(value.dtype, value.ndim) else 6
    return [round(float(number), digits) for number in (value.mean(), value.std())]


def _is_picture(dtype: Any, dimensions: int) -> bool:
    return bool(dtype == np.uint8 and dimensions >= 3)


def mismatches(task: Task, known: Fingerprint, found: Fingerprint) -> list[str]:
    """Return the keys whose values differ in two fingerprints of an instance.

    Numbers of physics may differ by 0.005, grey levels by 2; everything else is exact.
    """
    names = [name for name in found if known.get(name) != found[name]]
    return [
        name
        for name in names
        if not task.physics or name in EXACT or not _close(task, known.get(name), found[name], name)
    ]


def _close(task: Task, a: Any, b: Any, name: str) -> bool:
    """Return whether nested values agree; `name` is the innermost key that leads to them."""
    if isinstance(a, dict) and isinstance(b, dict):
        return set(a) == set(b) and all(_close(task, a[key], b[key], key) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_close(task, x, y, name) for x, y in zip(a, b))
    if type(a) in (int, float) and type(b) in (int, float):
        seen = task.spaces(task.difficulties[0])[0].spaces.get(name)
        grey = seen is not None and _is_picture(seen.dtype, len(seen.shape or ()))
        return bool(abs(a - b) <= (GREY if grey or name == "pixels" else NUMBERS))
    return bool(a == b)


def _picture(task: Task, problem: Any, state: Any) -> bytes:
    """Return shape and pixels of a state's picture; nothing where the task draws none."""
    try:
        picture = task.pixels(problem, state)
    except NotImplementedError:
        return b""
    return f"{picture.shape}".encode() + picture.tobytes()


def fingerprints_elsewhere(
    task: Task, difficulty: int, seeds: Sequence[int], environment: dict[str, str]
) -> list[Fingerprint]:
    """Return fingerprints (without references) computed in another process.

    Args:
        task: must be picklable, so that its class can be imported there.
        difficulty: as for `fingerprint`.
        seeds: one fingerprint each.
        environment: variables to set there, e.g. ``{"NUMBA_DISABLE_JIT": "1"}``.

    Raises:
        ConformanceError: the process fails.
    """
    job = base64.b64encode(pickle.dumps((task, difficulty, [*seeds])))
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    done = subprocess.run(
        [sys.executable, "-c", "from rsi_envs.testing.fingerprints import _answer; _answer()"],
        input=job,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path, **environment},
        timeout=SECONDS,
    )
    require(done.returncode == 0, f"another process failed: {done.stderr.decode()[-1000:]}")
    found: list[Fingerprint] = json.loads(done.stdout)
    return found


def _answer() -> None:
    """Print the fingerprints of the job on standard input (written by the process above)."""
    task, difficulty, seeds = pickle.loads(base64.b64decode(sys.stdin.buffer.read()))
    found = [fingerprint(task, difficulty, seed, reference=False) for seed in seeds]
    print(json.dumps(found))
