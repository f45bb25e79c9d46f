"""The configuration: strict, with messages that name the place and the valid choices."""

import pytest

from rsi_envs.protocol.config import Config, shipped

BLOCK = {"game": "Sweepmine", "difficulty": 3, "count": 4}


def parse(**changes):
    return Config.parse({"schedule": [BLOCK], **changes})


@pytest.mark.parametrize("name", shipped())
def test_shipped_configurations_load(name):
    assert Config.load(name).schedule


def test_overrides_replace_top_level_fields():
    assert Config.load("medium-sweepmine", holdout_seed=5).holdout_seed == 5


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"sed": 1}, ["sed: unknown key", "holdout_seed", "schedule"]),
        ({"schedule": [{**BLOCK, "cuont": 3}]}, ["schedule[0].cuont", "difficulty", "replay"]),
        ({"holdout": [{**BLOCK, "replay": True}]}, ["holdout[0].replay: unknown key"]),
        ({"replay": {"intervall": 2}}, ["replay.intervall", "interval, lag"]),
        ({"schedule": []}, ["schedule", "at least 1"]),
        (
            {"schedule": [{**BLOCK, "count": 0}]},
            ["schedule[0].count", "greater than or equal to 1"],
        ),
        (
            {"schedule": [{**BLOCK, "game": "Sweepmin"}]},
            ["schedule[0]", "Did you mean 'Sweepmine'"],
        ),
        ({"schedule": [{**BLOCK, "difficulty": 99}]}, ["schedule[0]", "from 1 to 20", "99"]),
        ({"schedule": [{**BLOCK, "difficulty": "3"}]}, ["schedule[0].difficulty", "integer"]),
        ({"seed": -1}, ["seed", "greater than or equal to 0"]),
        ({"seed": 2**63}, ["seed", "less than"]),
        ({"replay": {"interval": -1, "lag": 1}}, ["replay.interval"]),
        ({"holdout_tasks_per_difficulty": 0}, ["holdout_tasks_per_difficulty"]),
        ({"holdout": [BLOCK, BLOCK]}, ["holdout[0]", "held out twice"]),
        ({"holdout": [{**BLOCK, "difficulty": 2}]}, ["holdout[0]", "no rung", "held in at 3"]),
        (
            {"holdout": [{**BLOCK, "count": 9}], "holdout_tasks_per_difficulty": 8},
            ["holdout[0]", "count 9", "holdout_tasks_per_difficulty = 8"],
        ),
    ],
)
def test_wrong_configurations_say_where_and_what(changes, parts):
    with pytest.raises(ValueError) as caught:
        parse(**changes)
    for part in parts:
        assert part in str(caught.value)


def test_several_errors_are_told_at_once():
    with pytest.raises(ValueError, match=r"(?s)sed: unknown.*replay\.x: unknown|replay.*sed"):
        parse(sed=1, replay={"x": 1})


@pytest.mark.parametrize("name", ["nope", "nope.toml"])
def test_unknown_configuration(name):
    with pytest.raises(ValueError, match="configuration"):
        Config.load(name)


def test_malformed_toml(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("seed = = 3")
    with pytest.raises(ValueError, match="malformed TOML"):
        Config.load(path)
