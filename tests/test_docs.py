"""The pages are what `python -m docs.build` makes today, and the README's code runs."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from docs.build import DOCS, build
from rsi_envs.core.registry import TASKS

ROOT = Path(__file__).parents[1]
MADE = ("environments", "gallery")  # folders that hold nothing else
MOST_BYTES = 60_000  # of the gallery's pictures, a task
GREY = 3.0  # levels that pictures of physics may differ by in the mean: other machines, other bits
NUMBER = r"-?\d+(\.\d*)?(e-?\d+)?"
BLOCKS = [
    (page.name, number, code)
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S))
]


def is_physics(path):
    """Return whether a page or picture is of a task with physics."""
    name = path.stem.partition("-")[0]
    return any(task.physics for known, task in TASKS.items() if known.lower() == name)


def difference(one, other):
    """Return the mean difference of two pictures in grey levels."""
    one, other = (np.asarray(image, float) for image in (one, other))
    return abs(one - other).mean() if one.shape == other.shape else np.inf


def test_pages_are_up_to_date(tmp_path):
    build(tmp_path)
    for folder in MADE:
        here, there = (sorted(p.name for p in (at / folder).iterdir()) for at in (DOCS, tmp_path))
        assert here == there
    for made in tmp_path.rglob("*.*"):
        kept = DOCS / made.relative_to(tmp_path)
        if made.suffix == ".md":
            pages = kept.read_text(), made.read_text()
            if is_physics(made):
                pages = tuple(re.sub(NUMBER, "0", page) for page in pages)
            assert pages[0] == pages[1], "run: python -m docs.build"
        else:
            apart = difference(Image.open(kept), Image.open(made))
            assert apart <= (GREY if is_physics(made) else 0), made.name


def test_the_gallery_shows_every_task_and_stays_small():
    text = (DOCS / "gallery.md").read_text()
    named = set(re.findall(r'src="gallery/(\S+)"', text))
    pictures = {path.name: path.stat().st_size for path in (DOCS / "gallery").iterdir()}
    assert named == set(pictures)
    for name, task in TASKS.items():
        assert f"{name.lower()}-d{task.difficulties[0]}.png" in pictures
    assert sum(pictures.values()) < MOST_BYTES * len(TASKS)


def test_every_task_has_a_page_with_the_usual_headings():
    headings = ("Description", "Action space", "Observation space", "Rewards", "Score", "Options")
    for name in TASKS:
        text = (DOCS / "environments" / f"{name.lower()}.md").read_text()
        for heading in headings:
            assert f"## {heading}" in text, (name, heading)


@pytest.mark.parametrize(("page", "number", "code"), BLOCKS)
def test_python_blocks_run(page, number, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, f"{page} block {number}", "exec"), {"__name__": "block"})


def test_the_readme_has_blocks():
    assert sum(page == "README.md" for page, _, _ in BLOCKS) >= 4
