"""What RoboDojo's tasks share: episodes, copies, what is seen, splits."""

import copy
import json
import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import rsi_envs
from rsi_envs.core.results import RUNNING, TERMINATED
from rsi_envs.engines.arm.pinhole import project
from rsi_envs.tasks.action.robodojo import actions, skills
from rsi_envs.tasks.action.robodojo.seeing import told
from rsi_envs.tasks.action.robodojo.splits import suite_score

NAME = "RoboDojoNestingDolls"
ALL = sorted(name for name in rsi_envs.TASKS if name.startswith("RoboDojo"))
SMALL = {"size": (64, 48)}


def begin(name=NAME, difficulty=1, seed=0, **options):
    task = rsi_envs.task(name, **{**SMALL, **options})
    problem = task.prepare(task.generate(difficulty, seed))
    return task, problem, task.start(problem)


def row_of(task, problem, state):
    return told(task.observe(problem, state))


def play(task, problem, state, rows):
    return task.step(problem, state, actions.chunk(np.atleast_2d(rows), task.rows))


def test_calls_and_horizon_end_an_episode():
    task, problem, state = begin(calls=2)
    row = row_of(task, problem, state)
    assert play(task, problem, state, row).done == RUNNING
    assert play(task, problem, state, row).done == TERMINATED
    env = gym.make(f"rsi/{NAME}-d1", calls=1, **SMALL)
    env.reset(seed=0)
    *_, ended, _, info = env.step(env.action_space.sample())
    assert ended and info["success"] is False
    with pytest.raises(ResetNeeded):
        env.step(env.action_space.sample())
    task, problem, state = begin(calls=None)
    steps = 0
    while play(task, problem, state, np.tile(row, (64, 1))).done == RUNNING:
        steps += 1
    assert state.robot.rows == 1050 and steps == 1050 // 64


def test_a_row_at_a_time_is_control_at_25_hz():
    task, problem, state = begin(rows=1, calls=None)
    row = row_of(task, problem, state)
    task.step(problem, state, np.concatenate([[0.0], row])[None])
    assert state.robot.data.time == pytest.approx(0.04)
    whole, _, other = begin()
    play(whole, problem, other, np.tile(row, (3, 1)))
    for _ in range(2):
        task.step(problem, state, np.concatenate([[0.0], row])[None])
    assert np.array_equal(state.robot.data.qpos, other.robot.data.qpos)


def test_joint_angles_are_followed():
    task, problem, state = begin(mode="joint")
    row = np.hstack([state.robot.angles, state.robot.grips[:, None]]).ravel()
    row[3] += 0.1
    for _ in range(8):
        play(task, problem, state, row)
    assert state.robot.data.qpos[problem.bench.joints[0, 3]] == pytest.approx(row[3], abs=0.005)
    assert "vision" not in task.policies()


