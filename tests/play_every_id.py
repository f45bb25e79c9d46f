"""Import every module of an installed rsi_envs and play one episode of each id; no pytest."""

import importlib
import pkgutil

import gymnasium as gym

import rsi_envs


def import_all():
    names = [module.name for module in pkgutil.walk_packages(rsi_envs.__path__, "rsi_envs.")]
    for name in names:
        importlib.import_module(name)
    return names


def play(env_id):
    task = rsi_envs.TASKS[gym.spec(env_id).kwargs["task"]]
    env = gym.make(env_id, **task.brief)
    observation, _ = env.reset(seed=0)
    done = False
    while not done:
        observation, _, terminated, truncated, info = env.step(rsi_envs.sample(env, observation))
        done = terminated or truncated
    return info["score"]


if __name__ == "__main__":
    modules = import_all()
    assert "rsi_envs.wrappers.text" in modules and "rsi_envs.baselines.agents" in modules
    ids = [env_id for env_id in gym.registry if env_id.startswith("rsi/")]
    scores = {env_id: play(env_id) for env_id in ids}
    print(f"{len(modules)} modules imported, {len(scores)} ids played")
