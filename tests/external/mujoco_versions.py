"""References of physics tasks on the oldest and the newest supported MuJoCo.

    python tests/external/mujoco_versions.py FOLDER

Makes two virtual environments in FOLDER, installs this checkout with each MuJoCo, runs
mujoco_script.py there and compares the goldens of physics.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import rsi_envs

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).resolve().with_name("mujoco_script.py")


def supported(pyproject=ROOT / "pyproject.toml"):
    """Return the supported range as pyproject.toml states it, and the oldest version in it."""
    stated = tomllib.loads(pyproject.read_text())["project"]["dependencies"]
    (range_,) = (line.removeprefix("mujoco") for line in stated if re.match(r"mujoco\b", line))
    (oldest,) = re.findall(r">=([0-9.]+)", range_)
    return range_, oldest


def check(folder, name, requirement, version):
    """Install a MuJoCo beside this checkout in an environment of its own; run the script."""
    place = folder / f"mujoco-{name}"
    subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
    python = place / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--upgrade"]
    subprocess.run([*pip, str(ROOT), f"mujoco{requirement}"], check=True)
    subprocess.run([python, SCRIPT, version], check=True, cwd=place)
    names = [name for name, task in rsi_envs.TASKS.items() if task.physics]
    golden = [python, "-m", "tests.golden.update", "--check", *names]
    subprocess.run(golden, check=True, cwd=ROOT)


def main(folder):
    range_, oldest = supported()
    check(folder, "oldest", f"=={oldest}", f"{oldest}.")
    check(folder, "newest", range_, "")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
