"""Run in an environment with Stable-Baselines3: check every id, then train MaskablePPO.

Usage: sb3_script.py check | sb3_script.py train SEED. Prints one JSON line.
"""

import json
import sys
import warnings

import gymnasium as gym
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv

import rsi_envs

BOARD = (4, 4, 2, 16)
STEPS = 100_000
EPISODES = 300


def make():
    return gym.make("rsi/Sweepmine", board=BOARD)


def check():
    warnings.simplefilter("error")
    ids = [env_id for env_id in gym.registry if env_id.startswith("rsi/")]
    for env_id in ids:
        # warn=False: no advice, such as to flatten boards and to scale whole-number actions.
        check_env(gym.make(env_id).unwrapped, warn=False)
    return {"checked": ids}


def train(seed):
    torch.set_num_threads(1)
    model = MaskablePPO("MultiInputPolicy", DummyVecEnv([make] * 8), seed=seed)
    model.learn(STEPS)
    env = make()
    won = sum(play(env, model, 1_000_000 + episode) for episode in range(EPISODES))
    return {"seed": seed, "success": won / EPISODES, "random": random_success(env)}


def play(env, model, seed):
    observation, _ = env.reset(seed=seed)
    done = False
    while not done:
        masks = env.unwrapped.action_masks()
        action, _ = model.predict(observation, action_masks=masks, deterministic=True)
        observation, _, done, _, info = env.step(action)
    return info["success"]


def random_success(env):
    env.action_space.seed(0)
    won = 0
    for episode in range(EPISODES):
        observation, _ = env.reset(seed=2_000_000 + episode)
        done = False
        while not done:
            observation, _, done, _, info = env.step(rsi_envs.sample(env, observation))
        won += info["success"]
    return won / EPISODES


if __name__ == "__main__":
    print(json.dumps(check() if sys.argv[1] == "check" else train(int(sys.argv[2]))))
