"""Is the search method's gain real? ``python -m benchmarks.evolution [CONFIG]``.

Five evolution runs each of `progsearch` and its control `accept_all`, on held-out instances
that no shipped run uses (another holdout seed). Prints both ladders and fails unless the gain's
interval on G1 lies above 0 and above the control's, at equal evaluations, and the starting agent
plays at least as well as the greedy policy.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from rsi_envs.baselines import agents
from rsi_envs.protocol import Config, Ladder, Run, evaluate_ladder, evolve
from rsi_envs.protocol.agents import execute
from rsi_envs.protocol.evolve import agent_seed
from rsi_envs.protocol.ladder import Row

HOLDOUT_SEED = 20_261_130
INSTANCES = 256
RUNS = 5


def configuration(name: str) -> Config:
    """Return a shipped configuration with this benchmark's held-out instances."""
    config = Config.load(name).model_dump()
    config.update(holdout_seed=HOLDOUT_SEED, holdout_tasks_per_difficulty=INSTANCES)
    config["holdout"] = [{**block, "count": INSTANCES} for block in config["holdout"]]
    return Config.parse(config)


def ladder(config: Config, method: str) -> tuple[list[Run], Ladder]:
    runs = [evolve(config, method, run=n) for n in range(RUNS)]
    found = evaluate_ladder(runs)
    print(found, flush=True)
    return runs, found


def greedy_mean(run: Run, row: Row) -> float:
    """Return the greedy policy's mean on a row's instances, with the agents' random numbers."""
    scores = [
        execute(
            entry.parsed,
            lambda seed, entry=entry: agents.make("greedy", entry.parsed, seed),
            agent_seed(entry),
            entry.id,
            record=False,
        ).evaluation.score
        for entry in run.manifest.held_out
        if (entry.parsed.task, entry.parsed.difficulty) == (row.game, row.difficulty)
    ]
    return float(np.mean(scores))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", nargs="?", default="medium-sweepmine")
    config = configuration(parser.parse_args().config)
    runs, search = ladder(config, "progsearch")
    _, control = ladder(config, "accept_all")
    failed = search.evaluations != control.evaluations
    for ours, theirs in zip(search.rows, control.rows, strict=True):
        if ours.rung != "G1":
            continue
        greedy = greedy_mean(runs[0], ours)
        print(f"{ours.game} d={ours.difficulty}: starting agent {ours.initial:.4f}, "
              f"greedy {greedy:.4f}")  # fmt: skip
        failed |= ours.gain_low <= max(0.0, theirs.gain_high) or ours.initial < greedy
    print("FAILED" if failed else "holds")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
