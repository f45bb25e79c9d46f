"""Text and Feedback, alone and together in both orders."""

import json
import pickle
import warnings

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

import rsi_envs
from rsi_envs.protocol.feedback import FeedbackResult
from rsi_envs.wrappers import Feedback, Text

ID = "rsi/Sweepmine-d1"
ORDERS = [lambda env: Feedback(Text(env)), lambda env: Text(Feedback(env))]
ANSWERS = [
    '{"action": "open", "row": 1, "column": 1}',
    "nonsense",
    '{"action": "open", "row": 1, "column": 1} {"action": "open", "row": 1, "column": 2}',
    'Perhaps: {"action": "mark", "row": 6, "column": 6}. Good.',
    '{"action": "unmark", "row": 6, "column": 6}',
]


def play(env, seed=3):
    """Play the answers in a circle to the end; return prompts, total reward and the last info."""
    prompt, info = env.reset(seed=seed)
    prompts, total, done = [prompt], 0.0, False
    while not done:
        answer = ANSWERS[(len(prompts) - 1) % len(ANSWERS)]
        prompt, reward, done, _, info = env.step(answer)
        prompts.append(prompt)
        total += reward
    return prompts, total, info


@pytest.mark.parametrize("wrap", [Text, Feedback, *ORDERS])
def test_passes_gymnasiums_checker(wrap):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")
        env = wrap(gym.make(ID))
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("wrap", ORDERS)
def test_feedback_records_what_the_agent_saw_and_said(wrap):
    prompts, total, info = play(wrap(gym.make(ID)))
    result = FeedbackResult.model_validate(info["feedback"])
    assert json.loads(json.dumps(info["feedback"])) == info["feedback"]
    assert [step.prompt for step in result.trajectory] == prompts[:-1]
    assert [step.action for step in result.trajectory[:5]] == ANSWERS
    assert "two JSON objects" in result.trajectory[2].environment_response
    assert result.trajectory[2].feedback and result.trajectory[0].step_index == 0
    assert result.trajectory[-1].score == result.evaluation.score == info["score"]
    assert result.trajectory[0].score is None
    assert result.evaluation.metrics == info["metrics"]
    assert total == pytest.approx(info["raw"] - 1)


def test_both_orders_record_the_same():
    first, second = (play(wrap(gym.make(ID)))[2]["feedback"] for wrap in ORDERS)
    assert first == second


def test_integer_actions_are_recorded_as_answers():
    env = Feedback(gym.make(ID))
    env.reset(seed=0)
    done = False
    while not done:
        _, _, done, _, info = env.step(0)
    assert info["feedback"]["trajectory"][0]["action"] == ANSWERS[0]


@pytest.mark.parametrize("wrap", ORDERS)
def test_spec_round_trip_rebuilds_the_wrappers(wrap):
    env = wrap(gym.make(ID))
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert str(again) == str(env)
    assert play(again)[0] == play(env)[0]


@pytest.mark.parametrize("wrap", ORDERS)
def test_branching_keeps_the_record(wrap):
    env = wrap(gym.make(ID))
    env.reset(seed=5)
    env.step(ANSWERS[0])
    state = pickle.loads(pickle.dumps(rsi_envs.get_state(env)))

    def rest(env):
        done = False
        while not done:
            _, _, done, _, info = env.step(ANSWERS[1])
        return info["feedback"]

    straight = rest(env)
    rsi_envs.set_state(env, state)
    assert rest(env) == straight
    fresh = wrap(gym.make(ID))
    rsi_envs.set_state(fresh, state)
    assert rest(fresh) == straight


def test_a_state_of_another_stack_is_refused():
    plain, wrapped = gym.make(ID), Feedback(gym.make(ID))
    plain.reset(seed=0)
    with pytest.raises(ValueError, match="stateful wrappers"):
        rsi_envs.set_state(wrapped, rsi_envs.get_state(plain))


def test_text_refuses_what_is_not_text():
    env = Text(gym.make(ID))
    env.reset(seed=0)
    with pytest.raises(ValueError, match="string"):
        env.step(3)


def test_each_episode_has_a_record_of_its_own():
    env = Feedback(gym.make(ID), id="mine")
    for episode in range(2):
        env.reset(seed=episode)
        done = False
        while not done:
            _, _, done, _, info = env.step(1)
        assert info["feedback"]["id"] == f"mine-{episode}"
        assert info["feedback"]["trajectory"][0]["step_index"] == 0
