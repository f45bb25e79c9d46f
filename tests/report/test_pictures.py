"""Pictures that agents were shown: recorded by content, and on the report's page."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

import rsi_envs
from rsi_envs.cli.recording import frame
from rsi_envs.core.registry import TASKS
from rsi_envs.protocol import Config
from rsi_envs.report import pictures
from rsi_envs.report.reading import Step, read
from rsi_envs.report.writing import text
from tests.contract.toy_lamp import Seen
from tests.report.experiments import Thrower, write_experiment

SHOWN = re.compile(r'base64,([^"]+)" width="(\d+)" height="(\d+)" alt="Shown before action (\d+)"')


class Walker(Thrower):
    """Moves right, whatever it is shown."""

    name = "walker"

    def act(self, view):
        return '{"move": "right"}'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give the folder of an experiment on a task that shows a picture in each step."""
    TASKS[Seen.name] = Seen
    block = {"game": Seen.name, "difficulty": 2}
    asked = {"schedule": [{**block, "count": 2}], "holdout": [{**block, "count": 2}]}
    config = Config.parse({**asked, "holdout_tasks_per_difficulty": 2})
    yield write_experiment(tmp_path_factory.mktemp("seen") / "walker", Walker, config, runs=1)
    del TASKS[Seen.name]


def decoded(source):
    with Image.open(io.BytesIO(base64.b64decode(source))) as image:
        return np.asarray(image.convert("RGB"))


def test_the_page_shows_what_the_agent_was_shown(folder):
    (run,) = read(folder).runs
    made = text(folder, "html")
    expected = []
    for entry, steps in run.trajectories.items():
        instance = run.entries[entry].parsed
        task = Seen()
        for number, step in enumerate(steps, start=1):
            state = task.retrace(instance, [one.action for one in steps[: number - 1]])
            frame = task.pixels(state.problem, state.state)
            assert len(step.pictures) == 1
            assert (run.folder / "images" / f"{step.pictures[0]}.png").is_file()
            expected.append((number, frame))
    found = [(int(number), decoded(source)) for source, _, _, number in SHOWN.findall(made)]
    assert len(found) == len(expected) > 2
    for (number, frame), (wanted, drawn) in zip(found, expected):
        assert number == wanted and np.array_equal(frame, drawn)


def test_long_episodes_show_some_with_first_and_last(folder):
    (run,) = read(folder).runs
    names = [step.pictures for steps in run.trajectories.values() for step in steps]
    steps = [
        Step("x", "y", None, one) for one in names[:1] * 3 + [(f"{n}" * 64,) for n in range(60)]
    ]
    made = pictures.strip(run.folder, steps)
    assert "8 of 61 pictures" in made
    assert re.findall(r"<span>(\d+)", made) == ["1", "12", "20", "29", "37", "46", "54", "63"]
    assert pictures.strip(run.folder, [Step("x", "y", None)]) == ""


@pytest.mark.parametrize("damage", ["gone", "broken", "changed"])
def test_a_picture_that_is_not_the_recorded_one_is_not_shown(folder, tmp_path, damage):
    (run,) = read(folder).runs
    name = next(iter(run.trajectories.values()))[0].pictures[0]
    path = tmp_path / "images" / f"{name}.png"
    path.parent.mkdir()
    if damage == "broken":
        path.write_bytes(b"no picture")
    if damage == "changed":
        Image.fromarray(np.zeros((6, 16, 3), np.uint8)).save(path)
    made = pictures.strip(tmp_path, [Step("x", "y", None, (name,))])
    assert f"1: images/{name[:12]}… is missing or was changed" in made
    assert "<img" not in made


def test_large_pictures_become_small(tmp_path):
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[:, 320:] = 200
    name = pictures.picture_name(picture)
    (tmp_path / "images").mkdir()
    Image.fromarray(picture).save(tmp_path / "images" / f"{name}.png")
    made = pictures.strip(tmp_path, [Step("x", "y", None, (name,))])
    ((_, width, height, _),) = SHOWN.findall(made)
    assert (int(width), int(height)) == (160, 120)


def reopened(image):
    """Return a picture as the page has it."""
    return Image.open(io.BytesIO(pictures.png(image)))


@pytest.mark.parametrize("kept", [reopened, lambda image: frame(np.asarray(image), 1)])
def test_palettes_keep_what_is_small(kept):
    task = rsi_envs.task("Astray")
    problem = task.prepare(task.generate(3, 0))
    picture = task.pixels(problem, task.start(problem))
    drawn = np.asarray(kept(Image.fromarray(picture)).convert("RGB")).astype(int)
    assert abs(drawn - picture).max() < 30  # the ball, too, which is a few red pixels
