"""The wheel holds every module and file of the tree, under one name, and plays every id."""

import configparser
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {
    "rsi_envs": "rsi_envs",
    "wrappers": "rsi_envs/wrappers",
    "baselines": "rsi_envs/baselines",
}
PLAY = ROOT / "tests" / "play_every_id.py"


def files():
    """Return {path in the wheel: path here} of every file of the package."""
    return {
        f"{place}/{path.relative_to(ROOT / folder).as_posix()}": path
        for folder, place in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def setup():
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    return config


def test_setup_cfg_lists_every_package():
    listed = setup()["options"]["packages"].split()
    tree = {Path(place).parent.as_posix().replace("/", ".") for place in files()}
    assert sorted(listed) == sorted(tree)
    assert len(listed) == len(set(listed))


def test_every_folder_is_a_package():
    for place, path in files().items():
        assert (path.parent / "__init__.py").exists(), (
            f"{place} lies in a folder that is no package"
        )


def test_versions_agree():
    import rsi_envs

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == rsi_envs.__version__


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy, so that nothing is written into the repository."""
    source = tmp_path_factory.mktemp("source")
    for folder in FOLDERS:
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, source / folder, ignore=leave)
    for name in ("pyproject.toml", "setup.cfg", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    call([sys.executable, "-m", "build", "--wheel", "--outdir", str(source / "dist"), str(source)])
    (found,) = (source / "dist").glob("*.whl")
    return found


def call(command, **arguments):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **arguments)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    return done.stdout


def test_the_wheel_holds_every_file(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (top,) = (name for name in names if name.endswith("top_level.txt"))
        assert archive.read(top).decode().split() == ["rsi_envs"]
    assert {name for name in names if ".dist-info/" not in name} == set(files())
    assert {"rsi_envs/py.typed", "rsi_envs/wrappers/text.py"} <= names


def test_an_installed_wheel_plays_every_id(wheel, tmp_path):
    target = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    call([*pip, "--target", str(target), str(wheel)])
    program = (
        "import importlib, runpy, rsi_envs\n"
        f"for name in {modules()!r}:\n    importlib.import_module(name)\n"
        f"runpy.run_path({str(PLAY)!r}, run_name='__main__')\n"
        "print(rsi_envs.__file__, rsi_envs.baselines.__file__)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(target)}
    said = call([sys.executable, "-c", program], cwd=tmp_path, env=environment)
    assert f"{target}/rsi_envs/__init__.py {target}/rsi_envs/baselines/__init__.py" in said
    assert "ids played" in said


def modules():
    places = (Path(place) for place in files() if place.endswith(".py"))
    return [".".join(place.with_suffix("").parts).removesuffix(".__init__") for place in places]
