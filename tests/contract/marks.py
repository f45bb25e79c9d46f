"""Which tests of physics take long, and which need numba's compiler."""

import pytest

import rsi_envs


def marks(name, difficulty):
    """Return pytest's marks of a test of one task at a difficulty (None: the id without one).

    Physics is checked with its compiled pictures only, and in the fast tests only the first
    task of its kind at its easiest: the others share its engine.
    """
    task = rsi_envs.TASKS[name]
    if not task.physics:
        return []
    first = next(known for known, other in rsi_envs.TASKS.items() if other.physics)
    fast = name == first and difficulty == task.difficulties[0]
    return [pytest.mark.compiled, *([] if fast else [pytest.mark.slow])]
