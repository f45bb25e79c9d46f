"""Simulated seconds per CPU second, beside other suites' pick-and-place.

``python -m benchmarks.robot_peers FOLDER`` makes a virtual environment for each peer in FOLDER,
with the MuJoCo it runs on, and plays random actions in it and in ours, one after the other on
one core. The scenes differ: ours has two arms and five things and draws three pictures of
320x240 a step of 64 rows; theirs have one arm and one thing and draw nothing.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SECONDS = 20.0  # simulated, of each
ROUNDS = 3
PEERS = {
    "gymnasium-robotics": ("gymnasium-robotics==1.4.2", "mujoco==3.10.0"),
    "metaworld": ("metaworld==3.1.1", "mujoco==3.3.0", "packaging"),
}

# Runs in the environment of a peer or in ours; prints simulated seconds per CPU second.
SCRIPT = """
import sys, time
import gymnasium as gym
import numpy as np

name, seconds = sys.argv[1], float(sys.argv[2])
if name == "gymnasium-robotics":
    import gymnasium_robotics
    gym.register_envs(gymnasium_robotics)
    env = gym.make("FetchPickAndPlace-v4")
    each = env.unwrapped.dt
elif name == "metaworld":
    import metaworld
    env = gym.make("Meta-World/MT1", env_name="pick-place-v3")
    each = env.unwrapped.dt
else:
    import rsi_envs
    drawn = (320, 240) if name == "rsi_envs" else (1, 1)
    env = gym.make("rsi/RoboDojoNestingDolls-d5", size=drawn, calls=None, score=False)
    each = 64 / 25
env.action_space.seed(0)
actions = [env.action_space.sample() for _ in range(64)]
for action in actions:
    if name.startswith("rsi_envs"):
        action[:, 0] = 1.0
env.reset(seed=0)
env.step(actions[0])
start, simulated, step = time.process_time(), 0.0, 0
while simulated < seconds:
    *_, terminated, truncated, _ = env.step(actions[step % 64])
    simulated, step = simulated + each, step + 1
    if terminated or truncated:
        env.reset()
print(simulated / (time.process_time() - start))
"""


def python_of(peer: str, folder: Path) -> str:
    """Return the interpreter of a peer's virtual environment, which is made if it is missing."""
    home = folder / peer
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", *PEERS[peer]]
        subprocess.run(pip, check=True)
    return str(python)


def measured(python: str, name: str) -> float:
    """Return simulated seconds per CPU second."""
    command = [python, "-W", "ignore", "-c", SCRIPT, name, str(SECONDS)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(printed.splitlines()[-1])


def main() -> None:
    """Print the rates of ours and of each peer."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m benchmarks.robot_peers FOLDER")
    folder = Path(sys.argv[1])
    pythons = {peer: python_of(peer, folder) for peer in PEERS}
    pythons |= {"rsi_envs": sys.executable, "rsi_envs without pictures": sys.executable}
    rates: dict[str, list[float]] = {name: [] for name in pythons}
    for _ in range(ROUNDS):
        for name, python in pythons.items():
            rates[name].append(measured(python, name))
    for name, found in rates.items():
        low, middle, high = sorted(found)
        print(f"{name:28s} {middle:7.1f} ({low:.1f} .. {high:.1f}) simulated s per CPU s")


if __name__ == "__main__":
    main()
