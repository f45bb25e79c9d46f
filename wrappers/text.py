"""Text: prompts as observations and answers as actions."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

# What the Text spaces declare; any Unicode text is accepted as an answer all the same.
CHARSET = frozenset(map(chr, range(32, 127))) | {"\n"}
LONGEST = 1_000_000


class Text(gym.Wrapper[str, str, Any, Any], RecordConstructorArgs):
    """Observe the task's prompt as a string and act with the answer text.

    An unreadable answer is a scored event in ``info["events"]``, at the cost the rules state.

    Args:
        env: an rsi_envs environment, wrapped or not.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        self.observation_space = spaces.Text(LONGEST, min_length=0, charset=CHARSET)
        self.action_space = spaces.Text(LONGEST, min_length=0, charset=CHARSET)

    def _prompt(self) -> str:
        base: Any = self.unwrapped
        prompt: str = base.task.prompt(base.problem, base.state)
        return prompt

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start an episode; see `TaskEnv.reset`."""
        _, info = self.env.reset(seed=seed, options=options)
        return self._prompt(), info

    def step(self, action: str) -> tuple[str, Any, bool, bool, dict[str, Any]]:
        """Play an answer.

        Raises:
            ValueError: the answer is not a string.
        """
        if not isinstance(action, str):
            raise ValueError(f"Text takes an answer as a string, got {type(action).__name__}")
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._prompt(), reward, terminated, truncated, info
