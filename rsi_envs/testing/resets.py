"""Checks of reset: seeds, the count of episodes, options, and the door for other instances."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import gymnasium as gym
import numpy as np

from rsi_envs.core.instance import Instance
from rsi_envs.core.rng import SEED_END, derive
from rsi_envs.envs.access import get_state, instance_of
from rsi_envs.testing.compare import require_fresh, require_same
from rsi_envs.testing.conformance import env_check, refusal, require
from rsi_envs.testing.play import Choose, some
from rsi_envs.testing.recording import Log, chooses, record

SEEDS = (0, 7, 2**40, SEED_END - 1)
BAD_SEEDS: tuple[Any, ...] = (-1, SEED_END, True, False, 1.5, float("nan"), np.float64(3), "7", {})


def _episode(env: gym.Env[Any, Any], choose: Choose, **arguments: Any) -> tuple[Any, Log]:
    first = env.reset(**arguments)
    return first, record(env, first[0], choose)


@env_check
def seeds_repeat_episodes(env_id: str) -> None:
    """A seed gives the same episode in a used and in a fresh environment; seeds differ."""
    env = gym.make(env_id)
    base: Any = env.unwrapped
    firsts, seeds = [], some(base.task, SEEDS, 2)
    for seed in seeds:
        episode = _episode(env, chooses(env, "repeat"), seed=seed)
        for other in (env, gym.make(env_id)):
            again = _episode(other, chooses(env, "repeat"), seed=seed)
            require_same(episode, again, f"two episodes of seed {seed}")
        numpy_seed = env.reset(seed=np.int64(seed))  # type: ignore[arg-type]
        require_same(episode[0], numpy_seed, f"resets with the seed {seed} as int and int64")
        firsts.append(instance_of(env))
    for seed, instance in zip(seeds, firsts):
        expected = base.task.generate(base.difficulty, seed)
        require(instance == expected, f"reset(seed={seed}) does not play generate(d, {seed})")
    different = {instance.content_key for instance in firsts}
    require(len(different) > 1, f"the seeds {seeds} all give one instance")


@env_check
def episodes_follow_seed_and_count(env_id: str) -> None:
    """The k-th episode after a seed is one, whatever was played and drawn before it."""
    busy, idle = gym.make(env_id), gym.make(env_id)
    base: Any = busy.unwrapped
    _episode(busy, chooses(busy, "long"), seed=3)
    idle.reset(seed=3)
    for k in (1, 2, 3):
        busy.action_space.sample()
        base.np_random.random()
        first, again = busy.reset(), idle.reset()
        require_same(first, again, f"the episode {k} of seed 3 after play and without")
        expected = base.task.generate(base.difficulty, derive("episode", 3, k))
        require(instance_of(busy) == expected, f"the episode {k} is not derive('episode', 3, {k})")
        require(first[1]["episode_seed"] == expected.seed, f"the info has another seed: {first[1]}")
        record(busy, first[0], chooses(busy, "k", k), k)


@env_check
def first_episodes_without_seed_differ(env_id: str) -> None:
    """Without a seed environments draw their own, and go on counting from it."""
    pair = [gym.make(env_id), gym.make(env_id)]
    seeds = []
    for env in pair:
        seed = env.reset()[1]["episode_seed"]
        require(0 <= seed < SEED_END, f"the drawn seed is {seed}")
        require(env.reset()[1]["episode_seed"] == derive("episode", seed, 1), "no count goes on")
        seeds.append(seed)
    require(seeds[0] != seeds[1], "two environments drew the same seed")


@env_check
def instances_can_be_given(env_id: str) -> None:
    """``reset(options={"instance": ...})`` plays an Instance, its dict and its JSON alike."""
    env = gym.make(env_id)
    base: Any = env.unwrapped
    instance = base.task.generate(base.difficulty, 2**61 + 1)
    expected = _episode(env, chooses(env, "given"), seed=2**61 + 1)
    plain = instance.to_dict()
    for given in (instance, plain, json.loads(json.dumps(plain))):
        found = _episode(env, chooses(env, "given"), options={"instance": given})
        require_same(expected, found, f"episodes by seed and by {type(given).__name__}")
        require(instance_of(env) == instance, "instance_of gives another instance")
    for name, one in some(base.task, base.task.named().items(), 2):
        if base.task.spaces(one.difficulty) == base.task.spaces(base.difficulty):
            require_same(
                env.reset(options={"instance": one}), env.reset(options={"instance": name}),
                f"resets to {name!r} by its instance and by its name",
            )  # fmt: skip
    foreign = replace(instance, task="NoSuchTask")
    edited = {**plain, "seed": 1}
    for what, wrong in (("another task's", foreign), ("an edited", edited), ("no", "instance")):
        saved = get_state(env)
        refusal(f"{what} instance", lambda given: env.reset(options={"instance": given}), wrong)
        require_same(saved, get_state(env), f"states before and after refusing {what} instance")


@env_check
def difficulty_can_be_changed(env_id: str) -> None:
    """``reset(options={"difficulty": k})`` plays what the id of k plays, from then on."""
    env = gym.make(env_id)
    base: Any = env.unwrapped
    for difficulty in base.task.difficulties:
        made = gym.make(env_id, difficulty=difficulty)
        first = env.reset(seed=4, options={"difficulty": difficulty})
        require_same(first, made.reset(seed=4), f"d={difficulty} by reset and by make")
        require_same(env.reset(), made.reset(), f"the episodes after it at d={difficulty}")
        require(instance_of(env).difficulty == difficulty, "the instance has another difficulty")
    lowest = str(base.task.difficulties[0])
    for wrong in (-1, 1.0, "1", None, True):
        options = {"difficulty": wrong}
        refusal(f"{options}", lambda given: env.reset(options=given), options, names=lowest)


@env_check
def wrong_resets_are_refused(env_id: str) -> None:
    """Bad seeds and unknown options give a ValueError and leave the episode as it was."""
    env = gym.make(env_id)
    base: Any = env.unwrapped
    env.reset(seed=4)
    before = get_state(env)
    for seed in BAD_SEEDS:
        refusal(f"the seed {seed!r}", lambda given: env.reset(seed=given), seed, names="2**63")
    both = {"difficulty": base.difficulty, "instance": instance_of(env)}
    for options in ({"dificulty": 1}, {"seed": 1}, {1: 1}, both, [1], "difficulty"):
        refusal(f"{options!r:.60}", lambda given: env.reset(options=given), options)
    require_same(get_state(env), before, "states before and after wrong resets")
    env.step(env.action_space.sample())


@env_check
def sources_choose_instances(env_id: str) -> None:
    """``source(row, seed, k)`` is asked for every episode; what it gives is checked."""
    env = gym.make(env_id)
    base: Any = env.unwrapped
    asked = []

    def source(row: int, seed: int, k: int) -> Instance:
        asked.append((row, seed, k))
        return base.task.generate(base.difficulty, derive("source", row, seed, k))  # type: ignore[no-any-return]

    base.source = source
    _episode(env, chooses(env, "source"), seed=21)
    env.reset()
    require(asked == [(0, 21, 0), (0, 21, 1)], f"source was asked for {asked}")
    seed = instance_of(env).seed
    require(seed == derive("source", 0, 21, 1), "the source's instance is not the one played")
    base.source = lambda row, seed, k: None
    refusal("a source that gives None", env.reset)
    base.source = None
    require(env.reset(seed=21)[1]["episode_seed"] == 21, "without a source seeds are back")


@env_check
def results_share_no_memory(env_id: str) -> None:
    """Observations and infos of successive calls are fresh; earlier ones never change."""
    env = gym.make(env_id)
    first = env.reset(seed=22)
    log = record(env, first[0], chooses(env, "fresh"))
    calls = [first, *((result[0], result[4]) for result in log.results), env.reset()]
    for earlier, later in itertools.pairwise(calls):
        require_fresh(earlier, later, "results of successive calls")
    again = gym.make(env_id)
    require_same(first, again.reset(seed=22), "a first result and what became of it")
