"""PettingZoo: one task played together by the agents on its seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import ParallelEnv

from rsi_envs.core.actions import check_action
from rsi_envs.core.registry import TASKS
from rsi_envs.core.results import Observation
from rsi_envs.core.task import Task
from rsi_envs.envs.single import TaskEnv


def parallel(env_id: str, **options: Any) -> TaskParallelEnv:
    """Return a Parallel view of an id whose action splits by seats.

    Args:
        env_id: e.g. an id of a task with two arms.
        **options: as for `gym.make`: difficulty, render_mode, the task's own options.

    Raises:
        ValueError: the task has no seats; the message lists the tasks that have. Else as
            `gym.make`.
    """
    env: Any = gym.make(env_id, disable_env_checker=True, **options).unwrapped
    return TaskParallelEnv(env)


class TaskParallelEnv(ParallelEnv[str, Observation, Any]):  # type: ignore[misc]
    """A task as a cooperative game: the parts of all agents make one action, joined by the task.

    Agents act at the same time, see the whole observation or the part that `Task.seats` names,
    and all get the reward, the end and the info of the one step. Each has copies of its own.

    Attributes:
        env: the `TaskEnv` that is played, for the host.
    """

    def __init__(self, env: TaskEnv) -> None:
        self.env = env
        self.seats = env.task.seats(env.difficulty)
        if not self.seats:
            those = [name for name, task in TASKS.items() if task.seats is not Task.seats]
            raise ValueError(
                f"{env.task.name} has no seats; tasks with seats: {', '.join(those) or 'none'}"
            )
        self.possible_agents = list(self.seats)
        self.agents: list[str] = []
        self.metadata = {**env.metadata, "name": env.task.name}
        self.render_mode = env.render_mode
        self.action_spaces = {name: seat.action_space for name, seat in self.seats.items()}
        self.observation_spaces = {
            name: spaces.Dict(self._seen(name, env.observation_space.spaces)) for name in self.seats
        }

    def _seen(self, agent: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        seen = self.seats[agent].seen
        return {name: value for name, value in fields.items() if seen is None or name in seen}

    def _observations(self, observation: Observation) -> dict[str, Observation]:
        return {
            agent: {name: value.copy() for name, value in self._seen(agent, observation).items()}
            for agent in self.possible_agents
        }

    def _all(self, value: Any) -> dict[str, Any]:
        copied = isinstance(value, dict)
        return {agent: dict(value) if copied else value for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's part of the action."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start an episode for all agents; arguments and errors as of `TaskEnv.reset`."""
        # PettingZoo's own test gives an option of this name, to see that options are taken.
        chosen = {name: value for name, value in (options or {}).items() if name != "options"}
        observation, info = self.env.reset(seed=seed, options=chosen or None)
        self.agents = list(self.possible_agents)
        return self._observations(observation), self._all(info)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play the parts of all agents as one action.

        Raises:
            ValueError: a part is missing, of nobody, or of wrong type or shape.
            ResetNeeded: the episode has ended, or none was started.
        """
        if not self.agents:
            raise ResetNeeded("no episode is being played: call reset() before step()")
        action = self._joined(actions)
        observation, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            self.agents = []
        ends = self._all(terminated), self._all(truncated)
        return self._observations(observation), self._all(reward), *ends, self._all(info)

    def _joined(self, actions: Any) -> Any:
        names = sorted(map(str, actions)) if isinstance(actions, Mapping) else actions
        if names != sorted(self.seats):
            raise ValueError(f"actions must be given for {', '.join(self.seats)}; got {names!r}")
        parts = {
            agent: check_action(space, actions[agent])
            for agent, space in self.action_spaces.items()
        }
        return self.env.task.join(parts)

    def render(self) -> Any:
        """Return the picture or text of the one environment."""
        return self.env.render()

    def state(self) -> Any:
        """Return the whole observation, fresh arrays; for critics that see all."""
        return self.env.task.observe(self.env.problem, self.env.state)

    def close(self) -> None:
        """Close the one environment."""
        self.env.close()
