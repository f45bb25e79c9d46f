"""Program search: what its agent plays, what it proposes, when it accepts."""

import random
from functools import partial

import pytest

from rsi_envs.baselines import agents
from rsi_envs.baselines.agents.program import Policy, ProgramAgent
from rsi_envs.baselines.methods.controls import AcceptAll, Frozen
from rsi_envs.baselines.methods.mutate import mutate
from rsi_envs.baselines.methods.progsearch import MEMORY, POLICY, Memory, ProgramSearch
from rsi_envs.core import registry
from rsi_envs.core.rng import derive
from rsi_envs.protocol.agents import execute
from rsi_envs.protocol.feedback import Evaluation, FeedbackResult

TASK = registry.task("Sweepmine")


def result(score):
    evaluation = Evaluation(status="completed", success=score > 0, score=score)
    return FeedbackResult(id="x", task={}, trajectory=(), evaluation=evaluation)


def trial(search, workspace, gain, seed=0):
    """Let every candidate gain `gain` over the current agent's .5."""
    candidates = search.refine(workspace, result(0.5), seed)
    outcomes = [(candidate, result(0.5 + gain)) for candidate in candidates]
    return search.select((workspace, result(0.5)), outcomes, seed)


def test_the_starting_agent_scores_as_greedy_does():
    instances = [TASK.generate(3, derive("start", n)) for n in range(60)]

    def mean(make):
        found = [execute(i, partial(make, i), n, "x", False) for n, i in enumerate(instances)]
        return sum(f.evaluation.score for f in found) / len(found)

    start = mean(lambda instance, seed: ProgramAgent(Policy(), seed))
    assert start >= mean(lambda instance, seed: agents.make("greedy", instance, seed)) > 0.3


def test_mutants_are_valid_and_different():
    rng, policy = random.Random(0), Policy()
    for _ in range(300):
        mutant = mutate(policy, rng)
        assert mutant != policy
        policy = Policy.model_validate_json(mutant.dump())
        assert sorted(policy.order) == sorted(Policy().order)


def test_one_lucky_instance_changes_nothing():
    search = ProgramSearch()
    start = search.initial()
    after = trial(search, start, gain=0.5)
    assert after[POLICY] == start[POLICY]
    assert len(Memory.model_validate_json(after[MEMORY]).challengers) == 8


def test_a_steady_gain_is_taken_and_challengers_start_anew():
    search = ProgramSearch()
    workspace = start = search.initial()
    for step in range(Memory().settings.least):
        assert workspace[POLICY] == start[POLICY]
        workspace = trial(search, workspace, gain=0.1 + 0.001 * step)
    memory = Memory.model_validate_json(workspace[MEMORY])
    assert workspace[POLICY] != start[POLICY]
    assert memory.taken == 1 and memory.challengers == ()


def test_losers_are_replaced():
    search = ProgramSearch()
    first = trial(search, search.initial(), gain=-0.1)
    second = trial(search, first, gain=-0.1)
    assert Memory.model_validate_json(second[MEMORY]).challengers == ()
    third = trial(search, second, gain=-0.1, seed=1)
    assert Memory.model_validate_json(third[MEMORY]).tried == 16


def test_candidates_stay_until_decided():
    search = ProgramSearch()
    workspace = trial(search, search.initial(), gain=0.1)
    again = search.refine(workspace, result(0.5), 99)
    known = [c.policy.dump() for c in Memory.model_validate_json(workspace[MEMORY]).challengers]
    assert [candidate[POLICY] for candidate in again] == known


def test_refine_is_a_function_of_its_arguments():
    search, other = ProgramSearch(), ProgramSearch()
    start = search.initial()
    assert search.refine(start, result(0), 7) == other.refine(start, result(0), 7)
    assert search.refine(start, result(0), 7) != search.refine(start, result(0), 8)


def test_accept_all_makes_the_same_proposals_and_takes_one_unseen():
    search, control = ProgramSearch(), AcceptAll()
    start = search.initial()
    assert control.refine(start, result(0), 7) == search.refine(start, result(0), 7)
    taken = trial(control, start, gain=-1.0)
    assert taken[POLICY] != start[POLICY]


def test_frozen_proposes_nothing():
    control = Frozen()
    assert control.refine(control.initial(), result(0), 0) == ()
    assert trial(control, control.initial(), gain=1.0) == control.initial()


@pytest.mark.parametrize("name", agents.names("Sweepmine"))
def test_every_named_agent_plays(name):
    instance = TASK.generate(1, 5)
    outcome = execute(instance, lambda seed: agents.make(name, instance, seed), 0, "x")
    assert outcome.evaluation.status == "completed"


def test_unknown_agent_lists_the_known():
    with pytest.raises(ValueError, match="random, blind, greedy, reference"):
        agents.make("nope", TASK.generate(1, 0), 0)


def test_retry_avoids_recent_actions():
    instance = TASK.generate(2, 8)
    agent_policy = Policy(retry=4, gamble="revise", ties="first")
    record = execute(instance, lambda seed: ProgramAgent(agent_policy, seed), 0, "x").trajectory
    actions = [step.action for step in record]
    assert all(action not in actions[max(0, n - 4) : n] for n, action in enumerate(actions))
