"""Physics with pictures: what the suite, the goldens and the version check make of it."""

from collections import Counter
from importlib import metadata

import gymnasium as gym
import pytest

import rsi_envs
from rsi_envs.engines.arm import version
from rsi_envs.testing import CHECKS, ENV_CHECKS, check_task, fingerprint, mismatches
from tests.contract.marks import marks
from tests.contract.toy import Darts
from tests.contract.toy_pusher import Pusher
from tests.contract.toys import registered
from tests.external import mujoco_script, mujoco_versions

pytestmark = pytest.mark.compiled

MOST_LOOKS = 1_150  # observations in all checks of a difficulty and its id, at 15 ms each
COUNTED = ("step", "observe")


@pytest.fixture(scope="module", autouse=True)
def pusher():
    with registered(Pusher):
        yield "rsi/ToyPusher-d1"


@pytest.fixture(scope="module")
def counts():
    """Count the calls of `COUNTED` in the tests of this file."""
    found, patch = Counter(), pytest.MonkeyPatch()

    def counting(name, plain):
        def counted(self, *args):
            found[name] += 1
            return plain(self, *args)

        counted.__name__ = name
        return counted

    for name in COUNTED:
        patch.setattr(Pusher, name, counting(name, getattr(Pusher, name)))
    yield found
    patch.undo()


@pytest.mark.parametrize("check", CHECKS)
def test_physics_passes(check, counts):
    CHECKS[check](Pusher(), 1)


@pytest.mark.parametrize("check", ENV_CHECKS)
def test_ids_of_physics_pass(check, counts, pusher):
    ENV_CHECKS[check](pusher)


def test_the_checks_play_little(counts):
    """Runs after all checks above, and alone tells nothing."""
    assert counts["step"] < counts["observe"] <= MOST_LOOKS


def test_checks_play_brief_episodes(pusher):
    assert check_task(Pusher(calls=50), [2]) == list(CHECKS)
    assert "brief/ToyPusher-d1" in gym.registry or not ENV_CHECKS
    assert gym.make(pusher).unwrapped.task == Pusher()
    assert gym.make("brief/ToyPusher-d1").unwrapped.task == Pusher(calls=8)


def test_only_one_task_at_its_easiest_is_checked_in_fast_tests():
    def names(*case):
        return [mark.name for mark in marks(*case)]

    first, second, *_ = (name for name, task in rsi_envs.TASKS.items() if task.physics)
    assert names(first, 1) == ["compiled"]
    assert names(first, 2) == names(first, None) == names(second, 1) == ["compiled", "slow"]
    assert names("Sweepmine", 5) == names("Sweepmine", None) == []


def test_fingerprints_are_numbers():
    found = fingerprint(Pusher(), 1, 0)
    assert set(found) == {"key", "content", "raw", "steps", "numbers", "score", "pixels"}
    assert found["steps"] == 3 and found["raw"] == 100.0
    assert set(found["numbers"]) == {"picture", "ball", "goal", "left"}
    assert "raw" not in fingerprint(Pusher(), 1, 0, reference=False)
    assert found == fingerprint(Pusher(), 1, 0)


@pytest.mark.parametrize(
    ("name", "change", "tolerated"),
    [
        ("raw", lambda found: found["raw"] + 4e-3, True),
        ("raw", lambda found: found["raw"] - 6e-3, False),
        ("key", lambda found: "0" * 64, False),
        ("steps", lambda found: found["steps"] + 1, False),
        ("score", lambda found: [found["score"][0] + 4e-3, *found["score"][1:]], True),
        ("score", lambda found: [found["score"][0], True, found["score"][2]], False),
        ("score", lambda found: [*found["score"][:2], {**found["score"][2], "new": 1}], False),
        ("numbers", lambda found: moved(found, "picture", 1.9), True),
        ("numbers", lambda found: moved(found, "picture", 2.1), False),
        ("numbers", lambda found: moved(found, "ball", 4e-3), True),
        ("numbers", lambda found: moved(found, "ball", 6e-3), False),
        ("pixels", lambda found: [found["pixels"][0] + 1.9], True),
        ("pixels", lambda found: [found["pixels"][0] + 2.1], False),
        ("pixels", lambda found: None, False),
    ],
)
def test_numbers_of_physics_have_a_tolerance(name, change, tolerated):
    found = fingerprint(Pusher(), 1, 0)
    changed = {**found, name: change(found)}
    assert mismatches(Pusher(), changed, found) == ([] if tolerated else [name])


def moved(found, name, by):
    mean, spread = found["numbers"][name]
    return {**found["numbers"], name: [mean + by, spread - by]}


def test_other_fingerprints_have_no_tolerance():
    task = Darts()
    found = fingerprint(task, 1, 0)
    assert mismatches(task, {**found, "raw": found["raw"] + 1e-12}, found) == ["raw"]


@pytest.mark.parametrize(
    ("found", "fits"),
    [("3.11.0", True), ("3.11.0.dev1", True), ("3.99.1", True), ("4.0.0", False),
     ("4.0.1", True), ("4.2", True), ("3.10.9", False), ("5.0.0", False), ("5", False)],
)  # fmt: skip
def test_other_mujocos_are_refused_at_make(found, fits, monkeypatch, pusher):
    monkeypatch.setattr(version, "version", lambda name: found)
    monkeypatch.setattr(version, "requires", lambda name: ["numba>=1", "mujoco!=4.0.0,<5,>=3.11"])
    if fits:
        gym.make(pusher)
        return
    for make in (gym.make, gym.make_vec):
        with pytest.raises(ImportError, match=f"MuJoCo {found} is not .* needs !=4.0.0,<5,>=3.11"):
            make(pusher)
    gym.make("rsi/Sweepmine-d1")


def test_the_range_is_the_one_of_the_package(monkeypatch):
    stated = "mujoco" + version.supported_range()
    assert stated in metadata.requires("rsi-envs")
    version.check_mujoco_version()
    for lines, wanted in ((None, ""), (["mujoco-mjx>=3", "mujoco (>=3.11)"], ">=3.11")):
        monkeypatch.setattr(version, "requires", lambda name, lines=lines: lines)
        assert version.supported_range() == wanted


def test_a_missing_mujoco_is_told(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(version, "version", missing)
    with pytest.raises(ImportError, match=r"MuJoCo is not installed; pip install .mujoco.*3.11"):
        version.check_mujoco_version()
    monkeypatch.setattr(version, "requires", missing)
    assert version.supported_range() == ""


def test_references_are_run_on_other_mujocos(monkeypatch, capsys):
    installed = metadata.version("mujoco")
    monkeypatch.setattr(mujoco_script, "physics", lambda: [Pusher()])
    mujoco_script.main(f"{installed}.")
    assert capsys.readouterr().out.count("ToyPusher, seed") == 3
    monkeypatch.setattr(mujoco_script, "physics", lambda: [Pusher(calls=2)])
    with pytest.raises(SystemExit, match=r"ToyPusher seed 1 states .* success=False"):
        mujoco_script.main("")
    with pytest.raises(SystemExit, match=r"MuJoCo 2.0. was wanted"):
        mujoco_script.main("2.0.")
    monkeypatch.setattr(mujoco_script, "physics", list)
    with pytest.raises(SystemExit, match="no physics task is registered"):
        mujoco_script.main("")


def test_the_oldest_mujoco_is_the_one_of_pyproject():
    range_, oldest = mujoco_versions.supported()
    assert sorted(range_.split(",")) == sorted(version.supported_range().split(","))
    assert f">={oldest}" in range_
