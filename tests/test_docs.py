"""The pages are what `python -m docs.build` makes today, and the README's code runs."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from docs.build import PAGES, build
from rsi_envs.core.registry import TASKS

ROOT = Path(__file__).parents[1]
BLOCKS = [
    (page.name, number, code)
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S))
]


def test_pages_are_up_to_date(tmp_path):
    build(tmp_path)
    assert sorted(p.name for p in PAGES.iterdir()) == sorted(p.name for p in tmp_path.iterdir())
    for made in tmp_path.glob("*.md"):
        assert (PAGES / made.name).read_text() == made.read_text(), "run: python -m docs.build"
    for made in tmp_path.glob("*.png"):
        assert np.array_equal(Image.open(PAGES / made.name), Image.open(made)), made.name


def test_every_task_has_a_page_with_the_usual_headings():
    headings = ("Description", "Action space", "Observation space", "Rewards", "Score", "Options")
    for name in TASKS:
        text = (PAGES / f"{name.lower()}.md").read_text()
        for heading in headings:
            assert f"## {heading}" in text, (name, heading)


@pytest.mark.parametrize(("page", "number", "code"), BLOCKS)
def test_python_blocks_run(page, number, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, f"{page} block {number}", "exec"), {"__name__": "block"})


def test_the_readme_has_blocks():
    assert sum(page == "README.md" for page, _, _ in BLOCKS) >= 4
