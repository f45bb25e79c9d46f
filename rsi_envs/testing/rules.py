"""Checks of the rules: episodes, observations, rewards, saved states, references, pictures."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from rsi_envs.core.results import RUNNING, TERMINATED, TRUNCATED, Observation
from rsi_envs.core.task import Task
from rsi_envs.testing.compare import require_fresh, require_same
from rsi_envs.testing.conformance import ConformanceError, require, task_check
from rsi_envs.testing.play import begin, deal, play, player, some

STYLES = (("legal", 0), ("mixed", 25), ("wild", 100))  # percent of wild actions
SHORT = 12  # steps after which saved states and pictures are looked at


@task_check
def play_ends_with_its_score(task: Task, difficulty: int) -> None:
    """Any play ends, and its finite rewards sum to (raw - offset) / scale."""
    for number, (style, wild) in enumerate(STYLES):
        problem, state = begin(task, difficulty, number)
        total = 0.0
        for turn in play(task, problem, state, player(task, difficulty, style, wild=wild)):
            reward, done, _ = turn.step
            require(isinstance(reward, float) and math.isfinite(reward), f"the reward {reward!r}")
            require(done in (RUNNING, TERMINATED, TRUNCATED), f"done is {done!r}")
            total += reward
        raw, success, metrics = task.score(problem, state)
        require(isinstance(raw, float) and math.isfinite(raw), f"the raw score {raw!r}")
        require(isinstance(success, bool), f"success is {success!r}, not a bool")
        wrong = {name: value for name, value in metrics.items() if not math.isfinite(value)}
        require(not wrong, f"metrics {wrong} are not finite")
        expected = (raw - task.reward_offset) / task.reward_scale
        close = math.isclose(total, expected, rel_tol=1e-9, abs_tol=1e-9)
        require(close, f"{style} play: rewards sum to {total}, (raw - offset) / scale = {expected}")


@task_check
def observations_are_in_space(task: Task, difficulty: int) -> None:
    """From first to last, observations are fresh arrays of at least one dimension in the space."""
    space = task.spaces(difficulty)[0]
    for style, wild in STYLES:
        problem, state = begin(task, difficulty, 0)
        seen = task.observe(problem, state)
        _require_in(space, seen, "the first observation")
        for turn in play(task, problem, state, player(task, difficulty, style, wild=wild)):
            _require_in(space, turn.observation, f"after {turn.action!r} the observation")
            require_fresh(seen, turn.observation, "observations of two steps")
            seen = turn.observation


def _require_in(space: Any, observation: Observation, what: str) -> None:
    require(set(observation) == set(space), f"{what} has keys {sorted(observation)}")
    for name, value in observation.items():
        array = isinstance(value, np.ndarray) and value.ndim >= 1
        require(array, f"{what} has {name!r} {value!r:.60}, not an array with a dimension")
        inside = value.dtype == space[name].dtype and space[name].contains(value)
        require(inside, f"{what} has {name!r} {value!r:.120} outside {space[name]}")


@task_check
def looking_changes_nothing(task: Task, difficulty: int) -> None:
    """Observing, scoring, drawing and prompting leave the state as it is and repeat themselves."""
    problem, state = begin(task, difficulty, 4)
    looks = (
        task.observe, task.score, task.prompt, task.ansi, task.images, task.invalid, _pixels(task)
    )  # fmt: skip
    for _ in itertools.islice(play(task, problem, state, player(task, difficulty, "look")), SHORT):
        before = task.freeze(problem, state)
        for look in looks:
            first, second = look(problem, state), look(problem, state)
            require_same(first, second, f"two calls of {look.__name__}")
            if look.__name__ != "images":  # they may belong to the problem
                require_fresh(first, second, f"two calls of {look.__name__}")
            same = task.freeze(problem, state) == before
            require(same, f"{look.__name__} changed the state")


def _pixels(task: Task) -> Any:
    def pixels(problem: Any, state: Any) -> Any:
        try:
            return task.pixels(problem, state)
        except NotImplementedError:
            return None

    return pixels


@task_check
def pictures_are_rgb(task: Task, difficulty: int) -> None:
    """``pixels``, where drawn, and ``images`` are uint8 (height, width, 3) of constant size."""
    problem, state = begin(task, difficulty, 5)
    sizes: set[tuple[int, ...]] = set()
    for _ in itertools.islice(play(task, problem, state, player(task, difficulty, "draw")), SHORT):
        picture = _pixels(task)(problem, state)
        drawn = [] if picture is None else [picture]
        for image in (*drawn, *task.images(problem, state)):
            shape = getattr(image, "shape", None)
            good = isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.ndim == 3
            require(good and image.shape[2] == 3, f"a picture is {type(image).__name__} {shape}")
        sizes.update(image.shape for image in drawn)
    require(len(sizes) <= 1, f"pictures change their size: {sorted(sizes)}")


@task_check
def saved_states_continue_alike(task: Task, difficulty: int) -> None:
    """A thawed state freezes to the same bytes and has the same future, `into` another too."""
    problem, state = begin(task, difficulty, 6)
    used = task.start(problem)
    for index, turn in enumerate(play(task, problem, state, player(task, difficulty, "save"))):
        if index % 5 and not turn.step.done:
            continue
        blob = task.freeze(problem, state)
        require(isinstance(blob, bytes), f"freeze gave {type(blob).__name__}, not bytes")
        copies = [task.thaw(problem, blob), task.thaw(problem, blob, used)]
        for copy in copies:
            require(task.freeze(problem, copy) == blob, "thaw and freeze gave other bytes")
            require_same(task.observe(problem, copy), turn.observation, "observations after thaw")
            require_same(task.score(problem, copy), task.score(problem, state), "scores after thaw")
        if not turn.step.done:
            _require_one_future(task, difficulty, problem, copies)
        require(task.freeze(problem, state) == blob, "playing a copy changed the state")


def _require_one_future(task: Task, difficulty: int, problem: Any, states: list[Any]) -> None:
    futures = []
    for state in states:
        turns = play(task, problem, state, player(task, difficulty, "future"))
        futures.append([*itertools.islice(turns, 3)])
    require_same(futures[0], futures[1], "the futures of two copies")


@task_check
def invalid_actions_are_events(task: Task, difficulty: int) -> None:
    """The action of an unreadable answer is an event at its stated cost, never an exception."""
    problem, state = begin(task, difficulty, 7)
    done = 0
    for _ in range(SHORT):
        if done:
            return
        reward, done, events = task.step(problem, state, task.invalid(problem, state))
        require(math.isfinite(reward), f"an invalid action is rewarded with {reward}")
        require(len(events) > 0, "an invalid action gave no event")
        told = all(isinstance(event.code, str) and event.message for event in events)
        require(told, f"events need a code and a message: {events}")


@task_check
def masked_actions_are_invalid(task: Task, difficulty: int) -> None:
    """What a Discrete action's mask forbids gives an event; every legal action is in the space."""
    space = task.spaces(difficulty)[1]
    problem, state = begin(task, difficulty, 8)
    mask = task.observe(problem, state).get("action_mask")
    if mask is None or not hasattr(space, "start"):
        return
    for turn in play(task, problem, state, player(task, difficulty, "mask", wild=0)):
        require(space.contains(turn.action), f"the mask allows {turn.action!r} outside {space}")
        if turn.step.done or not isinstance(turn.action, int):
            return
        forbidden = np.flatnonzero(turn.observation["action_mask"] == 0)[:: max(1, mask.size // 5)]
        for action in (forbidden + space.start).tolist():
            copy = task.thaw(problem, task.freeze(problem, state))
            events = task.step(problem, copy, action).events
            require(events, f"the mask forbids {action}, but playing it gives no event")


@task_check
def retracing_proves_results(task: Task, difficulty: int) -> None:
    """Recorded actions lead to the same state and score; nothing is played after the end."""
    instance = deal(task, difficulty, 9)
    problem = task.prepare(instance)
    state = task.start(problem)
    turns = [*play(task, problem, state, player(task, difficulty, "retrace"))]
    actions = [turn.action for turn in turns]
    again = task.retrace(instance, actions)
    require_same(again.score, task.score(problem, state), "the scores of play and retrace")
    same = task.freeze(again.problem, again.state) == task.freeze(problem, state)
    require(same, "retrace leads to another state")
    try:
        task.retrace(instance, [*actions, actions[0]])
    except ValueError:
        return
    raise ConformanceError("retrace plays on after the end")


@task_check
def reference_reaches_its_score(task: Task, difficulty: int) -> None:
    """The reference is deterministic, finite and retraces to the raw score that it states."""
    for number in some(task, range(2), 1):
        instance = deal(task, difficulty, number)
        solution, again = task.reference(instance), task.reference(instance)
        require_same(solution, again, "two references of one instance")
        require(solution.proof in ("optimal", "bounded", "heuristic"), f"proof {solution.proof!r}")
        raw = task.retrace(instance, solution.actions).score.raw
        require(raw == solution.raw, f"the reference states {solution.raw} and reaches {raw}")
        score = task.normalise(instance, raw)
        require(math.isfinite(score), f"the normalised reference is {score}")
        require(math.isfinite(task.reference_score(instance)), "reference_score is not finite")


def constant_elements(task: Task, difficulty: int, episodes: int = 3) -> dict[str, list[int]]:
    """Return which flat elements of which observation keys never change over random play.

    Not a check of its own: padding and sizes are constant by design. Compare the result with
    what you expect to be constant.
    """
    first: Observation = {}
    moved: dict[str, Any] = {}
    for number in range(episodes):
        problem, state = begin(task, difficulty, number)
        for turn in play(task, problem, state, player(task, difficulty, "vary", number)):
            first = first or turn.observation
            for name, value in turn.observation.items():
                moved[name] = moved.get(name, False) | (value != first[name]).ravel()
    return {name: np.flatnonzero(~mask).tolist() for name, mask in moved.items()}
