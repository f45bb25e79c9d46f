"""Checks of text: answers read back, garbage refused, nothing private told."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces

from rsi_envs.core.instance import Instance
from rsi_envs.core.results import BadAction
from rsi_envs.core.task import Task
from rsi_envs.testing.compare import require_same
from rsi_envs.testing.conformance import ConformanceError, refusal, require, task_check
from rsi_envs.testing.garbage import is_object, odd_answers, refused_answers
from rsi_envs.testing.play import Dice, any_action, begin, deal, legal_action, play, player

ALL = 500  # up to so many actions of a Discrete space are all formatted
SOME = 100
LONGEST_MESSAGE = 2_000
SHORT_SECRET = 6  # shorter strings and numbers turn up by chance


def _actions(task: Task, difficulty: int) -> Iterator[Any]:
    """Yield actions of the space: all of a small Discrete one, else a sample."""
    space = task.spaces(difficulty)[1]
    if isinstance(space, spaces.Discrete) and space.n <= ALL:
        yield from range(int(space.start), int(space.start + space.n))
        return
    dice = Dice("format")
    for _ in range(SOME):
        yield any_action(space, dice)


@task_check
def answers_read_back(task: Task, difficulty: int) -> None:
    """``parse(format(action))`` is the action, for legal and other actions of the space."""
    problem, state = begin(task, difficulty, 10)
    for action in _actions(task, difficulty):
        _require_read_back(task, problem, state, action)
    turns = play(task, problem, state, player(task, difficulty, "text", wild=0))
    dice, space = Dice("legal text"), task.spaces(difficulty)[1]
    for turn in itertools.islice(turns, SOME):
        _require_read_back(task, problem, state, legal_action(space, turn.observation, dice))


def _require_read_back(task: Task, problem: Any, state: Any, action: Any) -> None:
    text = task.format(problem, state, action)
    read = task.parse(problem, state, text)
    require_same(read, action, f"the action {action!r} and what is read from {text!r:.200}")
    again = task.parse(problem, state, f"Let me think. My answer:\n```json\n{text}\n```\n")
    require_same(again, action, f"the action {action!r} and what is read from it in prose")


@task_check
def answers_fit_their_schema(task: Task, difficulty: int) -> None:
    """The schema is plain JSON, and answers have its keys."""
    schema = task.answer_schema(difficulty)
    if schema is None:
        return
    json.dumps(schema, allow_nan=False)
    problem, state = begin(task, difficulty, 10)
    answer = json.loads(task.format(problem, state, next(_actions(task, difficulty))))
    if is_object(schema):
        known, required = set(schema["properties"]), set(schema.get("required", ()))
        told = f"an answer has keys {sorted(answer)}, the schema"
        require(set(answer) <= known, f"{told} knows {sorted(known)}")
        require(required <= set(answer), f"{told} requires {sorted(required)}")


@task_check
def garbage_is_refused(task: Task, difficulty: int) -> None:
    """Unreadable answers raise BadAction with a message of bearable length, nothing else."""
    problem, state = begin(task, difficulty, 11)
    before = task.freeze(problem, state)
    schema = task.answer_schema(difficulty)
    valid = task.format(problem, state, next(_actions(task, difficulty)))
    for what, text in refused_answers(valid, schema):
        if is_object(schema):
            message = refusal(what, task.parse, problem, state, text, errors=BadAction)
            require(len(message) <= LONGEST_MESSAGE, f"the message for {what} is {message!r:.200}")
            message.encode()  # a lone surrogate could not be written anywhere
        else:
            _read_or_refuse(task, problem, state, what, text)
    for what, text in odd_answers(valid, schema):
        _read_or_refuse(task, problem, state, what, text)
    require(task.freeze(problem, state) == before, "parsing changed the state")


def _read_or_refuse(task: Task, problem: Any, state: Any, what: str, text: str) -> None:
    try:
        task.parse(problem, state, text)
    except BadAction as bad:
        message = str(bad)
        require(0 < len(message) <= LONGEST_MESSAGE, f"the message for {what} is {message!r:.200}")
        message.encode()
    except Exception as error:
        raise ConformanceError(f"{what} raises {type(error).__name__}: {error}") from error


def secrets(task: Task, instance: Instance) -> dict[str, str]:
    """Return what no agent may read: seed, keys and private data, as name -> text."""
    found = {"seed": str(instance.seed), "key": instance.key, "content key": instance.content_key}
    for name in {*task.private, "chance"} & set(instance.data):
        for at, value in enumerate(_leaves(instance.data[name])):
            text = value if isinstance(value, str) else repr(value)
            if len(text) >= SHORT_SECRET and len(set(text)) > 1 and not isinstance(value, bool):
                found[f"{name} {at}"] = text
    return found


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


@task_check
def nothing_private_is_told(task: Task, difficulty: int) -> None:
    """Seed, keys and private data are in no prompt, picture, event, observation or message."""
    instance = deal(task, difficulty, 12)
    hidden = secrets(task, instance)
    numbers = [int(text) for text in hidden.values() if text.isdigit() and int(text) < 2**63]
    problem = task.prepare(instance)
    state = task.start(problem)
    _require_silent(hidden, "public()", json.dumps(task.public(instance)))
    for turn in play(task, problem, state, player(task, difficulty, "tell")):
        told = (task.prompt(problem, state), task.ansi(problem, state))
        _require_silent(hidden, "prompt or ansi", *told)
        _require_silent(hidden, "an event", *(event.message for event in turn.step.events))
        for name, value in turn.observation.items():
            _require_silent(hidden, "a name in the observation", name)
            wide = value.dtype.itemsize == 8 and np.isin(value, numbers).any()
            require(not wide, f"the observation {name!r} holds a secret number")
    _require_silent(hidden, "the message of an exception", *_messages(task, instance))


def _messages(task: Task, instance: Instance) -> Iterator[str]:
    """Yield the messages of errors that touch an instance."""
    problem = task.prepare(instance)
    yield from _refused(task.thaw, problem, b"no state")
    yield from _refused(task.parse, problem, task.start(problem), "no answer")
    yield from _refused(task.prepare, replace(instance, task="NoSuchTask"))
    for name in instance.data:
        yield from _refused(task.prepare, replace(instance, data={**instance.data, name: None}))


def _refused(call: Any, *args: Any) -> Iterator[str]:
    try:
        call(*args)
    except ValueError as error:
        yield str(error)


def _require_silent(hidden: Mapping[str, str], where: str, *texts: str) -> None:
    for name, secret in hidden.items():
        for text in texts:
            require(secret not in text, f"{where} tells {name} {secret!r}: {text!r:.200}")
