"""Print one speed ratio, or all: ``python -m benchmarks.ratio [NAME ...] [--json FILE]``.

Exit code 1 if a ratio misses its goal in both halves of the run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks import camera, mc, opengl, robots, voxel, workloads
from benchmarks.measure import NotHere, interleaved, rate
from rsi_envs.core.kernel_task import KernelTask
from rsi_envs.core.registry import TASKS

DIFFICULTY = 3


class Goal(NamedTuple):
    """A row of the table: how to measure it, and what it should reach."""

    measure: Callable[[], dict[str, Any]]
    goal: float
    what: str
    most: bool = False  # the goal is an upper bound


def _pair(make: Callable[..., Any], *args: Any, **options: Any) -> Callable[[], dict[str, Any]]:
    return lambda: interleaved(*make(*args, **options)).as_dict()


def _pushes() -> dict[str, Any]:
    """Return Astray's pushes per CPU second, not their ratio to counting in its rows."""
    ours, other = workloads.vector_to_touch(f"rsi/Astray-d{DIFFICULTY}", 4096)
    pairs = [(rate(ours), rate(other)) for _ in range(8)][1:]
    rates = [pair[0] for pair in pairs]
    halves = [statistics.median(rates[:4]), statistics.median(rates[3:])]
    return _summary(rates, halves, *map(statistics.median, zip(*pairs, strict=True)))


def _import() -> dict[str, Any]:
    pairs = [
        (workloads.import_seconds("rsi_envs", 1)[0], workloads.import_seconds("gymnasium", 1)[0])
        for _ in range(9)
    ]
    ratios = [ours / other for ours, other in pairs]
    halves = [statistics.median(ratios[:5]), statistics.median(ratios[4:])]
    return _summary(ratios, halves, *map(statistics.median, zip(*pairs, strict=True)))


def _first_step(env_id: str) -> dict[str, Any]:
    seconds = workloads.first_step_seconds(env_id)
    halves = [statistics.median(seconds[:4]), statistics.median(seconds[3:])]
    return _summary(seconds, halves, statistics.median(seconds), 1.0)


def _summary(values: list[float], halves: list[float], ours: float, other: float) -> dict[str, Any]:
    middle = statistics.median(values)
    ends = {"low": min(values), "high": max(values), "halves": halves}
    return {"ours": ours, "other": other, "median": middle, **ends}


def _frames(make: Callable[..., Any], args: Any, pixels: int) -> Callable[[], dict[str, Any]]:
    """Return what measures frames, with the time of a pixel as a note."""

    def measure() -> dict[str, Any]:
        found = interleaved(*make(*args)).as_dict()
        pixel = 1e9 / (found["ours"] * pixels)
        return {**found, "note": f" ({pixel:.3g} ns a pixel)"}

    return measure


def goals() -> dict[str, Goal]:
    """Return every row by name; those of kernel tasks follow from the registry."""
    rows = {"import": Goal(_import, 1.3, "import rsi_envs / import gymnasium, CPU s", most=True)}
    for name, size in (("voxel-frames", (160, 90)), ("voxel-frames-64", (64, 64))):
        what = f"voxel pictures a second, {size[0]}x{size[1]} / writing as many pixels"
        rows[name] = Goal(_frames(voxel.frames, size, size[0] * size[1]), 0.003, what)
    for count in (23, 73):
        what = f"pictures of {count} geoms a second, 128x128 / mj_multiRay"
        rows[f"camera-{count}"] = Goal(_frames(camera.frames, (count,), camera.SIDE**2), 3, what)
        what = f"pictures of {count} geoms a second, 320x240 / mujoco.Renderer in software OpenGL"
        rows[f"opengl-{count}"] = Goal(lambda count=count: opengl.measured(count), 3, what)
    rows["arm-control"] = Goal(
        _pair(robots.control), 0.85, "rows of targets a second / mj_step alone in the same scene"
    )
    rows["mc-vector"] = Goal(
        _pair(mc.steps, f"rsi/MC-d{DIFFICULTY}"), 1 / 3, "vector steps / copying as many records"
    )
    for name, size, goal in (("mc-frames", (160, 90), 0.001), ("mc-frames-64", (64, 64), 0.0005)):
        what = f"pictures a second, {size[0]}x{size[1]} / copying as many pixels"
        rows[name] = Goal(_pair(mc.frames, *size), goal, what)
    for name, task in sorted(TASKS.items()):
        if not issubclass(task, KernelTask):
            continue
        env_id, short = f"rsi/{name}-d{DIFFICULTY}", name.lower()
        rows.update(_speeds(short, env_id))
        for mode in getattr(task, "modes", ())[1:]:
            rows.update(_speeds(f"{short}-{mode}", env_id, mode=mode))
        rows[f"{short}-first-step"] = Goal(
            lambda env_id=env_id: _first_step(env_id), 1.0, "cached process to first step, s", True
        )
    rows["astray-vector"] = Goal(
        _pushes, 500_000, "pushes per CPU second, native vector, 4096; other: counting in rows"
    )
    return rows


def _speeds(short: str, env_id: str, **options: Any) -> dict[str, Goal]:
    """Return the rows of a kernel task with some options."""
    found = {
        f"{short}-single": Goal(
            _pair(workloads.single, env_id, **options),
            0.25,
            "gym.make steps / no-op env with a kernel",
        ),
        f"{short}-sync": Goal(
            _pair(workloads.vector_to_sync, env_id, 256, **options),
            20,
            "native vector / SyncVectorEnv, 256",
        ),
    }
    for count in (256, 4096):
        found[f"{short}-vector-{count}"] = Goal(
            _pair(workloads.vector_to_floor, env_id, count, **options),
            0.5,
            f"native vector / kernel + observation copy, {count}",
        )
    return found


def main() -> int:
    rows = goals()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(rows))
    parser.add_argument("--json", help="also write the figures to this file")
    given = parser.parse_args()
    if unknown := sorted(set(given.names) - set(rows)):
        parser.error(f"no row {', '.join(unknown)}; rows: {', '.join(rows)}")
    results, missed = {}, []
    print(f"{'row':24s} {'ours':>12s} {'other':>12s} {'ratio':>8s}  {'spread':17s} goal")
    for name in given.names or rows:
        row = rows[name]
        try:
            found = row.measure()
        except NotHere as error:
            print(f"{name:24s} not measured: {error}")
            continue
        reached = [half <= row.goal if row.most else half >= row.goal for half in found["halves"]]
        missed += [] if any(reached) else [name]
        results[name] = {**found, "goal": row.goal, "at_most": row.most, "what": row.what}
        spread = f"{found['low']:.3g} .. {found['high']:.3g}"
        sign = "<=" if row.most else ">="
        print(
            f"{name:24s} {found['ours']:12.4g} {found['other']:12.4g} {found['median']:8.3g}  "
            f"{spread:17s} {sign} {row.goal:g}  {row.what}{found.get('note', '')}"
        )
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    if missed:
        print("missed in both halves:", ", ".join(missed), file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
