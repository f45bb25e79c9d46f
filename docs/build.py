"""Write the pages of docs/environments: ``python -m docs.build [FOLDER]``.

Each page is a task's docstring with its ids, a prompt, an answer and a picture of a real
instance. A test builds them again and compares.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

from PIL import Image

from rsi_envs.core import registry
from rsi_envs.envs.registration import ids
from rsi_envs.envs.single import TaskEnv

PAGES = Path(__file__).parent / "environments"
SEED, DIFFICULTY, SHOWN_STEPS, SCALE = 11, 3, 12, 2

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
    text = PAGE.format(
        name=name,
        image=image,
        docstring=inspect.getdoc(type(task)),
        ids=", ".join(f"`{env_id}`" for env_id in ids(type(task))),
        suite=task.suite,
        area=task.area,
        rules_version=task.rules_version,
        difficulty=env.difficulty,
        seed=SEED,
        steps=steps,
        prompt=task.prompt(env.problem, env.state),
        answer=task.format(env.problem, env.state, action),
    )
    env.step(action)
    picture = task.pixels(env.problem, env.state)
    return text, picture.repeat(SCALE, axis=0).repeat(SCALE, axis=1)


def build(folder: Path) -> None:
    """Write every page and picture below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(registry.TASKS):
        image = f"{name.lower()}.png"
        text, picture = page(name, image)
        (folder / f"{name.lower()}.md").write_text(text, encoding="utf-8")
        Image.fromarray(picture).save(folder / image)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else PAGES)
