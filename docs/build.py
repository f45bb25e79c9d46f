"""Write the pages that are made from the tasks: ``python -m docs.build [FOLDER]``.

environments/ has a page a task: its docstring with its ids, a prompt, an answer and a picture of
a real instance. gallery.md shows every task at several difficulties. A test builds all of it
again and compares.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from PIL import Image

from rsi_envs.core import registry
from rsi_envs.core.documentation import documentation
from rsi_envs.envs.registration import ids
from rsi_envs.envs.single import TaskEnv

DOCS = Path(__file__).parent
SEED, DIFFICULTY, SHOWN_STEPS, SCALE = 11, 3, 12, 2
GALLERY, WIDTH = (1, 3, 5), 260  # difficulties, and columns of a picture on the page
LONGEST = 1_000  # characters of an answer that are shown

PAGE = """\
# {name}

![{name} after the answer below]({image})

{docstring}

## Ids

{ids}

Suite {suite}, area {area}, rules version {rules_version}.

## A prompt

`gym.make("rsi/{name}-d{difficulty}")` with `reset(seed={seed})`, after {steps} actions of the
reference:

```text
{prompt}```

An answer: `{answer}`
"""

SHOWN = """# Gallery

Every task at some of its difficulties, with `reset(seed={seed})`, halfway through an episode that
the reference plays. `rsi-envs play ID --blocks` shows such pictures in a terminal, and
`rsi-envs record ID --out episode.gif` a whole episode.
"""


def sample(name: str) -> tuple[Any, TaskEnv, Any]:
    """Return the task, an environment some steps into an episode, and the next action."""
    task = registry.task(name)
    env = TaskEnv(task, min(DIFFICULTY, task.difficulties[-1]))
    env.reset(seed=SEED)
    actions = task.reference(env.instance).actions
    steps = min(SHOWN_STEPS, len(actions) - 1)
    for action in actions[:steps]:
        env.step(action)
    return task, env, (steps, actions[steps])


def page(name: str, image: str) -> tuple[str, Any]:
    """Return the text of a task's page and its picture, uint8 (height, width, 3)."""
    task, env, (steps, action) = sample(name)
    answer = task.format(env.problem, env.state, action)
    text = PAGE.format(
        name=name,
        image=image,
        docstring=documentation(type(task)),
        ids=", ".join(f"`{env_id}`" for env_id in ids(type(task))),
        suite=task.suite,
        area=task.area,
        rules_version=task.rules_version,
        difficulty=env.difficulty,
        seed=SEED,
        steps=steps,
        prompt=task.prompt(env.problem, env.state),
        answer=answer if len(answer) <= LONGEST else f"{answer[:LONGEST]} ...",
    )
    env.step(action)
    picture = task.pixels(env.problem, env.state)
    scale = SCALE if picture.shape[1] < WIDTH else 1
    return text, picture.repeat(scale, axis=0).repeat(scale, axis=1)


def halfway(name: str, difficulty: int) -> Any:
    """Return the picture, uint8 (height, width, 3), after half of the reference's actions."""
    task = registry.task(name)
    env = TaskEnv(task, difficulty, score=False)
    env.reset(seed=SEED)
    actions = task.reference(env.instance).actions
    for action in actions[: max(1, len(actions) // 2)]:
        env.step(action)
    return task.pixels(env.problem, env.state)


def gallery(folder: Path) -> str:
    """Write the gallery's pictures below `folder`, and return its page."""
    (folder / "gallery").mkdir(exist_ok=True)
    parts = [SHOWN.format(seed=SEED)]
    for name in sorted(registry.TASKS):
        task = registry.task(name)
        shown = [k for k in GALLERY if k in task.difficulties]
        files = [f"gallery/{name.lower()}-d{k}.png" for k in shown]
        for difficulty, file in zip(shown, files):
            Image.fromarray(halfway(name, difficulty)).save(folder / file, optimize=True)
        cells = [
            f'<img src="{file}" width="{WIDTH}" alt="{name} at difficulty {k}">'
            for k, file in zip(shown, files)
        ]
        head = " | ".join(f"d = {k}" for k in shown)
        rows = f"| {head} |\n|{'---|' * len(shown)}\n| {' | '.join(cells)} |"
        parts.append(f"## [{name}](environments/{name.lower()}.md)\n\n{rows}\n")
    return "\n".join(parts)


def build(folder: Path) -> None:
    """Write every page and picture below `folder`."""
    pages = folder / "environments"
    pages.mkdir(parents=True, exist_ok=True)
    for name in sorted(registry.TASKS):
        image = f"{name.lower()}.png"
        text, picture = page(name, image)
        (pages / f"{name.lower()}.md").write_text(text, encoding="utf-8")
        Image.fromarray(picture).save(pages / image)
    (folder / "gallery.md").write_text(gallery(folder), encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
