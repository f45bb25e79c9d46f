"""What a fresh process meets: a light import, a read-only installation, any hash seed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {
    "numba", "mujoco", "pettingzoo", "pydantic", "scipy", "matplotlib", "cv2", "rich", "typer",
    "PIL", "httpx", "jinja2", "hypothesis", "pytest",
}  # fmt: skip


def run(program, *, cwd=None, without=(), **environment):
    """Return what a program prints in a process of its own."""
    inherited = {name: value for name, value in os.environ.items() if name not in without}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        cwd=cwd or ROOT,
        env={**inherited, **environment},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def loaded_by(statement):
    program = f"{statement}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    return set(run(program).split())


@pytest.mark.parametrize(
    "statement",
    [
        "import rsi_envs",
        "import rsi_envs; rsi_envs.task('Sweepmine').spaces(3)",
        "import gymnasium, rsi_envs; gymnasium.spec('rsi/Sweepmine-d3').to_json()",
        "import rsi_envs.tasks",
    ],
)
def test_importing_is_light(statement):
    loaded = loaded_by(statement)
    assert {"numpy", "gymnasium", "rsi_envs"} <= loaded
    assert not loaded & HEAVY


def test_the_test_kit_needs_neither_pytest_nor_hypothesis():
    assert not loaded_by("import rsi_envs.testing") & {"pytest", "hypothesis"}


def test_heavy_modules_are_noticed():
    assert "numba" in loaded_by("import rsi_envs, rsi_envs.core.kernels")


@pytest.fixture
def read_only_copy(tmp_path):
    """Copy the package as it is installed, without caches and write permissions."""
    leave = shutil.ignore_patterns("__pycache__")
    package = tmp_path / "site" / "rsi_envs"
    shutil.copytree(ROOT / "rsi_envs", package, ignore=leave)
    for name in ("wrappers", "baselines"):
        shutil.copytree(ROOT / name, package / name, ignore=leave)
    folders = [package, *(path for path in package.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield package.parent
    for folder in folders:
        folder.chmod(0o755)


# Root may write anywhere: taking numba's locators away is what a read-only disk does to others.
PLAY_READ_ONLY = """
import numba
from numba.core import caching
caching.CacheImpl._locator_classes = []
try:
    numba.njit(cache=True)(lambda x: x)
except RuntimeError as error:
    print(error)
import gymnasium as gym, rsi_envs, rsi_envs.wrappers
env = gym.make("rsi/Sweepmine-d1", board=(3, 3, 1, 6))
observation, info = env.reset(seed=0)
done = False
while not done:
    observation, reward, done, _, info = env.step(rsi_envs.sample(env, observation))
print(rsi_envs.__file__, rsi_envs.wrappers.__file__, info["raw"])
"""


def test_a_read_only_installation_plays(read_only_copy, tmp_path):
    said = run(
        PLAY_READ_ONLY,
        cwd=tmp_path,
        without=("NUMBA_CACHE_DIR",),
        PYTHONPATH=str(read_only_copy),
        PYTHONDONTWRITEBYTECODE="1",
        HOME="/nonexistent",
    )
    assert "cannot cache function" in said
    assert str(read_only_copy / "rsi_envs" / "__init__.py") in said
    assert str(read_only_copy / "rsi_envs" / "wrappers" / "__init__.py") in said


FINGERPRINT = """
import json, rsi_envs
from rsi_envs.testing import fingerprint
for name in sorted(rsi_envs.TASKS):
    task = rsi_envs.task(name)
    both = (task.difficulties[0], task.difficulties[-1])
    for difficulty in both[:1] if task.physics else both:
        print(json.dumps(fingerprint(task, difficulty, 77)))
        print(task.reference(task.generate(difficulty, 78)).actions)
"""


def test_hash_seeds_change_nothing():
    said = [run(FINGERPRINT, PYTHONHASHSEED=seed) for seed in ("0", "1")]
    assert said[0] == said[1]
    assert len(said[0].splitlines()) >= 4


# Two processes save a kernel for different layouts in the same moment: both read the index
# before either writes it, and the one that writes its code first writes its index last.
RACE = """
import os, sys, time
from pathlib import Path
import numpy as np
from numba.core.caching import IndexDataCacheFile as File
import last
role, folder = sys.argv[1], Path(os.environ["NUMBA_CACHE_DIR"])
load, save = File._load_index, File._save_index

def mark(what):
    (folder / what).touch()

def wait(what, seconds=2):
    until = time.monotonic() + seconds
    while time.monotonic() < until and not list(folder.rglob(what)):
        time.sleep(0.01)

def slow_load(self):
    saving = sys._getframe(1).f_code.co_name == "save"
    if saving and role == "first":
        wait("second read")
    found = load(self)
    if saving and role == "second":
        mark("second read")
        wait("last*.nbi")
    return found

def slow_save(self, overloads):
    save(self, overloads)
    if role == "first":
        wait("last*.nbc")

if role != "third":
    File._load_index, File._save_index = slow_load, slow_save
    mark(f"{role} is ready")
    wait("second is ready" if role == "first" else "first is ready", 60)
pad = 0 if role == "first" else 3
row = np.zeros(1, [*((f"p{i}", np.int64) for i in range(pad)), ("x", np.int64)])
row["x"] = 42
print(last.last(row))
"""
KERNEL = "from rsi_envs.core.kernels import kernel\n@kernel\ndef last(r):\n    return r[0].x\n"


def test_processes_that_compile_at_once_leave_a_sound_cache(tmp_path):
    (tmp_path / "last.py").write_text(KERNEL)
    (tmp_path / "cache").mkdir()
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": "0",
        "PYTHONPATH": str(tmp_path),
    }

    def start(role):
        command = [sys.executable, "-c", RACE, role]
        return subprocess.Popen(command, env=environment, stdout=-1, stderr=-1, text=True)

    racers = [start("first"), start("second")]
    for racer in racers:
        said, complaint = racer.communicate(timeout=120)
        assert said == "42\n", complaint[-500:]
    said, complaint = start("third").communicate(timeout=60)
    assert said == "42\n", complaint[-500:]