@pytest.mark.parametrize("name", ALL)
def test_a_copy_in_mid_episode_goes_on_bit_for_bit(name):
    task, problem, state = begin(name)
    rng = np.random.default_rng(1)
    space = task.spaces(1)[1]
    first = [rng.uniform(space.low, space.high) for _ in range(3)]
    for action in first:
        task.step(problem, state, action)
    copies = [copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    copies.append(task.thaw(problem, task.freeze(problem, state)))
    blobs = {task.freeze(problem, one) for one in (state, *copies)}
    assert len(blobs) == 1
    later = []
    for one in (state, *copies):
        step = task.step(problem, one, first[0])
        later.append((step, task.freeze(problem, one)))
    assert all(one == later[0] for one in later)


def test_a_reference_in_chunks_of_any_length_plays_the_same_rows():
    played = []
    for rows in (64, 16):
        task = rsi_envs.task(NAME, rows=rows, calls=None, **SMALL)
        instance = task.generate(1, 3)
        solution = task.reference(instance)
        assert solution.raw == 100
        played.append(np.vstack([actions.used(action) for action in solution.actions]))
    assert np.array_equal(played[0], played[1])


# what is seen


@pytest.mark.parametrize("name", ALL)
def test_the_calibration_says_where_the_hand_is_in_the_picture(name):
    task, problem, state = begin(name, size=(320, 240))
    left = skills.waiting(state.robot.targets, state.robot.grips)
    goal = (0.5, 0.15, 0.25)
    left[0].to(goal, skills.top_down()).hold(6)
    play(task, problem, state, skills.alone(0, *left))
    observation = task.observe(problem, state)
    seen = problem.photographer.photograph(state.robot.data, "head")
    k, pose = observation["intrinsics"][0], observation["poses"][0]
    tip = observation["tips"][0, :3].astype(np.float64)
    assert np.allclose(tip, goal, atol=0.004)
    (u, v), depth = project(k, pose, tip + np.array([0, 0, 0.15]))
    model = problem.bench.model
    body = model.body(model.geom_bodyid[seen.segmentation[int(v), int(u)]]).name
    # Seen from above, the wrist hides the hand.
    assert depth > 0 and body in ("left/hand", "left/link7")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("difficulty", [1, 5])
def test_nothing_private_is_shown(name, difficulty):
    task, problem, state = begin(name, difficulty, seed=987654321)
    instance = task.generate(difficulty, 987654321)
    public = json.dumps(task.public(instance))
    prompt = task.prompt(problem, state)
    observation = task.observe(problem, state)
    assert set(observation) == set(task.spaces(difficulty)[0].spaces)
    for thing in instance.data["objects"]:
        for number in thing.get("place", ()):
            assert f"{number:.4f}" not in prompt + public
    assert "987654321" not in prompt + public and "score" not in prompt
    text = bytes(observation["instruction"]).rstrip(b"\0").decode()
    assert text in prompt and "both arms" in text and len(text.encode()) < 512


def test_pictures_have_the_size_that_is_asked_for():
    task, problem, state = begin(size=(50, 40))
    observation = task.observe(problem, state)
    assert all(observation[name].shape == (40, 50, 3) for name in ("head", "left", "right"))
    assert [image.shape for image in task.images(problem, state)] == [(40, 50, 3)] * 3
    assert task.pixels(problem, state).shape == (480, 853, 3)


# splits


@pytest.mark.parametrize("name", ALL)
def test_the_layouts_of_the_splits(name):
    task = rsi_envs.task(name)
    named = task.named()
    wanted = [f"development/{k}" for k in range(1, 21)]
    wanted += [f"{split}/{k}" for split in ("validation", "test") for k in range(1, 6)]
    assert list(named) == wanted
    assert len({instance.content_key for instance in named.values()}) == 30
    looks = [bool(named[f"test/{k}"].data["look"]) for k in range(1, 6)]
    assert looks == ([False, False, True, True, True] if task.randomised else [False] * 5)
    assert {instance.difficulty for instance in named.values()} == {task.card}


def test_randomised_looks_change_no_physics():
    plain, other = (rsi_envs.task(NAME, look=look) for look in ("standard", "randomised"))
    one, two = plain.generate(2, 5), other.generate(2, 5)
    assert one.data["objects"] == two.data["objects"] and one.data["look"] != two.data["look"]
    solution = plain.reference(one)
    assert other.retrace(two, solution.actions).score.raw == solution.raw == 100


def test_the_suites_score_counts_missing_runs_as_0():
    assert suite_score({}) == 0
    assert suite_score({"a": 100.0, "b": 40.0}) == 14.0
    assert suite_score({str(k): 100.0 for k in range(10)}) == 100
    with pytest.raises(ValueError, match="10 tasks"):
        suite_score({str(k): 1.0 for k in range(11)})
    with pytest.raises(ValueError, match="score of x"):
        suite_score({"x": 100.5})


@pytest.mark.parametrize("change", ["objects", "look", "horizon", "calls", "extra", "name"])
def test_broken_data_is_refused(change):
    task = rsi_envs.task(NAME)
    data = task.generate(1, 0).to_dict()["data"]
    if change == "extra":
        data["more"] = 1
    elif change == "look":
        data["look"] = {"sky": (1, 2, 3)}
    elif change == "name":
        data["objects"][0] = {**data["objects"][0], "name": data["objects"][1]["name"]}
    else:
        data[change] = None if change != "calls" else 0
    instance = rsi_envs.Instance(NAME, 1, 0, data, task.rules_version)
    with pytest.raises(ValueError):
        task.prepare(instance)
