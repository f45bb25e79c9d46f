"""Settings of all tests: hypothesis without deadlines and with the same examples every time."""

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


@pytest.fixture(autouse=True)
def no_second_copies():
    """Fail a test that imports `wrappers` or `baselines` by their bare names."""
    yield
    bare = {"wrappers", "baselines"} & set(sys.modules)
    if bare:
        raise AssertionError(f"{bare} were imported beside rsi_envs.wrappers and .baselines")
