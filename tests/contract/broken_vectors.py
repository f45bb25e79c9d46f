"""Vector environments that each break the contract in one way; see broken_envs.py."""

from __future__ import annotations

import numpy as np

from rsi_envs.envs.vector import TaskVectorEnv
from tests.contract.broken_envs import BROKEN, breaks

__all__ = ["BROKEN"]


@breaks("vector_equals_single", "vector and single in step 0")
class RewardsRoughly(TaskVectorEnv):
    def step(self, actions):
        seen, reward, *rest = super().step(actions)
        return seen, reward.astype(np.float32).astype(np.float64), *rest


@breaks("vector_equals_single", "vector and single in step")
class ResetsTooEarly(TaskVectorEnv):
    def _next_step(self, waiting):
        seen, info = super()._next_step(waiting)
        if self._ended.any() and self.mode.value == "NextStep":
            seen, _ = super()._next_step(self._ended.copy())
        return seen, info


@breaks("vector_equals_single", "events, not 0")
class CountsNoEvents(TaskVectorEnv):
    def step(self, actions):
        *rest, info = super().step(actions)
        return (*rest, {**info, "event_count": np.zeros(self.num_envs, np.int64)})


@breaks("vector_seeds_by_row", "resets with 0 differ")
class SeedsByAddition(TaskVectorEnv):
    def reset(self, *, seed=None, options=None):
        if type(seed) is int:
            seed = [seed + row for row in range(self.num_envs)]
        return super().reset(seed=seed, options=options)


@breaks("one_row_matches_single", "info")
class TellsNoMetrics(TaskVectorEnv):
    def _results(self, which):
        found = super()._results(which)
        found.pop("metrics", None)
        return found


@breaks("vector_rows_wait_for_reset", "a step with an ended row must raise")
class StepsEndedRows(TaskVectorEnv):
    def step(self, actions):
        ended, self._ended[:] = self._ended.copy(), False
        result = super().step(actions)
        self._ended |= ended
        return result


@breaks("vector_refuses_wrong_input", "the actions array")
class RoundsVectorActions(TaskVectorEnv):
    def step(self, actions):
        array = np.asarray(actions)
        return super().step(array.astype(int) if array.dtype.kind in "fb" else actions)


@breaks("vector_sources_choose_instances", "asked for []")
class IgnoresVectorSources(TaskVectorEnv):
    source = property(lambda self: None, lambda self, value: None)


@breaks("vector_difficulty_can_be_changed", "later difficulties")
class ForgetsTheVectorDifficulty(TaskVectorEnv):
    def reset(self, *, seed=None, options=None):
        before = self.difficulty
        result = super().reset(seed=seed, options=options)
        self.difficulty = before
        return result


@breaks("vector_results_share_no_memory", "share memory")
class ReturnsViews(TaskVectorEnv):
    def _observation(self):
        return dict(self.rows.obs)


@breaks("vector_samples_are_legal", "masked actions")
class MasksForbiddenActions(TaskVectorEnv):
    def reset(self, *, seed=None, options=None):
        seen, info = super().reset(seed=seed, options=options)
        seen["action_mask"] = 1 - seen["action_mask"]
        seen["action_mask"][:] = 0
        return seen, info


@breaks("vector_copies_continue_alike", "steps before and after")
class LosesRowsOnPickling(TaskVectorEnv):
    def __setstate__(self, state):
        self.__dict__.update(state)
        self.reset(seed=1)
