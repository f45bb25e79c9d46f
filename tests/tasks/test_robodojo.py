"""What RoboDojo's tasks share: actions, limits, observations, splits, endings."""

import json

import gymnasium as gym
import numpy as np
import pytest

import rsi_envs
from rsi_envs.core.results import RUNNING, BadAction
from rsi_envs.engines.arm.chain import STEP_LIMIT
from rsi_envs.engines.arm.kinematics import turn_between
from rsi_envs.tasks.action.robodojo import actions
from rsi_envs.tasks.action.robodojo.seeing import told

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


# actions


def test_a_chunk_ends_before_the_first_row_that_is_not_used():
    action = np.zeros((5, actions.COLUMNS))
    action[:, 0] = [0.0, 0.5, 0.49, 1.0, 1.0]
    action[:, 1] = range(5)
    assert actions.used(action)[:, 0].tolist() == [0, 1]
    action[:, 0] = [1, 1, np.nan, 1, 1]
    assert len(actions.used(action)) == 2
    action[:, 0] = 1
    assert len(actions.used(action)) == 5


def test_answers_of_some_rows_and_of_one_arm():
    task, problem, state = begin()
    stays = row_of(task, problem, state).astype(np.float32)
    left = [0.4, 0.3, 0.2, 0, 1, 0, 0, 0.5]
    answer = json.dumps({"rows": [{"left": left}, {}, {"right": left}]})
    action = task.parse(problem, state, f"I reach out. {answer}")
    assert action.shape == (64, 17) and action.dtype == np.float32
    assert action[:, 0].tolist() == [1, 1, 1] + [0] * 61
    assert np.allclose(action[:2, 1:9], left) and np.allclose(action[:2, 9:], stays[8:])
    assert np.allclose(action[2, 1:9], left) and np.allclose(action[2, 9:], left)
    assert task.format(problem, state, action).count("left") == 3


@pytest.mark.parametrize(
    ("rows", "told_of"),
    [
        ("[]", "1 to 64"),
        ("3", "1 to 64"),
        ("[3]", "row 0"),
        ('[{"left": [1, 2]}]', "'left' of row 0 must be 8 numbers"),
        ('[{}, {"middle": []}]', "row 1"),
        ('[{"left": [0, 0, 0, 0, 1, 0, 0, "x"]}]', "8 numbers"),
        ('[{"left": [0, 0, 0, 0, 1, 0, 0, true]}]', "8 numbers"),
        ('[{"left": [0, 0, 0, 0, 1, 0, 0, 1e300]}]', "million"),
        ('[{"use": "yes"}]', "'use' of row 0"),
        (json.dumps([{}] * 65), "1 to 64"),
    ],
)
def test_bad_answers_say_what_is_wrong(rows, told_of):
    task, problem, state = begin()
    with pytest.raises(BadAction, match=told_of):
        task.parse(problem, state, f'{{"rows": {rows}}}')


def test_an_unreadable_answer_uses_up_a_call_and_no_time():
    env = gym.make(f"rsi/{NAME}-d1", **SMALL)
    observation, _ = env.reset(seed=1)
    assert observation["clock"].tolist() == [0, 1050, 0, 80]
    observation, reward, ended, _, info = env.step("no idea")
    assert observation["clock"].tolist() == [0, 1050, 1, 79]
    assert (reward, ended) == (0, False)
    assert [event["code"] for event in info["events"]] == ["unreadable"]


# limits and refusals


BAD = {
    "not_finite": lambda row: row.__setitem__(0, np.inf),
    "no_rotation": lambda row: row.__setitem__(slice(3, 7), 0.0),
    "unnormalised": lambda row: row.__setitem__(slice(3, 7), row[3:7] * 0.5),
    "too_low": lambda row: row.__setitem__(2, -0.1),
    "limited": lambda row: row.__setitem__(0, row[0] + 0.1),
    "grip": lambda row: row.__setitem__(7, 1.5),
}


@pytest.mark.parametrize("code", BAD)
def test_each_bad_target_is_an_event_and_the_episode_goes_on(code):
    task, problem, state = begin()
    row = row_of(task, problem, state)
    BAD[code](row)
    step = play(task, problem, state, row)
    assert code in [event.code for event in step.events]
    assert all("left" in event.message for event in step.events)
    assert step.done == RUNNING and np.isfinite(state.robot.data.qpos).all()


def test_a_target_out_of_reach_is_refused_and_the_arm_stays():
    task, problem, state = begin()
    row = row_of(task, problem, state)
    codes = set()
    for _ in range(30):
        row[0] = state.robot.targets[0, 0] + 0.03
        step = play(task, problem, state, row)
        codes |= {event.code for event in step.events}
    assert "unreachable" in codes
    assert state.robot.targets[0, 0] < 0.95 and np.isfinite(state.robot.data.qpos).all()
    assert task.observe(problem, state)["residual"][0] > 0.01


def test_nan_in_one_arm_leaves_the_other_alone():
    task, problem, state = begin()
    row = row_of(task, problem, state)
    row[0] = np.nan
    row[8] += 0.02
    before = state.robot.targets.copy()
    play(task, problem, state, row)
    assert np.array_equal(state.robot.targets[0], before[0])
    assert state.robot.targets[1, 0] == pytest.approx(before[1, 0] + 0.02)


@pytest.mark.parametrize("name", ALL)
def test_wild_actions_never_break_the_simulation(name):
    task, problem, state = begin(name, calls=None)
    space = task.spaces(1)[1]
    space.seed(0)
    rng = np.random.default_rng(0)
    done = RUNNING
    for scale in (1, 1, 5, 1e6, 1e300) * 3:
        if done:
            break
        with np.errstate(over="ignore"):
            action = space.sample().astype(np.float64) * scale
        action[:, 0] = 1.0
        action[rng.integers(64), rng.integers(1, 17)] = np.nan
        before = state.robot.targets.copy()
        done = task.step(problem, state, action[:8]).done
        for a in range(2):
            moved = state.robot.targets[a] - before[a]
            assert np.linalg.norm(moved[:3]) <= 8 * STEP_LIMIT + 1e-9
            turn = turn_between(before[a, 3:], state.robot.targets[a, 3:])
            assert np.linalg.norm(turn) <= 8 * 0.15 + 1e-9
    assert np.isfinite(state.robot.data.qpos).all()
    assert not any(warning.number for warning in state.robot.data.warning)


@pytest.mark.parametrize("shape", [(64, 16), (63, 17), (17,), (64, 17, 1)])
def test_a_chunk_of_another_shape_is_the_callers_mistake(shape):
    env = gym.make(f"rsi/{NAME}-d1", **SMALL)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"\(64, 17\)"):
        env.step(np.zeros(shape))


@pytest.mark.parametrize(
    ("options", "told_of"),
    [
        ({"mode": "torque"}, "pose, joint"),
        ({"rows": 65}, "1 to 64"),
        ({"rows": 0}, "1 to 64"),
        ({"calls": 0}, "calls"),
        ({"size": (0, 10)}, "width"),
        ({"size": 10}, r"\(width, height\)"),
        ({"renderer": "pencil"}, "raycast, mujoco"),
        ({"look": "odd"}, "standard, randomised"),
    ],
)
def test_wrong_options_name_the_choices(options, told_of):
    with pytest.raises(ValueError, match=told_of):
        gym.make(f"rsi/{NAME}-d1", **options)
