"""Stable-Baselines3 on our environments, in a virtual environment of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("sb3_script.py")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """A Python that has sb3-contrib and an installed copy of this checkout."""
    folder = tmp_path_factory.mktemp("sb3")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "torch==2.13.0"], check=True)
    subprocess.run([*pip, "sb3-contrib>=2.9", str(ROOT)], check=True, cwd=folder)
    return python


def run(python, *arguments):
    done = subprocess.run(
        [python, SCRIPT, *arguments], cwd=python.parent, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_sb3_checker_accepts_every_id(python):
    assert "rsi/Sweepmine-d1" in run(python, "check")["checked"]


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_maskable_ppo_learns_a_small_board(python, seed):
    result = run(python, "train", seed)
    print(result)
    assert result["success"] >= 0.6
    assert result["random"] < 0.3
