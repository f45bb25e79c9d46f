"""Protocol, methods and report serve every task: they name none, and take a new one as it is."""

import re
from pathlib import Path

import pytest

from rsi_envs.core import registry
from rsi_envs.core.registry import TASKS
from rsi_envs.protocol import Config, evaluate_ladder, evolve
from tests.contract.toy import Darts
from tests.protocol.aiming import Aim

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("rsi_envs/protocol", "rsi_envs/report", "baselines/methods")
# Shipped configurations name what they are about.
FILES = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".html", ".j2", ".css") and path.parent.name != "configs"
)


def named(text, tasks):
    """Return the tasks that a text names as a word; short names in their spelling only."""
    return [
        name
        for name in tasks
        if re.search(rf"\b{name}\b", text, re.IGNORECASE if len(name) > 3 else 0)
    ]


def test_there_is_something_to_look_at():
    assert len(FILES) > 15
    assert named('e.g. "medium-sweepmine"', ["Farm", "Sweepmine"]) == ["Sweepmine"]
    assert named("the mcmc of MCs", ["MC"]) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_names_a_task(path):
    assert not named(path.read_text(), sorted(TASKS))


@pytest.fixture
def darts():
    registry.register(Darts)
    yield "ToyDarts"
    del registry.TASKS["ToyDarts"]


def test_a_new_task_runs_through_everything(darts, tmp_path):
    # A held-out task of the same suite and area would be on another rung.
    near = (Darts.suite, Darts.area)
    others = sorted(name for name, task in TASKS.items() if (task.suite, task.area) != near)
    held_out = [(darts, 1, "G1"), (darts, 2, "G2"), *((name, 1, "G4") for name in others)]
    config = Config.parse(
        {
            "schedule": [{"game": darts, "difficulty": 1, "count": 4}],
            "holdout": [dict(game=g, difficulty=d, count=3, rung=r) for g, d, r in held_out],
            "holdout_tasks_per_difficulty": 3,
            "replay": {"interval": 2, "lag": 1},
        }
    )
    runs = [evolve(config, Aim(), tmp_path / f"run-{n}", run=n) for n in range(2)]
    target = config.direct(others[0], 1)
    direct = {(others[0], 1): [evolve(target, Aim(), run=n) for n in range(2)]}
    ladder = evaluate_ladder(runs, direct)
    assert [row.rung for row in ladder.rows] == ["G0", "G1", "G2", *["G4"] * len(others)]
    assert all(row.failed == 0 for row in ladder.rows[:3]) and "ToyDarts d=2" in str(ladder)


def test_a_new_task_is_a_target(darts):
    """The other direction: it is held out, and another one is trained on."""
    other = next(name for name in sorted(TASKS) if name != darts)
    config = Config.parse(
        {
            "schedule": [{"game": other, "difficulty": 1, "count": 2}],
            "holdout": [{"game": darts, "difficulty": 1, "count": 3, "rung": "G4"}],
            "holdout_tasks_per_difficulty": 3,
        }
    )
    direct = {(darts, 1): [evolve(config.direct(darts, 1), Aim())]}
    [row] = evaluate_ladder(evolve(config, Aim()), direct).rows
    # A_T aimed as often as the direct one, each on its own tasks, whatever they were.
    assert row.final == row.direct and row.gain != 0 and row.reference == 1.0
