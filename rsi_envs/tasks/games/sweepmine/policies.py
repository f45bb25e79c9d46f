"""Hand-written Sweepmine players and the options of program search, from observations only."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.results import Observation, Options
from rsi_envs.tasks.games.sweepmine.local_rules import local_risks, survey
from rsi_envs.tasks.games.sweepmine.probabilities import mine_probabilities

PROBE, CLAIM, REVISE = 0, 1, 2  # indices into OPTION_KINDS


def options(observation: Observation, effort: int = 0) -> Options:
    """Return every legal action with its features.

    Opening is a probe, marking a claim, unmarking a revision. "sure" is the chance that a probe
    is safe, a claim right, a revised mark wrong; "info" the part of a probe's neighbours that it
    may open along with it; "near" the share of neighbours that are counts.

    Args:
        effort: 0 reads chances off single counts, 1 counts all arrangements of the mines.
    """
    board, mines = observation["board"], int(observation["status"][2])
    actions = np.flatnonzero(observation["action_mask"])
    kinds, at = np.divmod(actions, board.size)
    risk = mine_probabilities(board, mines) if effort > 0 else local_risks(board, mines)
    shown, counts = survey(board, risk).reshape(2, -1)
    sure = np.where(kinds == CLAIM, risk.flat[at], 1.0 - risk.flat[at])
    info = np.where(kinds == PROBE, shown[at], 0.0)
    return Options(actions, kinds, np.stack([sure, info, counts[at]], axis=1))


def _pick(actions: NDArray[np.int64], rng: random.Random) -> int:
    return int(actions[int(rng.random() * len(actions))])


def blind(observation: Observation, rng: random.Random) -> int:
    """Play without looking: any legal action with equal chance."""
    return _pick(np.flatnonzero(observation["action_mask"]), rng)


def greedy(observation: Observation, rng: random.Random) -> int:
    """Open what is surely safe, then mark what is surely a mine, else open the least risk."""
    found = options(observation)
    sure = found.features[:, 0]
    for kind in (PROBE, CLAIM):
        certain = (found.kinds == kind) & (sure == 1.0)
        if certain.any():
            return _pick(found.actions[certain], rng)
    hidden = found.kinds == PROBE
    rest = hidden if hidden.any() else found.kinds == REVISE
    return _pick(found.actions[rest & (sure == sure[rest].max())], rng)


POLICIES: dict[str, Callable[[Observation, random.Random], int]] = {
    "blind": blind,
    "greedy": greedy,
}
