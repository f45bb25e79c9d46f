"""Feedback: the FeedbackResult of an episode in its last info."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from rsi_envs.protocol.feedback import Recorder, StepRecord


class Feedback(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Put ``info["feedback"]`` into the last step: papers/000 A.3 as a plain dict.

    It records the task's prompt whatever the wrappers inside or outside observe.

    Args:
        env: an rsi_envs environment, wrapped or not.
        id: the opaque name in the feedback; the episode's number follows it.
    """

    def __init__(self, env: gym.Env[Any, Any], id: str = "episode") -> None:
        RecordConstructorArgs.__init__(self, id=id)
        gym.Wrapper.__init__(self, env)
        self.id = id
        self._episodes = 0
        self._recorder: Recorder | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode and its record; see `TaskEnv.reset`."""
        result = self.env.reset(seed=seed, options=options)
        self._start(self._episodes)
        self._episodes += 1
        return result

    def _start(self, episode: int) -> Recorder:
        base: Any = self.unwrapped
        self._recorder = Recorder(base, f"{self.id}-{episode}")
        return self._recorder

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Play and record an action; see `TaskEnv.step`."""
        recorder = self._recorder or self._start(0)
        recorder.before(action)
        observation, reward, terminated, truncated, info = self.env.step(action)
        recorder.after(info)
        if terminated or truncated:
            info["feedback"] = recorder.result().model_dump(mode="json")
        return observation, reward, terminated, truncated, info

    def get_state(self) -> tuple[int, str, tuple[StepRecord, ...]]:
        """Return what was recorded so far, for `rsi_envs.get_state`."""
        recorder = self._recorder or self._start(0)
        return self._episodes, recorder.id, tuple(recorder.steps)

    def set_state(self, state: tuple[int, str, tuple[StepRecord, ...]]) -> None:
        """Go back to a record, for `rsi_envs.set_state`."""
        self._episodes, id, steps = state
        recorder = self._start(0)
        recorder.id, recorder.steps = id, list(steps)
