"""Which held-out target is on which rung, with tasks that exist only here."""

import pytest

from rsi_envs.core import registry
from rsi_envs.protocol.rungs import rung_of
from rsi_envs.tasks.games.sweepmine.task import Sweepmine


@pytest.fixture(autouse=True)
def three_more_tasks():
    """Register tasks like Sweepmine of other areas and suites."""
    more = {"Same": {}, "Elsewhere": {"area": "planning"}, "Flexed": {"suite": "flex"}}
    for name, changes in more.items():
        body = {"name": name, "__module__": __name__, **changes}
        registry.register(type(name, (Sweepmine,), body))
    yield
    for name in more:
        del registry.TASKS[name]


SOURCE = {("Sweepmine", 2), ("Sweepmine", 3)}


@pytest.mark.parametrize(
    ("game", "difficulty", "rung"),
    [
        ("Sweepmine", 2, "G1"),
        ("Sweepmine", 3, "G1"),
        ("Sweepmine", 4, "G2"),
        ("Sweepmine", 9, "G2"),
        ("Same", 1, "G3"),
        ("Elsewhere", 5, "G4"),
    ],
)
def test_rungs(game, difficulty, rung):
    assert rung_of(SOURCE, game, difficulty) == rung


def test_an_area_that_any_source_has_is_not_g4():
    assert rung_of({*SOURCE, ("Elsewhere", 1)}, "Same", 1) == "G3"


@pytest.mark.parametrize(
    ("game", "difficulty", "why"), [("Sweepmine", 1, "held in at 2, 3"), ("Flexed", 1, "suite")]
)
def test_other_targets_are_refused(game, difficulty, why):
    with pytest.raises(ValueError, match=why):
        rung_of(SOURCE, game, difficulty)
