"""The starter: what the model is shown, what is kept, what is played."""

import json

import numpy as np

from rsi_envs.baselines.agents.starter import LONGEST_NOTES, Starter
from rsi_envs.core import registry
from rsi_envs.envs.single import TaskEnv
from rsi_envs.protocol.agents import Agent, View, play_episode

TASK = registry.task("RoboDojoNestingDolls", calls=3)
CHUNK = json.dumps({"rows": [{"left": [0.4, 0.3, 0.2, 0, 1, 0, 0, 1]}, {}]})


class Scripted:
    """Gives answers in order and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def __call__(self, prompt, pictures):
        self.asked.append((prompt, pictures))
        return self.answers[len(self.asked) - 1]


def test_an_episode_is_played_with_notes_from_call_to_call():
    said = [f"Go on. {CHUNK}\nNOTES: red is far", "no idea", f"{CHUNK}\nNOTES: \n"]
    model = Scripted(*said)
    episode = play_episode(TASK.generate(1, 0), lambda seed: Starter(model), 0, "x")
    prompts = [prompt for prompt, _ in model.asked]
    assert len(prompts) == 3 and episode.feedback.evaluation.status == "completed"
    assert "none yet" in prompts[0] and "at most 10 rows" in prompts[0]
    assert all(prompt.endswith("after call 1: red is far") for prompt in prompts[1:])
    for prompt, pictures in model.asked:
        assert [picture.shape for picture in pictures] == [(240, 320, 3)]
        assert pictures[0].dtype == np.uint8 and "both arms" in prompt
    steps = episode.feedback.trajectory
    assert [step.agent_call.response for step in steps] == said
    assert "NOTES" not in steps[0].action and "no readable answer" in steps[1].feedback
    assert episode.cost.model_calls == 3


def test_notes_start_anew_and_stay_short():
    env = TaskEnv(TASK)
    observation, _ = env.reset(seed=0)
    model = Scripted(*[f"{CHUNK}\nNOTES: {'x' * LONGEST_NOTES}"] * 2, CHUNK)
    agent = Starter(model, camera="left", rows=4)
    assert isinstance(agent, Agent)
    for step in (0, 1, 0):
        agent.act(View(env, observation, step))
    assert len(model.asked[1][0]) < len(model.asked[0][0]) + LONGEST_NOTES
    assert "none yet" in model.asked[2][0] and agent.notes == []
    assert "left camera only" in model.asked[0][0] and "at most 4 rows" in model.asked[0][0]
    assert np.array_equal(model.asked[0][1][0], observation["left"])
