"""Hypothesis strategies for property tests of any registered task; hypothesis loads on use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rsi_envs.core import registry
from rsi_envs.core.instance import Instance
from rsi_envs.core.rng import SEED_END
from rsi_envs.core.task import Task
from rsi_envs.testing.play import WILD, Turn, chooser

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy


class Trajectory(NamedTuple):
    """An episode, or the beginning of one: where it was played, its turns and where it led."""

    task: Task
    instance: Instance
    problem: Any
    turns: tuple[Turn, ...]
    state: Any


class _Drawn:
    """Choices made by hypothesis, so that failing episodes shrink."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw

    def below(self, end: int) -> int:
        from hypothesis import strategies as st

        return self.draw(st.integers(0, end - 1))


def instances(name: str, difficulty: int = 1, **options: Any) -> SearchStrategy[Instance]:
    """Return a strategy for instances of the task `name` with the given options."""
    from hypothesis import strategies as st

    task = registry.task(name, **options)
    return st.integers(0, SEED_END - 1).map(lambda seed: task.generate(difficulty, seed))


def trajectories(
    name: str, difficulty: int = 1, *, steps: int = 40, wild: int = WILD, **options: Any
) -> SearchStrategy[Trajectory]:
    """Return a strategy for episodes of at most `steps` actions.

    Args:
        name: the task's name.
        difficulty: the difficulty of the instances.
        steps: episodes are cut off here.
        wild: percent of actions that need not be legal, nor in the action space.
        **options: the task's options.
    """
    from hypothesis import strategies as st

    task = registry.task(name, **options)
    space = task.spaces(difficulty)[1]

    @st.composite
    def played(draw: DrawFn) -> Trajectory:
        instance = draw(instances(name, difficulty, **options))
        problem = task.prepare(instance)
        state = task.start(problem)
        choose = chooser(space, _Drawn(draw), wild)
        observation, turns = task.observe(problem, state), []
        for _ in range(draw(st.integers(0, steps))):
            action = choose(observation)
            step = task.step(problem, state, action)
            observation = task.observe(problem, state)
            turns.append(Turn(action, step, observation))
            if step.done:
                break
        return Trajectory(task, instance, problem, tuple(turns), state)

    return played()
