"""TaskEnv: any task as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from rsi_envs.core import registry
from rsi_envs.core.actions import check_action
from rsi_envs.core.instance import Instance
from rsi_envs.core.results import TERMINATED, TRUNCATED, Event, Observation
from rsi_envs.core.rng import check_seed
from rsi_envs.core.task import Task
from rsi_envs.engines.arm.version import check_mujoco_version
from rsi_envs.envs import episodes


class EnvState(NamedTuple):
    """A saved episode: everything `TaskEnv.set_state` needs; picklable."""

    instance: Instance
    blob: bytes
    difficulty: int
    base: int
    episode: int
    done: bool


class TaskEnv(gym.Env[Observation, Any]):
    """One task as an environment.

    Args:
        task: the task's name, or a `Task` object.
        difficulty: the difficulty coefficient; `reset` can change it within d = 1..5.
        score: whether the last info of an episode holds the normalised "score".
        render_mode: "ansi", "rgb_array" or None.
        rules_version: if given, must be the task's; kept in the spec for records.
        options: the task's own options, e.g. ``board=(4, 4, 2, 16)``.

    Attributes:
        task, instance, problem, state: what is played, for wrappers and the host.
        source: set it to choose instances: ``source(row=0, seed, k) -> Instance``.

    `info` holds "difficulty", "rules_version" and "episode_seed" after reset, "action_mask"
    where there is one, "events" in steps that had any, and in the last step "raw", "success",
    "metrics" and "score".

    Raises:
        ValueError: unknown task, option, difficulty or render mode; the message lists the choices.
        ImportError: the task is physics, and this release does not support the MuJoCo installed.
    """

    metadata: dict[str, Any] = {"render_modes": list(episodes.RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        task: str | Task,
        difficulty: int = 1,
        *,
        score: bool = True,
        render_mode: str | None = None,
        rules_version: int | None = None,
        **options: Any,
    ) -> None:
        self.task = registry.task(task, **options)
        if self.task.physics:
            check_mujoco_version()
        self.difficulty = self.task.check_difficulty(difficulty)
        episodes.check_rules_version(self.task, rules_version)
        self.render_mode = episodes.check_render_mode(self.task, render_mode)
        self.metadata = {**type(self).metadata, "render_modes": episodes.render_modes(self.task)}
        self.score = score
        self.observation_space: spaces.Dict  # type: ignore[assignment]
        self.observation_space, self.action_space = self.task.spaces(self.difficulty)
        self.source: episodes.Source | None = None
        self.problem: Any = None
        self.state: Any = None
        self._instance: Instance | None = None
        self._base = -1  # no episode yet
        self._episode = 0
        self._drawn = (self.difficulty, 0)  # what is played: difficulty and seed
        self._done = True

    @property
    def episode(self) -> int:
        """How many episodes were started since the last reset with a seed, less one."""
        return self._episode

    def check_instance(self, instance: Any) -> Instance:
        """Return an instance that this environment can play, given as object, dict or name.

        Raises:
            ValueError: not an instance, of another task, edited, or of another size.
        """
        return episodes.given_instance(self.task, self.difficulty, instance)

    def _need_reset(self, what: str) -> None:
        if self.state is None:
            raise ResetNeeded(f"call reset() before {what}")

    @property
    def instance(self) -> Instance:
        """The instance being played, for the host; built on demand."""
        self._need_reset("asking for the instance")
        if self._instance is None:
            self._instance = self.task.generate(*self._drawn)
        return self._instance

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: plays ``generate(difficulty, seed)``; the k-th episode after it plays the seed
                ``derive("episode", seed, k)``, whatever happened in between.
            options: {"instance": Instance | dict | name} plays that instance, where a name is
                one of `task.named`; {"difficulty": k} changes the difficulty from now on.

        Raises:
            ValueError: bad seed, unknown option, or an instance that does not belong here.
        """
        chosen = episodes.check_options(options)
        base = self._base if seed is None else check_seed(seed)
        difficulty, instance = self._chosen(chosen)
        super().reset(seed=None if seed is None else base)
        if base < 0:
            base = episodes.draw_seed(self.np_random)
        goes_on = seed is None and self._base >= 0
        episode = self._episode + 1 if goes_on else 0
        dealt = self._dealt(instance, difficulty, base, episode)
        # Nothing has changed so far, so that bad input leaves the episode as it was.
        self.difficulty, self._base, self._episode = difficulty, base, episode
        self._instance, self._drawn, self.problem = dealt
        self.state = self.task.start(self.problem)
        self._done = False
        observation = self.task.observe(self.problem, self.state)
        info: dict[str, Any] = {
            "difficulty": self._drawn[0],
            "rules_version": self.task.rules_version,
            "episode_seed": self._drawn[1],
        }
        if "action_mask" in observation:
            info["action_mask"] = observation["action_mask"]
        return observation, info

    def _chosen(self, options: dict[str, Any]) -> tuple[int, Instance | None]:
        """Return the difficulty and the instance, if any, that reset options ask for."""
        difficulty, instance = self.difficulty, None
        if "difficulty" in options:
            difficulty = episodes.check_layout(self.task, self.difficulty, options["difficulty"])
        if "instance" in options:
            instance = self.check_instance(options["instance"])
        return difficulty, instance

    def _dealt(
        self, instance: Instance | None, difficulty: int, base: int, episode: int
    ) -> tuple[Instance | None, tuple[int, int], Any]:
        """Return the instance (None: build it on demand), its difficulty and seed, the problem."""
        if instance is None and self.source is not None:
            source = self.source(0, base, episode)
            instance = self.check_instance(source)
        if instance is not None:
            drawn = (instance.difficulty, instance.seed)
            return instance, drawn, self.task.prepare(instance)
        seed = episodes.episode_seed(base, episode)
        return None, (difficulty, seed), self.task.deal(difficulty, seed)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action of the action space, or a text answer.

        Raises:
            ValueError: wrong type or shape, naming the space.
            ResetNeeded: the episode has ended, or none was started.
        """
        if self._done:
            raise ResetNeeded("the episode has ended: call reset() before the next step()")
        task, problem, state = self.task, self.problem, self.state
        bad = None
        if isinstance(action, str):
            action, bad = task.read(problem, state, action)
        else:
            action = check_action(self.action_space, action)
        reward, done, events = task.step(problem, state, action)
        observation = task.observe(problem, state)
        info: dict[str, Any] = {}
        if "action_mask" in observation:
            info["action_mask"] = observation["action_mask"]
        if bad is not None:
            events = (Event(bad.code, str(bad)), *(e for e in events if e.code != "unreadable"))
        if events:
            info["events"] = [{"code": code, "message": message} for code, message in events]
        if done:
            self._done = True
            info.update(self.results())
        return observation, reward, done == TERMINATED, done == TRUNCATED, info

    def results(self) -> dict[str, Any]:
        """Return "raw", "success", "metrics" and, if asked for, "score" as the episode stands."""
        raw, success, metrics = self.task.score(self.problem, self.state)
        found: dict[str, Any] = {"raw": raw, "success": success, "metrics": dict(metrics)}
        if self.score:
            scaled = type(self.task).normalise is not Task.normalise
            found["score"] = self.task.normalise(self.instance, raw) if scaled else raw
        return found

    def render(self) -> str | NDArray[np.uint8] | None:  # type: ignore[override]
        """Return the state as text ("ansi") or uint8 (height, width, 3) ("rgb_array")."""
        if self.render_mode is None:
            gym.logger.warn("render() needs render_mode='ansi' or 'rgb_array' in gym.make")
            return None
        self._need_reset("render()")
        draw = self.task.ansi if self.render_mode == "ansi" else self.task.pixels
        return draw(self.problem, self.state)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask as bools, as sb3-contrib's MaskablePPO asks for it."""
        self._need_reset("action_masks()")
        observation = self.task.observe(self.problem, self.state)
        if "action_mask" not in observation:
            raise AttributeError(f"{self.task.name} has no action mask with these options")
        return observation["action_mask"].astype(bool)

    def get_state(self) -> EnvState:
        """Return the episode as it stands, to go back to with `set_state`."""
        self._need_reset("get_state()")
        blob = self.task.freeze(self.problem, self.state)
        return EnvState(self.instance, blob, self.difficulty, self._base, self._episode, self._done)

    def check_state(self, saved: EnvState) -> tuple[Any, Any]:
        """Return the problem and state of a saved episode; changes nothing.

        Raises:
            ValueError: the state belongs to another task or size.
        """
        problem = self.task.prepare(self.check_instance(saved.instance))
        return problem, self.task.thaw(problem, saved.blob)

    def set_state(self, saved: EnvState) -> None:
        """Go back to a saved episode, also of another environment of the same task.

        Raises:
            ValueError: the state belongs to another task or size.
        """
        self.problem, self.state = self.check_state(saved)
        self._instance = instance = saved.instance
        self._drawn = (instance.difficulty, instance.seed)
        self.difficulty = saved.difficulty
        self._base, self._episode, self._done = saved.base, saved.episode, saved.done
