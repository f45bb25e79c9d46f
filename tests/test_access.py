import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import ResetNeeded

import rsi_envs
from rsi_envs.envs.access import SavedEnv
from rsi_envs.envs.single import TaskEnv


class Counter(gym.Wrapper):
    """A wrapper with a state of its own."""

    def __init__(self, env, name="counter"):
        super().__init__(env)
        self.name, self.steps = name, 0

    def step(self, action):
        self.steps += 1
        return self.env.step(action)

    def get_state(self):
        return self.steps

    def set_state(self, state):
        self.steps = state


def made(**options):
    return gym.make("rsi/Sweepmine-d1", **options)


def test_states_go_through_wrappers_with_their_counts():
    env = Counter(gym.wrappers.TransformReward(Counter(made()), abs))
    env.reset(seed=1)
    env.step(0)
    env.env.step(1)
    saved = rsi_envs.get_state(env)
    assert saved.wrappers == (1, 2)
    env.step(2)
    other = Counter(gym.wrappers.TransformReward(Counter(made()), abs))
    rsi_envs.set_state(other, saved)
    assert (other.steps, other.env.env.steps) == (1, 2)
    rsi_envs.set_state(env, saved)
    assert (env.steps, env.env.env.steps) == (1, 2)


def test_states_need_the_same_wrappers():
    env = Counter(made())
    env.reset(seed=1)
    saved = rsi_envs.get_state(env)
    plain = made()
    plain.reset(seed=5)
    before = rsi_envs.get_state(plain)
    with pytest.raises(ValueError, match="1 stateful wrappers; this one has 0"):
        rsi_envs.set_state(plain, saved)
    assert rsi_envs.get_state(plain) == before


def test_states_of_other_sizes_and_tasks_are_refused():
    small, large = made(board=(4, 4, 2, 16)), gym.make("rsi/Sweepmine", difficulty=6)
    for env in (small, large):
        env.reset(seed=1)
    for env, other in ((small, large), (large, small)):
        before = rsi_envs.get_state(env)
        with pytest.raises(ValueError, match=r"difficulty|fit|spaces"):
            rsi_envs.set_state(env, rsi_envs.get_state(other))
        assert rsi_envs.get_state(env) == before


def test_a_state_with_a_wrong_blob_is_refused():
    env = made()
    env.reset(seed=1)
    saved = rsi_envs.get_state(env)
    wrong = SavedEnv(saved.episode._replace(blob=b"x" * 5), ())
    with pytest.raises(ValueError, match="5 bytes"):
        rsi_envs.set_state(env, wrong)


@pytest.mark.parametrize("ask", [rsi_envs.get_state, rsi_envs.instance_of])
def test_nothing_is_saved_before_the_first_reset(ask):
    with pytest.raises(ResetNeeded, match="reset"):
        ask(made())


@pytest.mark.parametrize("ask", [rsi_envs.get_state, rsi_envs.instance_of, rsi_envs.describe])
def test_other_environments_are_named(ask):
    class Foreign(gym.Env):
        observation_space = action_space = spaces.Discrete(2)

    with pytest.raises(ValueError, match=r"Foreign.*is not an rsi_envs environment"):
        ask(Foreign())


def test_describe_is_plain_and_complete():
    env = Counter(made(board=(4, 4, 2, 16)))
    told = rsi_envs.describe(env)
    assert told["id"] == "rsi/Sweepmine-d1"
    assert (told["task"], told["suite"], told["area"]) == ("Sweepmine", "selfimprove", "reasoning")
    assert (told["difficulty"], told["rules_version"]) == (1, 1)
    assert list(told["options"]["board"]) == [4, 4, 2, 16]
    assert told["options"]["first_open_safe"] is False
    assert told["summary"].startswith("Find every mine")
    assert str(env.unwrapped.action_space) == told["action_space"]
    assert rsi_envs.describe(TaskEnv("Sweepmine"))["id"] is None


def test_instance_of_is_what_is_played():
    env = Counter(made())
    env.reset(seed=11)
    assert rsi_envs.instance_of(env) == rsi_envs.task("Sweepmine").generate(1, 11)


def masked(mask):
    return {"action_mask": np.array(mask, np.int8)}


class Stub:
    def __init__(self, space, single=None):
        self.action_space = space
        if single is not None:
            self.single_action_space = single
        space.seed(3)


def test_sample_reaches_every_legal_action_and_no_other():
    env = Stub(spaces.Discrete(6, start=2))
    found = {int(rsi_envs.sample(env, masked([0, 1, 0, 1, 1, 0]))) for _ in range(200)}
    assert found == {3, 5, 6}


def test_sample_of_rows_is_uniform_over_legal_actions():
    env = Stub(spaces.MultiDiscrete([5] * 3000), spaces.Discrete(5))
    actions = rsi_envs.sample(env, masked([[1, 0, 1, 1, 0]] * 3000))
    counts = np.bincount(actions, minlength=5)
    assert counts[1] == counts[4] == 0
    assert ((counts[[0, 2, 3]] - 1000) ** 2 / 1000).sum() < 18.5  # chance 1e-4


def test_sample_of_rows_uses_the_row_masks():
    for start in (0, 7):
        env = Stub(spaces.MultiDiscrete([4] * 4), spaces.Discrete(4, start=start))
        actions = rsi_envs.sample(env, masked(np.eye(4)))
        assert actions.tolist() == [start, start + 1, start + 2, start + 3]
        assert actions.dtype == np.int64


def test_sample_of_actions_with_several_numbers():
    pair, mask = spaces.MultiDiscrete([2, 3]), [[1, 0, 0, 0, 1], [0, 1, 0, 1, 0]]
    env = Stub(spaces.MultiDiscrete([[2, 3], [2, 3]]), pair)
    assert rsi_envs.sample(env, masked(mask)).tolist() == [[0, 2], [1, 1]]
    assert rsi_envs.sample(Stub(pair), masked(mask[0])).tolist() == [0, 2]


def test_sample_without_a_mask_is_the_spaces_own():
    env = Stub(spaces.Box(-1, 1, (2,)))
    assert env.action_space.contains(rsi_envs.sample(env, {"x": np.zeros(1)}))
    assert env.action_space.contains(rsi_envs.sample(env, np.zeros(1)))


def test_sample_is_reproducible():
    env = made()
    observation, _ = env.reset(seed=1)
    runs = []
    for _ in range(2):
        env.action_space.seed(9)
        runs.append([int(rsi_envs.sample(env, observation)) for _ in range(20)])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 5


def test_a_mask_that_fits_no_space_is_refused():
    with pytest.raises(ValueError, match="no way to sample Box"):
        rsi_envs.sample(Stub(spaces.Box(-1, 1, (2,))), masked([1, 0]))


def test_masks_before_reset_ask_for_it():
    with pytest.raises(ResetNeeded):
        made().unwrapped.action_masks()


@pytest.mark.parametrize("ask", ["render", "action_masks", "instance"])
def test_vectors_ask_for_a_reset(ask):
    env = gym.make_vec("rsi/Sweepmine-d1", num_envs=2, render_mode="ansi")
    with pytest.raises(ResetNeeded):
        getattr(env, ask)(*([0] if ask == "instance" else []))
