"""How players do at the bench, and how quickly it is simulated.

    python -m benchmarks.robots [--layouts N] [--write]    the table, into docs/results/robots.md

Layouts are the seeds 0 to N - 1 of each difficulty. "Oracle" is the reference, which knows where
everything is; "vision" sees what any agent sees.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

import rsi_envs
from benchmarks.measure import Workload
from rsi_envs.engines.arm.bench import Bench
from rsi_envs.engines.arm.chain import SUBSTEPS
from rsi_envs.engines.arm.control import Robot
from rsi_envs.engines.arm.paths import Path as Way
from rsi_envs.engines.arm.paths import side_by_side, top_down
from rsi_envs.engines.arm.shapes import Shape, Thing
from rsi_envs.tasks.action.robodojo.actions import used

PAGE = Path(__file__).parents[1] / "docs" / "results" / "robots.md"
PLAYERS = ("vision", "oracle")
HEAD = """# Robots: how hand-written players do

`python -m benchmarks.robots --layouts {count} --write`

rsi-envs {release}, mujoco {mujoco}; {count} layouts of each difficulty, pictures of 320x240.

- *Vision* is a hand-written player that sees what any agent sees: the
  pictures, their calibration and the arms. It is written for these tasks, uses no model, and is
  no measure of what an agent would do by itself. *Oracle* is the reference: it also knows where
  everything is.
- Successes of all layouts, and the mean score in brackets; rows: the most of the oracle's
  episodes, of the horizon.

| task | d | vision | oracle | rows |
|---|---|---|---|---|
"""


class Row(NamedTuple):
    """How the players did on the layouts of one difficulty: their scores, and rows played."""

    task: str
    difficulty: int
    scores: dict[str, list[float]]
    rows: list[int]
    horizon: int

    def text(self) -> str:
        """Return the row of the table."""
        players = [_told(self.scores[name]) for name in PLAYERS]
        rows = f"{max(self.rows)} of {self.horizon}"
        return f"| {' | '.join([self.task, str(self.difficulty), *players, rows])} |"


def _told(scores: list[float]) -> str:
    won = sum(score == 100 for score in scores)
    return f"{won}/{len(scores)} ({statistics.fmean(scores):.1f})"


def measured(name: str, difficulty: int, count: int) -> Row:
    """Return how the players do on `count` layouts."""
    task: Any = rsi_envs.task(name)
    scores: dict[str, list[float]] = {player: [] for player in PLAYERS}
    rows = []
    for seed in range(count):
        instance = task.generate(difficulty, seed)
        scores["vision"].append(_played(task, instance))
        solution = task.reference(instance)
        scores["oracle"].append(solution.raw)
        rows.append(sum(len(used(action)) for action in solution.actions))
    return Row(name, difficulty, scores, rows, task.horizon)


def _played(task: Any, instance: Any) -> float:
    """Return the score of an episode of the player that sees pictures."""
    problem, policy, rng = task.prepare(instance), task.policies()["vision"], random.Random(0)
    state, done = task.start(problem), 0
    while not done:
        done = task.step(problem, state, policy(task.observe(problem, state), rng)).done
    return float(task.score(problem, state).raw)


def table(count: int) -> Iterator[Row]:
    """Yield the rows of all robot tasks."""
    for name, task in sorted(rsi_envs.TASKS.items()):
        if task.physics:
            for difficulty in task.difficulties:
                yield measured(name, difficulty, count)


def control(rows: int = 200) -> tuple[Workload, Workload]:
    """Rows of targets followed, against `mj_step` alone with the controls that came of them."""
    blocks = [
        Thing(f"block{k}", (Shape("box", (0.02, 0.02, 0.02)),), (0.4, 0.1 * k, 0.02), mass=0.1)
        for k in range(5)
    ]
    bench = Bench(blocks)
    start = Robot(bench).freeze()
    robot, bare = Robot(bench), bench.fresh()
    left = Way(robot.targets[0], 1.0).to((0.45, 0.3, 0.25), top_down(0.5))
    told = side_by_side(left, Way(robot.targets[1], 1.0).to((0.5, -0.3, 0.3)))
    told = told[np.arange(rows) % len(told)]
    controls = [_control(robot, row) for row in told]

    def ours() -> int:
        robot.thaw(start)
        robot.play(told)
        return rows

    def theirs() -> int:
        bench.restore(bare, bench.start)
        for control in controls:
            bare.ctrl[:] = control
            mujoco.mj_step(bench.model, bare, nstep=SUBSTEPS)
        return rows

    return ours, theirs


def _control(robot: Robot, row: NDArray[np.float64]) -> NDArray[np.float64]:
    robot.play(row[None])
    control: NDArray[np.float64] = robot.data.ctrl.copy()
    return control


def main() -> None:
    """Print the table, and write it if asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layouts", type=int, default=20)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = []
    for row in table(given.layouts):
        lines.append(row.text())
        print(lines[-1], flush=True)
    if given.write:
        release, engine = version("rsi-envs"), mujoco.__version__
        head = HEAD.format(count=given.layouts, release=release, mujoco=engine)
        PAGE.write_text(f"{head}" + "\n".join(lines) + "\n", encoding="utf-8")
        print(f"written to {PAGE}")


if __name__ == "__main__":
    main()
