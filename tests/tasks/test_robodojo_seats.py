"""Two agents, an arm each, play what one plays with both."""

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

import rsi_envs
from rsi_envs.envs.multi import parallel
from rsi_envs.tasks.action.robodojo import actions

NAME = "RoboDojoNestingDolls"
SMALL = {"size": [64, 48]}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_view_of_two_arms_is_pettingzoos():
    parallel_api_test(parallel(f"rsi/{NAME}-d1", calls=4, **SMALL), num_cycles=10)


def test_two_agents_reach_what_the_reference_reaches():
    task = rsi_envs.task(NAME, **SMALL)
    instance = task.generate(1, 2)
    pair = parallel(f"rsi/{NAME}-d1", **SMALL)
    pair.reset(options={"instance": instance})
    total = 0.0
    for action in task.reference(instance).actions:
        parts = {"left": action[:, :9], "right": action[:, [0, *range(9, 17)]]}
        joined = task.join(parts)
        assert np.array_equal(actions.used(joined), actions.used(action))
        _, rewards, ended, _, _ = pair.step(parts)
        assert rewards["left"] == rewards["right"]
        total += rewards["left"]
    assert ended == {"left": True, "right": True} and total == pytest.approx(1.0)


def test_the_shorter_chunk_holds_its_last_row():
    task = rsi_envs.task(NAME, **SMALL)
    left, right = (np.zeros((64, 9), np.float32) for _ in range(2))
    left[:3, 0], left[:3, 1] = 1.0, (1, 2, 3)
    right[0, :2] = (1.0, 9)
    rows = actions.used(task.join({"left": left, "right": right}))
    assert rows[:, 0].tolist() == [1, 2, 3] and rows[:, 8].tolist() == [9, 9, 9]
