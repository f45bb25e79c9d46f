"""Which tests of physics take long, and which need numba's compiler."""

import pytest

import rsi_envs


def marks(name, difficulty):
    """Return pytest's marks of a test of one task at a difficulty (None: the id without one).

    Physics is checked with its compiled pictures only, and in the fast tests at its easiest.
    """
    task = rsi_envs.TASKS[name]
    if not task.physics:
        return []
    hard = [] if difficulty == task.difficulties[0] else [pytest.mark.slow]
    return [pytest.mark.compiled, *hard]
