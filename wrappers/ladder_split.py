"""LadderSplit: resets draw from one rung of a configuration's held-out instances."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from rsi_envs.protocol.config import Config
from rsi_envs.protocol.manifest import build_manifest
from rsi_envs.protocol.sources import Draw, on_rung


class LadderSplit(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Play held-out instances of one rung; which one follows from the seed and the episode.

    Args:
        env: an rsi_envs environment of the rung's game and size.
        config: the name of a shipped configuration, a path, or the configuration as a dict.
        rung: "G1" to "G4".

    Raises:
        ValueError: a wrong configuration, a rung without targets, or another game or size.
    """

    def __init__(self, env: gym.Env[Any, Any], config: str | dict[str, Any], rung: str) -> None:
        RecordConstructorArgs.__init__(self, config=config, rung=rung)
        gym.Wrapper.__init__(self, env)
        theta = Config.parse(config) if isinstance(config, dict) else Config.load(config)
        self.entries = on_rung(theta, build_manifest(theta), rung)
        base: Any = env.unwrapped
        for entry in self.entries:
            base.check_instance(entry.parsed)
        base.source = Draw(self.entries)
