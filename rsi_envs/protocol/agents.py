"""Agents and methods as the protocol sees them, and the execution of an agent on an instance."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from rsi_envs.core.instance import FrozenDict, Instance, sha256
from rsi_envs.core.results import Observation, Options
from rsi_envs.envs.single import TaskEnv
from rsi_envs.protocol.feedback import FeedbackResult, Recorder


class View:
    """What an agent sees before an action: public things only.

    Attributes:
        task, area: the task's name and capability; step: actions played so far.
        observation: the arrays of the environment.
    """

    def __init__(self, env: TaskEnv, observation: Observation, step: int) -> None:
        self.task, self.area = env.task.name, env.task.area
        self.observation, self.step = observation, step
        self._prompt: Callable[[], str] = lambda: env.task.prompt(env.problem, env.state)
        self._look = env.task.options

    @cached_property
    def prompt(self) -> str:
        """Rules, state and the form of an answer."""
        return self._prompt()

    def options(self, effort: int = 0) -> Options | None:
        """Return what could be done next, in words shared by all tasks; see `Task.options`."""
        return self._look(self.observation, effort)


@runtime_checkable
class Agent(Protocol):
    """Plays one episode."""

    def act(self, view: View) -> Any:
        """Return an action of the action space, or a text answer."""


class Workspace(Mapping[str, str]):
    """The editable files of an agent, by relative path; immutable."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = FrozenDict(files)

    def __getitem__(self, path: str) -> str:
        text: str = self._files[path]
        return text

    def __iter__(self) -> Any:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all paths and contents."""
        return sha256(self._files)

    def edited(self, files: Mapping[str, str]) -> Workspace:
        """Return a copy with some files replaced or added."""
        return Workspace({**self._files, **files})


Outcome = tuple[Workspace, FeedbackResult]


class Method(Protocol):
    """A way to improve: edits a workspace from feedback. All it remembers is in the workspace."""

    name: str

    def initial(self) -> Workspace:
        """Return the workspace of A_0."""

    def agent(self, workspace: Workspace, seed: int) -> Agent:
        """Return the agent that the workspace describes; `seed` is for its own randomness."""

    def refine(
        self, workspace: Workspace, feedback: FeedbackResult, seed: int
    ) -> Sequence[Workspace]:
        """Return candidate workspaces; the host runs each on the instance just played."""

    def select(self, current: Outcome, candidates: Sequence[Outcome], seed: int) -> Workspace:
        """Return the next workspace; keeping the current one is allowed."""


def execute(
    instance: Instance,
    make_agent: Callable[[int], Agent],
    seed: int,
    id: str,
    record: bool = True,
) -> FeedbackResult:
    """Play one instance with an agent and return the feedback.

    An agent that raises ends the execution with status "error", scored as it stands.

    Args:
        make_agent: called with `seed` to make the agent of this episode.
        id: opaque name of the execution.
        record: whether to keep the trajectory; prompts cost time.
    """
    env = TaskEnv(instance.task, instance.difficulty)
    observation, _ = env.reset(seed=0, options={"instance": instance})
    recorder = Recorder(env, id)
    try:
        agent = make_agent(seed)
        for step in itertools.count():
            action = agent.act(View(env, observation, step))
            if record:
                recorder.before(action)
            observation, _, terminated, truncated, info = env.step(action)
            if record:
                recorder.after(info)
            if terminated or truncated:
                return recorder.result()
    except Exception:  # whatever an agent's code raises is the agent's result, not ours
        return recorder.result("error", traceback.format_exc(limit=-3))
    raise AssertionError("unreachable: every task ends its episodes")
