"""Manifests: reproducible, without duplicates, held-out pools first and shared by all runs."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from rsi_envs.core import registry
from rsi_envs.core.instance import Instance
from rsi_envs.protocol.config import Config
from rsi_envs.protocol.manifest import Manifest, build_manifest
from rsi_envs.tasks.games.sweepmine.task import Sweepmine


def config(**changes):
    return Config.parse(
        {
            "schedule": [{"game": "Sweepmine", "difficulty": 1, "count": 6}],
            "holdout": [
                {"game": "Sweepmine", "difficulty": 1, "count": 5},
                {"game": "Sweepmine", "difficulty": 2, "count": 3},
            ],
            "holdout_tasks_per_difficulty": 8,
            "replay": {"interval": 2, "lag": 1},
            **changes,
        }
    )


def contents(entries):
    return [entry.parsed.content_key for entry in entries]


def test_the_same_configuration_gives_the_same_manifest():
    assert build_manifest(config(), 1) == build_manifest(config(), 1)


def test_runs_share_the_held_out_pool_and_nothing_else():
    first, second = build_manifest(config(), 0), build_manifest(config(), 1)
    assert first.held_out == second.held_out
    assert not set(contents(first.held_in)) & set(contents(second.held_in))


def test_seeds_one_apart_share_nothing():
    first, second = build_manifest(config()), build_manifest(config(seed=1, holdout_seed=2))
    assert not set(contents(first.held_out)) & set(contents(second.held_out))
    assert not set(contents(first.held_in)) & set(contents(second.held_in))


def test_no_content_occurs_twice_but_for_replays():
    manifest = build_manifest(config())
    firsts = [entry for entry in manifest.held_in if entry.replay_of is None]
    seen = contents(firsts) + contents(manifest.held_out)
    assert len(seen) == len(set(seen)) == 6 + 5 + 3


def test_replays_point_at_their_first_execution():
    manifest = build_manifest(config())
    entries = {entry.id: entry for entry in manifest.held_in}
    replays = [entry for entry in manifest.held_in if entry.replay_of]
    assert len(replays) == 3
    for entry in replays:
        assert entries[entry.replay_of].instance == entry.instance
        assert entries[entry.replay_of].replay_of is None


def test_a_block_takes_the_first_of_its_pool():
    few = build_manifest(config())
    block = {"game": "Sweepmine", "difficulty": 1, "count": 8}
    many = build_manifest(config(holdout=[block]))
    assert contents(few.held_out)[:5] == contents(many.held_out)[:5]


def test_json_round_trip():
    manifest = build_manifest(config())
    again = Manifest.model_validate_json(manifest.model_dump_json())
    assert contents(again.held_in) == contents(manifest.held_in)


@dataclass(frozen=True)
class FewBoards(Sweepmine):
    """Sweepmine with four instances in all."""

    name: ClassVar[str] = "FewBoards"

    def generate(self, difficulty, seed):
        board = ["*...", ".*..", "..*.", "...*"][seed % 4]
        data = dict(rows=1, cols=4, mines=1, budget=9, first_open_safe=False)
        return Instance("FewBoards", difficulty, seed, {**data, "board": [board], "chance": seed})


@pytest.fixture
def few_boards():
    registry.register(FewBoards)
    yield
    del registry.TASKS["FewBoards"]


@pytest.mark.usefixtures("few_boards")
def test_a_pool_that_cannot_be_filled_says_how_many_there_are():
    block = {"game": "FewBoards", "difficulty": 1, "count": 5}
    with pytest.raises(ValueError, match="after 4 distinct ones"):
        build_manifest(Config.parse({"schedule": [block]}))
    enough = {"schedule": [{**block, "count": 2}], "holdout": [{**block, "count": 2}]}
    manifest = build_manifest(Config.parse({**enough, "holdout_tasks_per_difficulty": 2}))
    assert len(set(contents((*manifest.held_in, *manifest.held_out)))) == 4
    with pytest.raises(ValueError, match="4 in all"):
        build_manifest(Config.parse({**enough, "holdout_tasks_per_difficulty": 3}))
