"""Environments that each break the contract in one way, by the check that must find it."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np

from rsi_envs.core.rng import derive
from rsi_envs.envs.single import TaskEnv

# (check, class, what the message of the failure holds)
BROKEN: list[tuple[str, type, str]] = []


def breaks(check: str, saying: str) -> Any:
    """Note that an environment class must fail the check with a message that holds `saying`."""

    def note(env: type) -> type:
        BROKEN.append((check, env, saying))
        return env

    return note


@breaks("gymnasium_checker_passes", "not equivalent")
class TellsTheTime(TaskEnv):
    def step(self, action):
        *rest, info = super().step(action)
        return (*rest, {**info, "now": random.random()})


@breaks("specs_survive_json", "made from its spec differ")
class ChangesItsSpec(TaskEnv):
    made = 0

    def __init__(self, **arguments):
        type(self).made += 1
        super().__init__(**{**arguments, "difficulty": 1 + type(self).made % 2})


@breaks("copies_continue_alike", "ResetNeeded")
class LosesItsStateOnCopies(TaskEnv):
    def __deepcopy__(self, memo):
        other = copy.copy(self)
        other.reset(seed=1)
        return other

    def __reduce__(self):
        return (TaskEnv, (self.task, self.difficulty))


@breaks("saved_states_branch", "episodes after a branch")
class ForgetsTheCount(TaskEnv):
    def set_state(self, saved):
        super().set_state(saved)
        self._episode = 0


@breaks("saved_states_branch", "branches in the same")
class SharesSavedStates(TaskEnv):
    def set_state(self, saved):
        state = self.state
        super().set_state(saved)
        self.state = state or self.state


@breaks("ended_episodes_raise", "a step before reset()")
class PlaysOn(TaskEnv):
    def step(self, action):
        self._done = False
        return super().step(action)


@breaks("last_infos_hold_the_result", "in the midst")
class TellsResultsEarly(TaskEnv):
    def step(self, action):
        *rest, info = super().step(action)
        return (*rest, {**info, "success": False})


@breaks("last_infos_hold_the_result", "not both")
class EndsTwice(TaskEnv):
    def step(self, action):
        seen, reward, terminated, _, info = super().step(action)
        return seen, reward, terminated, terminated, info


@breaks("wrong_actions_are_refused", "the action 3.7")
class RoundsActions(TaskEnv):
    def step(self, action):
        number = isinstance(action, float) and action == action
        return super().step(round(action) if number else action)


@breaks("values_beyond_the_space_are_scored", "ValueError: not in")
class RefusesValues(TaskEnv):
    def step(self, action):
        if isinstance(action, int) and not self.action_space.contains(action):
            raise ValueError(f"not in {self.action_space}")
        return super().step(action)


@breaks("values_beyond_the_space_are_scored", "gave no event")
class SwallowsEvents(TaskEnv):
    def step(self, action):
        *rest, info = super().step(action)
        info.pop("events", None)
        return (*rest, info)


@breaks("answers_in_text_are_scored", "the answer '' gave None")
class IgnoresBadAnswers(TaskEnv):
    def step(self, action):
        if isinstance(action, str) and self.task.read(self.problem, self.state, action)[1]:
            return self.task.observe(self.problem, self.state), 0.0, False, False, {}
        return super().step(action)


@breaks("rendering_changes_nothing", "with and without rendering")
class RenderingPlays(TaskEnv):
    def render(self):
        self.task.step(self.problem, self.state, -1)
        return super().render()


@breaks("masks_agree", "action_masks()")
class MasksNothing(TaskEnv):
    def action_masks(self):
        return np.ones(self.action_space.n, bool)


@breaks("episodes_do_not_interfere", "ResetNeeded")
class SharesOneState(TaskEnv):
    shared: Any = None

    def reset(self, *, seed=None, options=None):
        result = super().reset(seed=seed, options=options)
        type(self).shared = self.state
        return result

    def step(self, action):
        self.state = type(self).shared
        return super().step(action)


@breaks("seeds_repeat_episodes", "two episodes of seed 0")
class TakesSeedZeroForNone(TaskEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed or None, options=options)


@breaks("seeds_repeat_episodes", "does not play generate(d, 0)")
class IgnoresSeeds(TaskEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=5, options=options)


@breaks("episodes_follow_seed_and_count", "the episode 1 of seed 3")
class NextSeedFromDraws(TaskEnv):
    def _dealt(self, instance, difficulty, base, episode):
        drawn = int(self.np_random.integers(2**62)) if episode else base
        return super()._dealt(instance, difficulty, drawn, episode)


@breaks("first_episodes_without_seed_differ", "drew the same seed")
class StartsAtSeedOne(TaskEnv):
    def reset(self, *, seed=None, options=None):
        first = self._base < 0 and seed is None
        return super().reset(seed=1 if first else seed, options=options)


@breaks("instances_can_be_given", "an edited instance must raise")
class PlaysEditedInstances(TaskEnv):
    def reset(self, *, seed=None, options=None):
        given = (options or {}).get("instance")
        if isinstance(given, dict):
            options = {"instance": self.task.generate(given["difficulty"], given["seed"])}
        return super().reset(seed=seed, options=options)


@breaks("difficulty_can_be_changed", "at d=2 differ")
class ForgetsTheDifficulty(TaskEnv):
    def reset(self, *, seed=None, options=None):
        before = self.difficulty
        result = super().reset(seed=seed, options=options)
        _ = self.instance
        self.difficulty = before
        return result


@breaks("wrong_resets_are_refused", "{'dificulty': 1} must raise")
class IgnoresUnknownOptions(TaskEnv):
    def reset(self, *, seed=None, options=None):
        known = {k: v for k, v in dict(options or {}).items() if k in ("instance", "difficulty")}
        return super().reset(seed=seed, options=known)


@breaks("wrong_resets_are_refused", "the seed -1 must raise")
class WrapsSeeds(TaskEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed % 2**63 if type(seed) is int else seed, options=options)


@breaks("sources_choose_instances", "asked for []")
class IgnoresSources(TaskEnv):
    source = property(lambda self: None, lambda self, value: None)


@breaks("results_share_no_memory", "share")
class ReusesMasks(TaskEnv):
    def step(self, action):
        *rest, info = super().step(action)
        self.mask = getattr(self, "mask", info["action_mask"])
        self.mask[:] = info["action_mask"]
        return (*rest, {**info, "action_mask": self.mask})


@breaks("gymnasium_vectors_work", "AsyncVectorEnv and single")
class WorksInItsProcessOnly(TaskEnv):
    def reset(self, *, seed=None, options=None):
        import multiprocessing

        child = multiprocessing.parent_process() is not None
        return super().reset(seed=derive("child", seed) if child else seed, options=options)
