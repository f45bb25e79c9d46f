"""The rungs of the generalization ladder (papers/000 section 3.3): which target is on which."""

from __future__ import annotations

from collections.abc import Iterable

from rsi_envs.core import registry


def rung_of(held_in: Iterable[tuple[str, int]], game: str, difficulty: int) -> str:
    """Return the rung of a held-out game and difficulty, given the held-in ones.

    G1: a held-in game at a held-in difficulty of it. G2: a held-in game, harder than its
    hardest held-in difficulty. G3: another game of the suite and area of a held-in one. G4:
    another game, of an area that no held-in game has.

    Raises:
        ValueError: the target is on no rung; the message says why.
    """
    sources = set(held_in)
    trained = {d for name, d in sources if name == game}
    if trained:
        if difficulty in trained:
            return "G1"
        if difficulty > max(trained):
            return "G2"
        raise ValueError(
            f"{game} at difficulty {difficulty} is on no rung: it is held in at "
            f"{', '.join(map(str, sorted(trained)))}, and only those (G1) or harder ones (G2) count"
        )
    target = registry.task(game)
    tasks = [registry.task(name) for name, _ in sources]
    if any((task.suite, task.area) == (target.suite, target.area) for task in tasks):
        return "G3"
    if all(task.area != target.area for task in tasks):
        return "G4"
    raise ValueError(f"{game} is on no rung: it shares the area, but not the suite, of a source")
