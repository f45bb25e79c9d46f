"""Settings of all tests: hypothesis without deadlines and with the same examples every time."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "tests",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")


def pytest_collection_modifyitems(config, items):
    """Leave out the tests marked `compiled` where numba's compiler is off."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        return
    left_out = [item for item in items if item.get_closest_marker("compiled")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def no_second_copies():
    """Fail a test that imports `wrappers` or `baselines` by their bare names."""
    yield
    bare = {"wrappers", "baselines"} & set(sys.modules)
    if bare:
        raise AssertionError(f"{bare} were imported beside rsi_envs.wrappers and .baselines")
