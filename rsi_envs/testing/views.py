"""One row of a vector environment as a single one, and what the two kinds of info share."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from rsi_envs.testing.conformance import require

# Single environments list their events, native vector ones count them in each row.
EVENTS, COUNT = "events", "event_count"


def only_shared(result: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a step's result without what only one kind of environment tells."""
    *rest, info = result
    return (*rest, _shared(info))


def _shared(info: dict[str, Any]) -> dict[str, Any]:
    own = (EVENTS, COUNT)
    found = {name: value for name, value in info.items() if name.removeprefix("_") not in own}
    if "final_info" in found:
        found["final_info"] = _shared(found["final_info"])
    return found


def _counts(info: dict[str, Any]) -> dict[int, int]:
    """Return how many events each row lists; rows with more than fit are left out."""
    listed = info.get(EVENTS, ())
    counts = {row: len(events) for row, events in enumerate(listed) if events is not None}
    return {row: n for row, n in counts.items() if listed[row][-1]["code"] != "more"}


def require_events_counted(native: dict[str, Any], plain: dict[str, Any]) -> None:
    """Raise `ConformanceError` unless "event_count" counts the events that single ones list."""
    if COUNT not in native:
        return  # a task without kernels lists them in its vector environment too
    count = native[COUNT]
    require(isinstance(count, np.ndarray) and count.dtype == np.int64, f"{COUNT!r} is {count!r}")
    listed = {**_counts(plain), **_counts(plain.get("final_info", {}))}
    for row, number in enumerate(count.tolist()):
        require(number == listed.get(row, number), f"row {row} has {listed} events, not {number}")
        none = row not in listed and not _lists_more(plain, row)
        require(number == 0 or not none, f"row {row} counts {number} events, single lists none")


def _lists_more(info: dict[str, Any], row: int) -> bool:
    infos = (info, info.get("final_info", {}))
    return any(found[EVENTS][row] is not None for found in infos if EVENTS in found)


class WithoutEvents(gym.Wrapper[Any, Any, Any, Any]):
    """A single environment whose info lists no events."""

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = self.env.step(action)
        info.pop(EVENTS, None)
        return observation, reward, terminated, truncated, info


class RowView(gym.Env[Any, Any]):
    """The only row of a vector environment (DISABLED mode) as a single environment."""

    def __init__(self, vector: Any) -> None:
        self.vector = vector
        self.observation_space = vector.single_observation_space
        self.action_space = vector.single_action_space

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start the row's next episode."""
        observation, info = self.vector.reset(seed=seed, options=options)
        return self._row(observation), self._info(info)

    def step(self, action: Any) -> Any:
        """Play an action in the row."""
        result = self.vector.step(np.array([action], self.vector.action_space.dtype))
        observation, reward, terminated, truncated, info = result
        flags = bool(terminated[0]), bool(truncated[0])
        return self._row(observation), float(reward[0]), *flags, self._info(info)

    def _row(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {name: value[0] for name, value in batch.items()}

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in info.items():
            if name.startswith("_") or name in (EVENTS, COUNT) or not info[f"_{name}"][0]:
                continue
            one = self._info(value) if isinstance(value, dict) else value[0]
            found[name] = one.item() if isinstance(one, np.generic) else one
        return found
