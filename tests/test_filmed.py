"""Robots are recorded with several pictures a chunk."""

from PIL import Image
from typer.testing import CliRunner

from rsi_envs.cli import app


def test_robots_are_recorded_in_short_chunks(tmp_path):
    path = tmp_path / "dolls.gif"
    result = CliRunner().invoke(
        app, ["record", "RoboDojoNestingDolls-d1", "--out", str(path), "--scale", "1"]
    )
    steps = int(result.output.split(": ")[1].split(" ")[0])
    assert result.exit_code == 0 and "score 100.0000" in result.output and 30 <= steps <= 60
    with Image.open(path) as image:
        assert 30 <= image.n_frames <= steps + 1  # frames that show the same become one
