"""What users ask of an environment, through any wrappers: state, instance, legal actions."""

from __future__ import annotations

from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rsi_envs.core.instance import Instance


class SavedEnv(NamedTuple):
    """A saved environment: the episode, and what each stateful wrapper keeps (outermost first)."""

    episode: Any
    wrappers: tuple[Any, ...]


def _base(env: Any) -> Any:
    """Return the environment under all wrappers, single or vector."""
    base = env.unwrapped
    if not hasattr(base, "task"):
        raise ValueError(f"{base!r} is not an rsi_envs environment")
    return base


def _single(env: Any) -> Any:
    base = _base(env)
    if not hasattr(base, "get_state"):
        raise ValueError(
            "a vector environment holds many episodes; see its methods instance(row) and "
            "episode(row), or pickle it whole"
        )
    return base


def _stateful(env: gym.Env[Any, Any]) -> list[Any]:
    """Return the wrappers around `env` that keep a state of their own."""
    found = []
    while isinstance(env, gym.Wrapper):
        if hasattr(type(env), "get_state"):
            found.append(env)
        env = env.env
    return found


def get_state(env: gym.Env[Any, Any]) -> SavedEnv:
    """Return the state of an environment and its wrappers; picklable.

    Raises:
        ValueError: not an rsi_envs environment.
        ResetNeeded: the environment was never reset.
    """
    return SavedEnv(_single(env).get_state(), tuple(w.get_state() for w in _stateful(env)))


def set_state(env: gym.Env[Any, Any], state: SavedEnv) -> None:
    """Go back to a state, in this or in another environment of the same task and wrappers.

    Gymnasium's own wrappers keep no state here; a TimeLimit starts counting anew.

    Raises:
        ValueError: not an rsi_envs environment, or the state belongs to another task, size or
            stack of wrappers.
    """
    stateful, base = _stateful(env), _single(env)
    if len(stateful) != len(state.wrappers):
        raise ValueError(
            f"the state is of an environment with {len(state.wrappers)} stateful wrappers; "
            f"this one has {len(stateful)}"
        )
    base.check_state(state.episode)  # before anything changes
    # Gymnasium's checking wrappers refuse a step before their own reset.
    env.reset(options={"instance": state.episode.instance})
    base.set_state(state.episode)
    for wrapper, kept in zip(stateful, state.wrappers, strict=True):
        wrapper.set_state(kept)


def instance_of(env: gym.Env[Any, Any]) -> Instance:
    """Return the instance being played; for hosts and RL, never for the agent under test.

    Raises:
        ValueError: not an rsi_envs environment.
        ResetNeeded: the environment was never reset.
    """
    instance: Instance = _single(env).instance
    return instance


def describe(env: gym.Env[Any, Any]) -> dict[str, Any]:
    """Return what an environment is, as plain JSON: id, task, difficulty, options, spaces."""
    base = _base(env)
    task = base.task
    return {
        "id": env.spec.id if env.spec else None,
        "task": task.name,
        "suite": task.suite,
        "area": task.area,
        "difficulty": base.difficulty,
        "rules_version": task.rules_version,
        "options": {name: getattr(task, name) for name in task.option_names()},
        "observation_space": str(base.observation_space),
        "action_space": str(base.action_space),
        "summary": (type(task).__doc__ or "").strip().splitlines()[0],
    }


def sample(env: Any, observation: Any) -> Any:
    """Return a random legal action (one a row for vector environments).

    Draws from the action space's own generator, so that ``env.action_space.seed(s)`` makes it
    reproducible. Spaces without a mask are sampled freely.
    """
    single = getattr(env, "single_action_space", None)
    mask = observation.get("action_mask") if isinstance(observation, dict) else None
    if mask is None or single is None:
        return sample_action(env.action_space, observation)
    columns = [_sample_rows(env.action_space.np_random, part) for part in _parts(single, mask)]
    if isinstance(single, spaces.Discrete):
        return columns[0] + single.start
    return np.stack(columns, axis=1)


def sample_action(space: spaces.Space[Any], observation: Any) -> Any:
    """Return a random legal action of a single environment's action space; see `sample`."""
    mask = observation.get("action_mask") if isinstance(observation, dict) else None
    if mask is None:
        return space.sample()
    parts = _parts(space, mask)
    return space.sample(mask=parts[0] if isinstance(space, spaces.Discrete) else tuple(parts))


def _parts(space: spaces.Space[Any], mask: NDArray[np.int8]) -> list[NDArray[np.int8]]:
    """Return the mask of each number of an action, cut from the last axis of a flat mask."""
    if isinstance(space, spaces.Discrete):
        return [mask]
    if isinstance(space, spaces.MultiDiscrete) and mask.shape[-1] == space.nvec.sum():
        return np.split(mask, space.nvec.cumsum()[:-1], axis=-1)
    raise ValueError(f"no way to sample {space} under a mask of shape {mask.shape}")


def _sample_rows(np_random: np.random.Generator, mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return for each row the index of a random one in its mask."""
    order = mask.cumsum(axis=1, dtype=np.int32)
    wanted = (np_random.random(len(mask)) * order[:, -1]).astype(np.int32)
    chosen: NDArray[np.int64] = (order > wanted[:, None]).argmax(axis=1)
    return chosen
