"""Tasks that each break the contract in one way, by the check that must find it."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numba import config

from rsi_envs.core.results import BadAction, Event, Score, Step
from rsi_envs.tasks import Sweepmine
from tests.contract.toy import Board, Darts

# (check, class, what the message of the failure holds)
BROKEN: list[tuple[str, Any, str]] = []


def breaks(check: str, saying: str) -> Any:
    """Note that a task class must fail the check with a message that holds `saying`."""

    def note(task: Any) -> Any:
        BROKEN.append((check, dataclass(frozen=True)(task), saying))
        return task

    return note


def _with_data(instance: Any, **changes: Any) -> Any:
    return replace(instance, data={**instance.data, **changes})


@breaks("generate_is_pure", "gave two instances")
class DrawsFromGlobalRandom(Darts):
    def generate(self, difficulty, seed):
        return _with_data(super().generate(difficulty, seed), darts=random.randrange(4, 400))


@breaks("generate_is_pure", "generate gave")
class AddsToTheSeed(Darts):
    def generate(self, difficulty, seed):
        return super().generate(difficulty, max(seed - 1, 0))


@breaks("instances_are_frozen_json", "setting a key of data")
class MutableData(Darts):
    def generate(self, difficulty, seed):
        instance = super().generate(difficulty, seed)
        object.__setattr__(instance, "data", dict(instance.data))
        return instance


@breaks("seeds_give_other_content", "200 seeds gave 60")
class FewInstances(Darts):
    def generate(self, difficulty, seed):
        return _with_data(super().generate(difficulty, seed), target=[seed % 60, 0])


@breaks("prepare_matches_deal", "after deal and prepare differ")
class DealsOtherwise(Darts):
    def deal(self, difficulty, seed):
        return _with_data(super().deal(difficulty, seed), darts=9)


@breaks("starting_is_pure", "changed its problem")
class KeepsItsState(Darts):
    def prepare(self, instance):
        self.__dict__["kept"] = Board()
        return super().prepare(instance)

    def start(self, problem):
        return self.__dict__["kept"]


@breaks("foreign_instances_are_refused", "of another task must raise")
class PlaysAnything(Darts):
    def check_instance(self, instance):
        return instance


@breaks("foreign_instances_are_refused", "KeyError")
class StumblesOverMissingData(Darts):
    def prepare(self, instance):
        self.check_instance(instance).data["darts"]
        return super().prepare(instance)


@breaks("bad_seeds_and_difficulties_are_refused", "the difficulty 0 must raise")
class TakesAnyDifficulty(Darts):
    def check_difficulty(self, difficulty):
        return int(difficulty or 1)


@breaks("difficulties_share_spaces", "other spaces than d=1")
class GrowsItsSpaces(Darts):
    def spaces(self, difficulty):
        seen, action = super().spaces(difficulty)
        return seen, type(action)(-difficulty, difficulty, (2,), np.float32)


@breaks("public_view_hides_the_rest", "shows ['target']")
class ShowsAll(Darts):
    def public(self, instance):
        return {**super().public(instance), "data": dict(instance.data)}


@breaks("play_ends_with_its_score", "rewards sum to")
class RewardsTwice(Darts):
    def step(self, problem, state, action):
        reward, done, events = super().step(problem, state, action)
        return Step(2 * reward, done, events)


@breaks("play_ends_with_its_score", "has not ended")
class NeverEnds(Darts):
    def step(self, problem, state, action):
        return super().step(problem, state, action)._replace(done=0)


@breaks("play_ends_with_its_score", "the raw score")
class ScoresWithNumpy(Darts):
    def score(self, problem, state):
        return super().score(problem, state)._replace(raw=np.float32(state.best))


@breaks("observations_are_in_space", "outside Box")
class LeavesItsSpaceAtTheEnd(Darts):
    def observe(self, problem, state):
        seen = super().observe(problem, state)
        seen["left"][seen["left"] == 0] = -1
        return seen


@breaks("observations_are_in_space", "share memory")
class ReusesItsBuffer(Darts):
    buffer = np.zeros(1, np.float32)

    def observe(self, problem, state):
        self.buffer[:] = state.best
        return {**super().observe(problem, state), "best": self.buffer}


@breaks("looking_changes_nothing", "prompt changed the state")
class PromptCounts(Darts):
    def prompt(self, problem, state):
        state.places.append([0.0, 0.0])
        return super().prompt(problem, state)


@breaks("looking_changes_nothing", "two calls of pixels")
class DrawsNoise(Darts):
    def pixels(self, problem, state):
        return np.random.default_rng().integers(0, 255, (4, 4, 3)).astype(np.uint8)


@breaks("pictures_are_rgb", "a picture is ndarray")
class DrawsGrey(Darts):
    def pixels(self, problem, state):
        return np.zeros((4, 4), np.uint8)


@breaks("pictures_are_rgb", "change their size")
class DrawsGrowing(Darts):
    def pixels(self, problem, state):
        return np.zeros((4 + state.thrown, 4, 3), np.uint8)


@breaks("saved_states_continue_alike", "after thaw differ")
class ForgetsOnSaving(Darts):
    def freeze(self, problem, state):
        return json.dumps([0.0, state.thrown, state.places]).encode()


@breaks("saved_states_continue_alike", "other bytes")
class SharesThawedPlaces(Darts):
    def thaw(self, problem, blob, into=None):
        state = super().thaw(problem, blob)
        if into is not None:
            state.thrown += 1
        return state


@breaks("invalid_actions_are_events", "gave no event")
class SwallowsInvalid(Darts):
    def step(self, problem, state, action):
        return super().step(problem, state, action)._replace(events=())


@breaks("invalid_actions_are_events", "not a number")
class CrashesOnInvalid(Darts):
    def step(self, problem, state, action):
        if np.isnan(action).any():
            raise ValueError("not a number")
        return super().step(problem, state, action)


@breaks("masked_actions_are_invalid", "forbids 0")
class MasksLegalActions(Sweepmine):
    def observe(self, problem, state):
        seen = super().observe(problem, state)
        seen["action_mask"][:12] = 0
        return seen


@breaks("retracing_proves_results", "of play and retrace differ")
class PlaysByChance(Darts):
    def step(self, problem, state, action):
        return super().step(problem, state, np.asarray(action) * random.random())


@breaks("reference_reaches_its_score", "states 2.0 and reaches")
class Boasts(Darts):
    def reference(self, instance, effort="paper"):
        return super().reference(instance, effort)._replace(raw=2.0)


@breaks("reference_reaches_its_score", "two references")
class SearchesByChance(Darts):
    def reference(self, instance, effort="paper"):
        solution = super().reference(instance, effort)
        return solution._replace(actions=((random.random(), 0.5),))


@breaks("answers_read_back", "is read from")
class RoundsAnswers(Darts):
    def format(self, problem, state, action):
        return json.dumps({"x": round(float(action[0]), 3), "y": float(action[1])})


@breaks("answers_read_back", "not JSON")
class ReadsBareJsonOnly(Darts):
    def parse(self, problem, state, text):
        try:
            json.loads(text)
        except ValueError:
            raise BadAction("not JSON") from None
        return super().parse(problem, state, text)


@breaks("answers_fit_their_schema", "requires ['x', 'y', 'z']")
class HasAnotherSchema(Darts):
    def answer_schema(self, difficulty):
        return {**super().answer_schema(difficulty), "required": ["x", "y", "z"]}


@breaks("garbage_is_refused", "must raise BadAction")
class ReadsTheLastNumbers(Darts):
    def parse(self, problem, state, text):
        answer = json.loads(text[text.find("{") : text.rfind("}") + 1] or "{}")
        return np.array([answer.get("x", 0), answer.get("y", 0)], np.float32)


@breaks("garbage_is_refused", "two answers must raise")
class TakesTheFirstOfTwo(Darts):
    def parse(self, problem, state, text):
        return super().parse(problem, state, text[: text.find("}") + 1])


@breaks("nothing_private_is_told", "tells target")
class TellsInItsPrompt(Darts):
    def prompt(self, problem, state):
        return f"{super().prompt(problem, state)} Not far from {problem.data['target'][0]}."


@breaks("nothing_private_is_told", "tells seed")
class TellsTheSeedInEvents(Darts):
    def step(self, problem, state, action):
        step = super().step(problem, state, action)
        return step._replace(events=(Event("note", f"seed {problem.seed}"),))


@breaks("nothing_private_is_told", "tells key")
class TellsInItsErrors(Darts):
    def thaw(self, problem, blob, into=None):
        raise ValueError(f"cannot thaw a state of {problem.key}")


@breaks("loops_are_canonical", "the kernel run must be")
class RunsOtherwise(Sweepmine):
    @property
    def kernels(self):
        kernels = super().kernels
        return kernels._replace(run=kernels.fill)


@breaks("jit_and_python_agree", "with and without JIT differ")
class DiffersWithoutJit(Sweepmine):
    def score(self, problem, state):
        return Score(float(config.DISABLE_JIT), False, {})
