"""ReplaySchedule: successive resets walk the held-in sequence of a configuration."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from rsi_envs.protocol.config import Config
from rsi_envs.protocol.manifest import build_manifest
from rsi_envs.protocol.sources import Walk


class ReplaySchedule(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Play a configuration's held-in sequence, replays included, an entry a reset.

    ``info`` after reset tells "entry", the manifest's id, and "replay_of", the id of the first
    execution or None. After the last entry the sequence starts again; so it does after a reset
    with a seed.

    Args:
        env: an rsi_envs environment of the one game that the schedule holds in.
        config: the name of a shipped configuration, a path, or the configuration as a dict.
        run: the evolution run whose sequence is played.

    Raises:
        ValueError: a wrong configuration, or it schedules another game or size.
    """

    def __init__(self, env: gym.Env[Any, Any], config: str | dict[str, Any], run: int = 0) -> None:
        RecordConstructorArgs.__init__(self, config=config, run=run)
        gym.Wrapper.__init__(self, env)
        theta = Config.parse(config) if isinstance(config, dict) else Config.load(config)
        self.entries = build_manifest(theta, run).held_in
        base: Any = env.unwrapped
        for entry in self.entries:
            base.check_instance(entry.parsed)
        base.source = self.source = Walk(self.entries)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Play the next entry; see `TaskEnv.reset`.

        Raises:
            ValueError: the options ask for an instance, which the schedule chooses.
        """
        if options and "instance" in options:
            raise ValueError("ReplaySchedule chooses the instance; reset without that option")
        observation, info = self.env.reset(seed=seed, options=options)
        base: Any = self.unwrapped
        entry = self.source.entry(0, base.episode)
        return observation, {**info, "entry": entry.id, "replay_of": entry.replay_of}
