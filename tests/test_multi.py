"""PettingZoo's Parallel view of tasks with seats."""

import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import parallel_api_test, parallel_seed_test

import rsi_envs
from rsi_envs.core.actions import join_chunks
from rsi_envs.envs.multi import parallel
from tests.contract.toy_pusher import Pusher
from tests.contract.toys import registered

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def pusher():
    with registered(Pusher):
        yield


def make(**options):
    return parallel("rsi/ToyPusher-d1", calls=5, **options)


def chunk(*rows):
    return np.array(rows, np.float32)


IDLE = chunk(*[[0, 0]] * 4)
LEFT = chunk([1, 1], [1, 0.5], [0, 0], [0, 0])


def test_pettingzoo_finds_nothing_wrong():
    parallel_api_test(make(), num_cycles=30)
    parallel_seed_test(make, num_cycles=30)


def test_all_agents_play_one_step():
    view, env = make(), gym.make("rsi/ToyPusher-d1", calls=5)
    seen, infos = view.reset(seed=3)
    expected, info = env.reset(seed=3)
    assert infos == {"left": info, "right": info}
    assert set(seen["left"]) == set(expected) and set(seen["right"]) == {"ball", "goal"}
    assert seen["right"]["ball"] is not seen["left"]["ball"]
    for number in range(5):
        seen, rewards, ends, cuts, _ = view.step({"right": IDLE, "left": LEFT})
        joined = chunk([1, 1, 0], [1, 0.5, 0], [0, 0.5, 0], [0, 0.5, 0])
        expected, reward, terminated, _, _ = env.step(joined)
        assert rewards == {"left": reward, "right": reward}
        assert ends == dict.fromkeys(view.possible_agents, terminated)
        assert cuts == {"left": False, "right": False}
        assert np.array_equal(seen["left"]["ball"], expected["ball"])
        assert view.agents == ([] if number == 4 else ["left", "right"])
    assert terminated
    with pytest.raises(ResetNeeded):
        view.step({"right": IDLE, "left": LEFT})


def test_a_shorter_chunk_holds_its_last_row():
    long = chunk([0, 1], [1, 2], [0.5, 3], [0.4, 4])
    short = chunk([0, 7], [0, 8], [1, 9], [1, 10])
    rows = [[0, 1, 7], [1, 2, 7], [0.5, 3, 7], [0.4, 3, 7]]
    assert np.array_equal(join_chunks([long, short]), chunk(*rows))
    whole = chunk([0, 1], [1, 2], [1, 3], [1, 4])
    assert np.array_equal(join_chunks([short, whole])[:, 2], [1, 2, 3, 4])


def test_wrong_use_is_told():
    with pytest.raises(ValueError, match=r"Sweepmine has no seats; tasks with seats: .*ToyPusher"):
        parallel("rsi/Sweepmine-d1")
    view = make()
    with pytest.raises(ResetNeeded):
        view.step({"left": IDLE, "right": IDLE})
    view.reset(seed=0)
    for actions in (None, {}, {"left": IDLE}, {"left": IDLE, "right": IDLE, "third": IDLE}):
        with pytest.raises(ValueError, match="actions must be given for left, right; got"):
            view.step(actions)
    for wrong in (IDLE[:2], "left", None):
        with pytest.raises(ValueError, match=r"Box\(-1.0, 1.0, \(4, 2\), float32\)"):
            view.step({"left": IDLE, "right": wrong})
    with pytest.raises(ValueError, match="reset options are"):
        view.reset(options={"dificulty": 1})
    assert view.agents == ["left", "right"]


def test_the_view_shows_what_the_environment_shows():
    view = make(render_mode="rgb_array")
    view.reset(seed=1)
    assert np.array_equal(view.render(), view.state()["picture"])
    assert view.observation_space("right")["goal"].shape == (2,)
    assert view.metadata["name"] == "ToyPusher"


def test_importing_the_package_loads_no_pettingzoo_and_no_mujoco():
    code = "import sys, rsi_envs; print({'pettingzoo', 'mujoco', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
    assert rsi_envs.TASKS
