"""The contract suite over every registered task and id. Nobody edits this to add a task.

The same suite runs without JIT, and under ``python -O`` because it raises in place of asserting:

    NUMBA_DISABLE_JIT=1 python -m pytest -q tests/contract tests/golden
    python -O -m pytest -q -W ignore::pytest.PytestConfigWarning tests/contract/test_contract.py
"""

import gymnasium as gym
import pytest

import rsi_envs
from rsi_envs.envs.registration import ids
from rsi_envs.testing import CHECKS, ENV_CHECKS
from tests.contract.marks import marks


def _difficulties(task):
    """Return the difficulties with an id of their own and the first one beyond them."""
    beyond = task.difficulties[-1] + 1
    supported = task.hardest is None or beyond <= task.hardest
    return (*task.difficulties, beyond) if supported else task.difficulties


TASKS = [
    pytest.param(name, d, marks=marks(name, d))
    for name, task in rsi_envs.TASKS.items()
    for d in _difficulties(task)
]
IDS = {
    env_id: marks(name, fixed.get("difficulty"))
    for name, task in rsi_envs.TASKS.items()
    for env_id, fixed in ids(task).items()
}


# A reference's search is far too slow without the compiler, and its rules are the game's kernels.
SEARCHES = {"reference_reaches_its_score"}


@pytest.mark.parametrize(
    "check",
    [pytest.param(c, marks=[pytest.mark.compiled] if c in SEARCHES else []) for c in CHECKS],
)
@pytest.mark.parametrize(("name", "difficulty"), TASKS)
def test_task(check, name, difficulty):
    CHECKS[check](rsi_envs.task(name), difficulty)


@pytest.mark.parametrize("check", ENV_CHECKS)
@pytest.mark.parametrize("env_id", [pytest.param(i, marks=found) for i, found in IDS.items()])
def test_env(check, env_id):
    ENV_CHECKS[check](env_id)


def test_every_rsi_id_is_tested():
    registered = {env_id for env_id in gym.registry if env_id.startswith("rsi/")}
    if registered != set(IDS):
        raise AssertionError(f"registered {sorted(registered)}, tested {sorted(IDS)}")
