"""The command line: what it prints, and exit code 2 with one message for bad input."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image, ImageSequence

import rsi_envs
from rsi_envs import cli
from rsi_envs.cli.blocks import blocks
from rsi_envs.core.registry import TASKS
from tests.contract.toy import Unpainted
from tests.contract.toy_lamp import Seen

ROOT = Path(__file__).parents[1]


def run(monkeypatch, capsys, *arguments, typed=()):
    """Run the command line in this process; return its exit code, output and error output."""
    lines = iter(typed)

    def answer(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(sys, "argv", ["rsi-envs", *map(str, arguments)])
    monkeypatch.setattr("builtins.input", answer)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    return ended.value.code or 0, said.out, said.err


@pytest.fixture
def rsi(monkeypatch, capsys):
    return lambda *arguments, **more: run(monkeypatch, capsys, *arguments, **more)


TINY = """
[[schedule]]
game = "Sweepmine"
difficulty = 1
count = 3
[[holdout]]
game = "Sweepmine"
difficulty = 1
count = 4
"""


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


def test_list(rsi):
    code, out, _ = rsi("list", "--area", "reasoning")
    assert code == 0 and "Sweepmine" in out


def test_show(rsi):
    code, out, _ = rsi("show", "rsi/Sweepmine-d3", "--seed", 11)
    assert code == 0
    for part in ("8 rows and 8 columns", "Board", "proof: heuristic", "key "):
        assert part in out


@pytest.mark.parametrize("agent", ["random", "greedy", "reference"])
def test_watch_an_agent(rsi, agent):
    code, out, _ = rsi("play", "Sweepmine-d1", "--agent", agent)
    assert code == 0 and "score" in out


def test_play_by_hand(rsi):
    typed = ["open 1 1", "so what", '{"action": "mark", "row": 6, "column": 6}']
    code, out, _ = rsi("play", "rsi/Sweepmine-d1", typed=typed)
    assert code == 0
    assert "no JSON object found" in out and "F" in out.splitlines()[-1]


def test_words_become_an_answer():
    schema = {
        "required": ["action", "row"],
        "properties": {"action": {}, "row": {"type": "integer"}},
    }
    assert json.loads(cli.words_to_answer("open 3", schema)) == {"action": "open", "row": 3}
    for line in ("open three", "open", '{"action": 1}', ""):
        assert cli.words_to_answer(line, schema) == line
    assert cli.words_to_answer("open 3", None) == "open 3"


def test_the_start_of_a_word_is_enough():
    moves = ["left", "look", "play slash", "play", None]
    schema = {"required": ["move"], "properties": {"move": {"enum": moves}}}
    for line, move in (
        ("le", "left"), ("l", "l"), ("play s", "play slash"), ("play", "play"), ("N", "N"),
    ):  # fmt: skip
        assert json.loads(cli.words_to_answer(line, schema)) == {"move": move}
    assert cli.words_to_answer("", schema) == ""


def lit(line):
    """Return the (upper, lower) colours of a line of blocks."""
    numbers = re.findall(r"\x1b\[38;2;(\d+);(\d+);(\d+);48;2;(\d+);(\d+);(\d+)m▀", line)
    return [(tuple(map(int, one[:3])), tuple(map(int, one[3:]))) for one in numbers]


def test_blocks_show_two_pixels_a_character():
    picture = np.arange(3 * 2 * 3, dtype=np.uint8).reshape(3, 2, 3)
    first, last = (lit(line) for line in blocks(picture, 3).split("\n"))
    assert first == [((0, 1, 2), (6, 7, 8)), ((3, 4, 5), (9, 10, 11))]
    assert last == [((12, 13, 14), (0, 0, 0)), ((15, 16, 17), (0, 0, 0))]
    large = [lit(line) for line in blocks(picture, 5).split("\n")]
    assert (len(large), len(large[0])) == (3, 4)
    assert large[1][2:] == [((9, 10, 11), (9, 10, 11))] * 2
    halved = np.zeros((8, 4, 3), np.uint8)
    halved[:, 0::2] = 100
    small = [lit(line) for line in blocks(halved, 2).split("\n")]
    assert small == [[((50, 50, 50), (50, 50, 50))] * 2] * 2


def test_play_in_blocks(rsi):
    code, out, _ = rsi("play", "rsi/Sweepmine-d1", "--blocks", typed=["o 1 1"])
    assert code == 0
    lines = [lit(line) for line in out.splitlines() if "▀" in line]
    assert len(lines) > 10 and len({len(line) for line in lines}) == 1
    assert "no JSON object found" not in out
    assert "▀" not in rsi("play", "Sweepmine-d1", "--agent", "blind")[1]


@pytest.fixture
def toys():
    """Register the third-party tasks with and without pictures until the end of the test."""
    before, tasks = dict(gym.registry), dict(TASKS)
    for task in (Seen, Plain):
        TASKS[task.name] = task
        rsi_envs.register_task(task)
    yield
    for name in set(TASKS) - set(tasks):
        del TASKS[name]
    for env_id in set(gym.registry) - set(before):
        del gym.registry[env_id]


@dataclass(frozen=True)
class Plain(Unpainted):
    """Darts without a picture, as a task of its own."""

    name: ClassVar[str] = "ToyPlain"


def test_a_task_without_a_picture_is_shown_as_text(rsi, toys):
    code, out, _ = rsi("play", "ToyPlain-d1", "--agent", "random", "--blocks")
    assert code == 0 and "(ToyPlain draws no picture; it is shown as text)" in out
    assert "darts left" in out
    code, _, err = rsi("record", "ToyPlain-d1", "--out", "x.gif")
    assert code == 2 and "ToyPlain draws no picture" in err


def test_named_instances_are_shown_and_played(rsi, toys):
    code, out, _ = rsi("show", "ToySeen-d1", "--instance", "shop/far")
    assert code == 0 and "6 actions" in out and Seen().named()["shop/far"].key in out
    code, out, _ = rsi("play", "ToySeen-d1", "--instance", "shop/red", typed=["r"] * 3)
    assert code == 0 and "score 1.0000" in out
    code, _, err = rsi("play", "ToySeen-d1", "--instance", "shop/blue")
    assert code == 2 and "there are shop/red, shop/far" in err


def frames(path):
    """Return the frames of a GIF as (pixels, milliseconds)."""
    with Image.open(path) as image:
        return [
            (np.asarray(one.convert("RGB")), one.info["duration"])
            for one in ImageSequence.Iterator(image)
        ]


def test_record_has_a_frame_for_every_state(rsi, toys, tmp_path):
    path, again = tmp_path / "far.gif", tmp_path / "again.gif"
    for out in (path, again):
        code, said, _ = rsi("record", "ToySeen-d1", "--instance", "shop/far", "--out", out)
        assert code == 0 and f"written to {out}: 6 steps, score 1.0000" in said
    assert path.read_bytes() == again.read_bytes()
    found = frames(path)
    assert [duration for _, duration in found] == [250] * 6 + [2000]
    task = Seen()
    problem = task.prepare(task.named_instance("shop/far"))
    state = task.start(problem)
    for pixels, _ in found:
        expected = task.pixels(problem, state).repeat(2, axis=0).repeat(2, axis=1)
        assert np.array_equal(pixels, expected)
        task.step(problem, state, 2)


def test_record_takes_an_agent_a_seed_and_a_pace(rsi, toys, tmp_path):
    path = tmp_path / "wanders.GIF"
    options = ("--agent", "random", "--seed", 3, "--fps", 10, "--scale", 1)
    assert rsi("record", "ToySeen-d2", "--out", path, *options)[0] == 0
    found = frames(path)
    assert found[0][0].shape == (6, 16, 3)
    assert all(duration % 100 == 0 for _, duration in found[:-1])


def test_record_makes_a_contact_sheet(rsi, toys, tmp_path):
    path = tmp_path / "far.png"
    code, said, _ = rsi("record", "ToySeen-d1", "--instance", "shop/far", "--out", path)
    assert code == 0 and "6 steps, score 1.0000" in said
    with Image.open(path) as image:
        assert image.size == (3 * (2 * 16 + 8), 3 * (2 * 6 + 26))  # 7 states of 16 x 6


def test_run_prints_and_writes_the_ladder(rsi, tiny, tmp_path):
    out_folder = tmp_path / "out"
    code, out, _ = rsi("run", tiny, "--method", "frozen", "--runs", 2, "--out", out_folder)
    assert code == 0
    for part in ("frozen: 2 runs", "G1", "initial", "final", "reference", "gain", "HCI", " n\n"):
        assert part in out
    ladder = json.loads((out_folder / "ladder.json").read_text())
    assert ladder["runs"] == 2 and ladder["rows"][0]["n"] == 4
    code, _, err = rsi("run", tiny, "--method", "frozen", "--out", out_folder)
    assert code == 2 and "not empty" in err


def test_run_overrides_seeds(rsi, tiny, tmp_path):
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        rsi("run", tiny, "--method", "frozen", "--runs", 1, "--holdout-seed", seed, "--out", folder)
    run = "runs/run-000/task_manifest.json"
    first, second = (json.loads((tmp_path / str(s) / run).read_text())["held_out"] for s in (1, 2))
    assert first != second


def test_check_and_warmup(rsi):
    code, out, _ = rsi("check", "Sweepmine")
    assert code == 0 and "checks passed" in out
    code, out, _ = rsi("warmup")
    assert code == 0 and "Sweepmine: ready" in out


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["list", "--area", "cooking"], ["cooking", "reasoning"]),
        (["show", "rsi/Sweepmin-d1"], ["Did you", "Sweepmine-d1"]),
        (["show", "rsi/Sweepmine-d1", "--seed", "-4"], ["seed", "[0, 2**63)"]),
        (["show", "rsi/Sweepmine-d1", "--seed", "x"], ["seed"]),
        (["show", "CartPole-v1"], ["CartPole"]),
        (["play", "rsi/Sweepmine-d1", "--agent", "me"], ["me", "random, blind, greedy, reference"]),
        (["show", "Sweepmine-d1", "--instance", "a/b"], ["Sweepmine has no named instance"]),
        (["record", "Sweepmine-d1", "--out", "x.bmp"], ["x.bmp", ".gif or .png"]),
        (["record", "Sweepmine-d1", "--out", "/nowhere/x.gif"], ["/nowhere/x.gif"]),
        (["record", "Sweepmine-d1", "--out", "x.gif", "--agent", "me"], ["me", "reference"]),
        (["record", "Sweepmine-d1", "--out", "x.gif", "--fps", "0"], ["--fps"]),
        (["record", "Sweepmine-d1"], ["--out"]),
        (["run", "nope"], ["nope", "medium-sweepmine"]),
        (["run", "medium-sweepmine", "--method", "x"], ["accept_all, frozen, progsearch"]),
        (["run", "medium-sweepmine", "--runs", "0"], ["--runs"]),
        (["run", "medium-sweepmine", "--seed", "-1"], ["seed"]),
        (["run"], ["CONFIG", "--resume"]),
        (["check", "no_such_module"], ["no_such_module", "Sweepmine"]),
        (["check", "json"], ["json", "registers no task"]),
        (["check", "./task.py"], ["no module", "Sweepmine"]),
        (["check", ".task"], ["no module"]),
        (["show", "no_such_module:rsi/X-d1"], ["no_such_module"]),
        (["run", "medium-sweepmine", "--out", "/etc/passwd"], ["/etc/passwd"]),
        (["fly"], ["fly"]),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(rsi, arguments, parts):
    code, _, err = rsi(*arguments)
    told = " ".join(err.split())
    assert code == 2 and "Traceback" not in err
    for part in parts:
        assert part in told


def test_debugging_shows_where_an_error_came_from(rsi):
    code, _, err = rsi("--debug", "run", "nope")
    assert code == 2 and "Traceback" in err and err.rstrip().endswith("or a .toml file")


def test_the_installed_command_ends_without_traceback():
    command = Path(sys.executable).with_name("rsi-envs")
    done = subprocess.run([command, "run", "nope"], capture_output=True, text=True)
    assert done.returncode == 2 and "medium-sweepmine" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_robots_are_recorded_in_short_chunks(rsi, tmp_path):
    path = tmp_path / "dolls.gif"
    code, said, _ = rsi("record", "RoboDojoNestingDolls-d1", "--out", path, "--scale", 1)
    steps = int(said.split(": ")[1].split(" ")[0])
    assert code == 0 and "score 100.0000" in said and 30 <= steps <= 60
    assert sum(duration for _, duration in frames(path)) == 250 * steps + 2000
