"""Instances, play, scores, pictures and references are what they were when golden.json was made.

Without JIT: ``NUMBA_DISABLE_JIT=1 python -m tests.golden.update --check --without-reference``
"""

import os
import subprocess
import sys

import pytest

import rsi_envs
from tests.contract.marks import marks
from tests.golden.update import COMMAND, SEEDS, cases, differences, stored

GOLDEN = stored()


@pytest.mark.parametrize(
    "env_id", [pytest.param(env_id, marks=marks(*case)) for env_id, case in cases().items()]
)
def test_golden(env_id):
    assert not differences(env_id, GOLDEN)


def test_every_id_has_three_golden_instances():
    assert set(GOLDEN) == set(cases()), f"run {COMMAND}"
    for env_id, values in GOLDEN.items():
        assert [int(seed) for seed in values["instances"]] == [*SEEDS], env_id
    assert 0 in SEEDS and max(SEEDS) > 2**62


def test_golden_instances_differ():
    every = [one for values in GOLDEN.values() for one in values["instances"].values()]
    for key in ("key", "content", "play", "pixels"):
        found = [one[key] for one in every if isinstance(one.get(key), str)]
        assert len(set(found)) == len(found), key


def test_a_changed_value_is_found():
    env_id = next(i for i, (name, _) in cases().items() if not rsi_envs.TASKS[name].physics)
    values = GOLDEN[env_id]["instances"][str(SEEDS[0])]
    changed = {**values, "play": "0" * 64}
    instances = {**GOLDEN[env_id]["instances"], str(SEEDS[0]): changed}
    golden = {env_id: {**GOLDEN[env_id], "instances": instances}}
    (line,) = differences(env_id, golden)
    assert "play was 000" in line
    assert differences(env_id, {}) == [f"{env_id} has no golden values: run {COMMAND}"]


def test_golden_without_jit():
    command = [sys.executable, "-m", "tests.golden.update", "--check", "--without-reference"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
