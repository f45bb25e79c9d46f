"""Farm's mode "daily" keeps the contract that the contract tests check for the default one."""

import gymnasium as gym
import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.rng import derive
from rsi_envs.testing import CHECKS


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("difficulty", [2, 6])
def test_daily_conforms(check, difficulty):
    CHECKS[check](rsi_envs.task("Farm", mode="daily"), difficulty)


def test_daily_rows_are_single_environments():
    envs = gym.make_vec("rsi/Farm-d2", num_envs=3, mode="daily", score=True)
    envs.action_space.seed(1)
    seen, _ = envs.reset(seed=4)
    singles = [gym.make("rsi/Farm-d2", mode="daily") for _ in range(3)]
    firsts = [env.reset(seed=derive("row", 4, i) if i else 4)[0] for i, env in enumerate(singles)]
    for day in range(13):
        for row, first in enumerate(firsts):
            for name, value in first.items():
                np.testing.assert_array_equal(seen[name][row], value)
        if day == 12:
            break
        actions = envs.action_space.sample() // 4
        seen, rewards, ended, _, info = envs.step(actions)
        results = [env.step(action) for env, action in zip(singles, actions)]
        firsts = [result[0] for result in results]
        assert rewards.tolist() == [result[1] for result in results]
        assert ended.tolist() == [result[2] for result in results] == [day == 11] * 3
    assert info["score"].tolist() == [result[4]["score"] for result in results]
