"""The loop and the ladder, with methods small enough to compute by hand."""

import json
import random

import numpy as np
import pytest

from rsi_envs.core import registry
from rsi_envs.core.instance import Instance
from rsi_envs.protocol import Config, evaluate_ladder, evolve
from rsi_envs.protocol.agents import Workspace, execute
from rsi_envs.protocol.evolve import load_method
from rsi_envs.protocol.feedback import FeedbackResult

CONFIG = Config.parse(
    {
        "schedule": [{"game": "Sweepmine", "difficulty": 1, "count": 4}],
        "holdout": [{"game": "Sweepmine", "difficulty": d, "count": 6} for d in (1, 2)],
        "holdout_tasks_per_difficulty": 6,
        "replay": {"interval": 2, "lag": 1},
    }
)


class Policy:
    """Plays a hand-written policy of the task by name."""

    def __init__(self, name, seed):
        self.name, self.rng = name, random.Random(seed)

    def act(self, view):
        policies = registry.task(view.task).policies()
        return policies[self.name](view.observation, self.rng)


class Switch:
    """A method that starts blind and turns greedy at its first refinement."""

    name = "switch"

    def __init__(self):
        self.seen = []

    def initial(self):
        return Workspace({"policy.txt": "blind"})

    def agent(self, workspace, seed):
        return Policy(workspace["policy.txt"], seed)

    def refine(self, workspace, feedback, seed):
        self.seen.append(feedback)
        return [workspace.edited({"policy.txt": "greedy"})]

    def select(self, current, candidates, seed):
        return candidates[0][0]


@pytest.fixture(scope="module")
def switched(tmp_path_factory):
    method = Switch()
    return evolve(CONFIG, method, tmp_path_factory.mktemp("run"))


def test_replays_are_executed_but_not_refined(switched):
    replays = [e for e in switched.executions if e.replay_of]
    assert [e.replay_of for e in replays] == ["in-000", "in-003"]
    assert all(not e.candidates and e.workspace == e.next for e in replays)
    assert len(switched.method.seen) == 4
    assert {f.id for f in switched.method.seen} == {
        e.id for e in switched.executions if not e.replay_of
    }


def test_the_first_execution_is_the_then_current_agents(switched):
    first = switched.executions[0]
    assert first.workspace == switched.initial.digest
    assert first.next == first.candidates[0].workspace == switched.final.digest
    assert first.score == 0.0 < first.candidates[0].score


def test_ladder_compares_the_right_agents(switched):
    ladder = evaluate_ladder(switched)
    assert [(row.rung, row.difficulty, row.n) for row in ladder.rows] == [
        ("G0", 1, 2), ("G1", 1, 6), ("G2", 2, 6),
    ]  # fmt: skip
    for row in ladder.rows[1:]:
        assert row.initial == 0.0 < row.final
        assert row.hci == pytest.approx(row.final / row.reference)
        assert row.gain_low <= row.gain <= row.gain_high
    replay = ladder.rows[0]
    # in-000 was first played blind, in-003 greedily with the same random numbers as its replay.
    assert replay.initial < replay.final
    assert "conditional on this run" in str(ladder)


def test_ladder_scores_are_the_agents_scores(switched):
    held_out = [e.parsed for e in switched.manifest.held_out if e.parsed.difficulty == 2]
    task = registry.task("Sweepmine")
    row = evaluate_ladder(switched).rows[2]
    scores = [task.reference_score(instance) for instance in held_out]
    assert row.reference == pytest.approx(np.mean(scores))


def test_frozen_gains_exactly_nothing():
    runs = [evolve(CONFIG, "frozen", run=n) for n in range(2)]
    for row in evaluate_ladder(runs).rows:
        assert row.gain == row.gain_low == row.gain_high == 0.0
        assert row.hci in (0.0, None)


def test_files_tell_the_whole_run(switched):
    path = switched.path
    lines = (path / "executions.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [e.id for e in switched.manifest.held_in]
    feedback = [
        FeedbackResult.model_validate_json(line)
        for line in (path / "feedback.jsonl").read_text().splitlines()
    ]
    assert [f.evaluation.score for f in feedback] == [e.score for e in switched.executions]
    manifest = json.loads((path / "task_manifest.json").read_text())
    assert Instance.from_dict(manifest["held_in"][0]["instance"])
    assert json.loads((path / "environment.json").read_text())["isolation"] == "none"
    assert Config.parse(json.loads((path / "config.resolved.json").read_text())) == CONFIG
    kept = path / "workspaces" / switched.final.digest / "policy.txt"
    assert kept.read_text() == "greedy"


def test_a_used_folder_is_refused(switched):
    with pytest.raises(ValueError, match="not empty"):
        evolve(CONFIG, "frozen", switched.path)


def test_the_same_run_twice_is_the_same():
    first, second = (evolve(CONFIG, "progsearch", run=1) for _ in range(2))
    assert first.executions == second.executions and first.final == second.final


def test_feedback_holds_nothing_hidden(switched):
    for feedback, entry in zip(switched.method.seen, (0, 1, 3, 4)):
        instance = switched.manifest.held_in[entry].parsed
        text = feedback.model_dump_json()
        assert str(instance.seed) not in text and instance.key not in text
        assert str(instance.data["chance"]) not in text
        assert "board" not in feedback.task["data"] and "seed" not in feedback.task


class Broken:
    def act(self, view):
        if view.step == 2:
            raise RuntimeError("no idea")
        return '{"action": "open", "row": 1, "column": 1}' if view.step else None


def test_an_agent_that_raises_is_scored_as_it_stands():
    instance = registry.task("Sweepmine").generate(1, 3)
    result = execute(instance, lambda seed: Broken(), 0, "x")
    # None is no action of the space: the environment's ValueError ends the execution.
    assert result.evaluation.status == "error" and result.evaluation.score == 0.0
    assert "ValueError" in result.evaluation.feedback and result.trajectory == ()


def test_unknown_method_lists_the_installed_ones():
    with pytest.raises(ValueError, match="accept_all, frozen, progsearch"):
        load_method("nope")


def test_ladder_refuses_a_mix_of_methods():
    runs = [evolve(CONFIG, name) for name in ("frozen", "accept_all")]
    with pytest.raises(ValueError, match="one method"):
        evaluate_ladder(runs)
    with pytest.raises(ValueError, match="one or more"):
        evaluate_ladder([])
