"""ReplaySchedule and LadderSplit, and the same through `source` in native vector environments."""

import pickle

import gymnasium as gym
import pytest

import rsi_envs
from rsi_envs.protocol.config import Config
from rsi_envs.protocol.manifest import build_manifest
from rsi_envs.protocol.sources import Draw, Walk, on_rung
from rsi_envs.wrappers import Feedback, LadderSplit, ReplaySchedule, Text

ID = "rsi/Sweepmine-d1"
CONFIG = {
    "schedule": [{"game": "Sweepmine", "difficulty": 1, "count": 3}],
    "holdout": [{"game": "Sweepmine", "difficulty": d, "count": 4} for d in (1, 2)],
    "holdout_tasks_per_difficulty": 4,
    "replay": {"interval": 2, "lag": 1},
}
MANIFEST = build_manifest(Config.parse(CONFIG))


def keys(entries):
    return [entry.parsed.key for entry in entries]


def test_successive_resets_walk_the_sequence_with_its_replays():
    env = ReplaySchedule(gym.make(ID), CONFIG)
    told = []
    for entry in (*MANIFEST.held_in, MANIFEST.held_in[0]):
        _, info = env.reset(seed=5 if not told else None)
        assert rsi_envs.instance_of(env).key == entry.parsed.key
        told.append((info["entry"], info["replay_of"]))
    assert told[:3] == [("in-000", None), ("in-001", None), ("in-002", "in-000")]
    assert told[-1] == told[0]


def test_a_run_of_its_own():
    first, second = (ReplaySchedule(gym.make(ID), CONFIG, run=n) for n in (0, 1))
    assert not set(keys(first.entries)) & set(keys(second.entries))


def test_the_schedule_chooses_the_instance_and_pickles():
    env = pickle.loads(pickle.dumps(ReplaySchedule(gym.make(ID), CONFIG)))
    assert env.reset(seed=1)[1]["entry"] == "in-000"
    with pytest.raises(ValueError, match="chooses the instance"):
        env.reset(options={"instance": rsi_envs.instance_of(env)})


@pytest.mark.parametrize(("rung", "difficulty"), [("G1", 1), ("G2", 2)])
def test_resets_draw_from_one_rung(rung, difficulty):
    env = LadderSplit(gym.make(ID), CONFIG, rung)
    env.reset(seed=1)
    played = []
    for _ in range(40):
        _, info = env.reset()
        played.append(rsi_envs.instance_of(env).key)
        assert info["difficulty"] == difficulty
    assert set(played) == set(keys(on_rung(Config.parse(CONFIG), MANIFEST, rung)))
    again = LadderSplit(gym.make(ID), CONFIG, rung)
    again.reset(seed=1)
    again.reset()
    assert rsi_envs.instance_of(again).key == played[0]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda env: Feedback(Text(ReplaySchedule(env, CONFIG))),
        lambda env: LadderSplit(Feedback(Text(env)), CONFIG, "G2"),
    ],
)
def test_spec_round_trip_and_other_wrappers(wrap):
    env = wrap(gym.make(ID))
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert env.reset(seed=2)[0] == again.reset(seed=2)[0]
    assert env.step("x")[0] == again.step("x")[0]


def test_native_vector_environments_take_the_same_sources():
    envs = gym.make_vec(ID, num_envs=2, autoreset_mode="SameStep")
    envs.unwrapped.source = Walk(MANIFEST.held_in, rows=2)
    observation, _ = envs.reset(seed=0)
    played = [[envs.unwrapped.instance(row).key] for row in range(2)]
    while min(map(len, played)) < 3:
        observation, _, ended, _, _ = envs.step(rsi_envs.sample(envs, observation))
        for row in range(2):
            if ended[row]:
                played[row].append(envs.unwrapped.instance(row).key)
    expected = keys(MANIFEST.held_in) * 3
    assert played[0][:3] == expected[0:6:2] and played[1][:3] == expected[1:6:2]


@pytest.mark.parametrize(
    ("wrap", "why"),
    [
        (lambda: ReplaySchedule(gym.make(ID), "nope"), "no configuration"),
        (lambda: ReplaySchedule(gym.make("rsi/Sweepmine", difficulty=7), CONFIG), "spaces"),
        (lambda: LadderSplit(gym.make(ID), CONFIG, "G3"), "rungs with targets: G1, G2"),
        (lambda: LadderSplit(gym.make(ID), {"schedule": []}, "G1"), "schedule"),
        (lambda: Walk([]), "no entry"),
        (lambda: Draw([]), "no entry"),
    ],
)
def test_what_does_not_fit_is_refused_at_once(wrap, why):
    with pytest.raises(ValueError, match=why):
        wrap()
