"""What the tests of ThrowBottles share: episodes, rows of both arms, things moved by magic."""

import rsi_envs
from rsi_envs.engines.arm.paths import side_by_side
from rsi_envs.tasks.action.robodojo import actions, skills
from rsi_envs.tasks.action.robodojo.throw_bottles import layout as rules
from tests.tasks.robodojo_bench import put

NAME = "RoboDojoThrowBottles"
GRIP = 0.078  # m, a height at which bottles are gripped
CARRY = 0.26
TASK = rsi_envs.task(NAME, size=(64, 48), calls=None)


def begin(difficulty, seed=0, task=TASK):
    problem = task.prepare(task.generate(difficulty, seed))
    return problem, task.start(problem)


def of_kind(objects, *kinds):
    return [one for one in objects if one["kind"] in kinds]


def play(problem, state, *paths):
    """Play rows of both arms at once, in as many chunks as they need."""
    rows = side_by_side(*paths)
    for at in range(0, len(rows), 64):
        step = TASK.step(problem, state, actions.chunk(rows[at : at + 64], TASK.rows))
    return step


def paths_of(state):
    return skills.waiting(state.robot.targets, state.robot.grips)


def wait(problem, state, rows=20):
    left, right = paths_of(state)
    return play(problem, state, left.hold(rows), right)


def fill(problem, state, names):
    """Stand things in the bin, side by side."""
    x, y = rules.middle_of_bin(problem.objects)
    for k, name in enumerate(names):
        spot = (x - 0.1 + 0.05 * k, y + 0.05 * (-1) ** k, 0.07)
        put(problem, state, name, *spot, 1, 0, 0, 0)
    wait(problem, state)


def fetched(difficulty=1, over=CARRY):
    """Return an episode in which the left arm holds the first bottle over the bin."""
    problem, state = begin(difficulty)
    left, right = paths_of(state)
    skills.pick(left, (*problem.objects[1]["place"], GRIP), 0.0, CARRY)
    x, y = rules.middle_of_bin(problem.objects)
    play(problem, state, left.to((x, y, CARRY)).to((x, y, over)).hold(5), right)
    return problem, state
