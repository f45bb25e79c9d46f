"""The evolution loop (papers/000 section 3.1): execute, refine from feedback, select."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from rsi_envs.core.rng import derive
from rsi_envs.protocol.agents import Method, Outcome, Workspace, execute
from rsi_envs.protocol.config import Config
from rsi_envs.protocol.feedback import FeedbackResult, Status
from rsi_envs.protocol.manifest import Entry, Manifest, build_manifest
from rsi_envs.protocol.store import RunStore

METHODS = "rsi_envs.methods"

# progress(done, total) after each held-in execution
Progress = Callable[[int, int], None]


class Candidate(BaseModel):
    """A candidate's workspace digest and its score on the instance just played."""

    model_config = ConfigDict(frozen=True)

    workspace: str
    score: float


class Execution(BaseModel):
    """One held-in execution by the then-current agent, and what refinement did after it.

    Attributes:
        id: the manifest's entry; replay_of: the first execution's entry, for a replay.
        workspace: digest of the agent that played; next: of the agent that goes on.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    replay_of: str | None
    status: Status
    score: float
    success: bool
    workspace: str
    candidates: tuple[Candidate, ...] = ()
    next: str


@dataclass(frozen=True)
class Run:
    """A finished evolution run.

    Attributes:
        method: the method; config, manifest: what was asked.
        initial, final: the workspaces of A_0 and A_T.
        executions: the held-in executions in order.
        path: its folder, or None if it was not written.
    """

    method: Method
    config: Config
    manifest: Manifest
    initial: Workspace
    final: Workspace
    executions: tuple[Execution, ...]
    path: Path | None


def load_method(name: str) -> Method:
    """Return a method by its entry point's name in the group `rsi_envs.methods`.

    Raises:
        ValueError: no such method; lists the installed ones.
    """
    found = {point.name: point for point in entry_points(group=METHODS)}
    if name not in found:
        raise ValueError(f"no method {name!r}; methods: {', '.join(sorted(found))}")
    method: Method = found[name].load()()
    return method


def play(method: Method, workspace: Workspace, entry: Entry, record: bool = True) -> FeedbackResult:
    """Run the agent of a workspace on an entry.

    The agent's own randomness follows from the entry (a replay's from the first execution), so
    that all agents that are compared on it share their random numbers.
    """
    seed = agent_seed(entry)
    return execute(entry.parsed, lambda s: method.agent(workspace, s), seed, entry.id, record)


def agent_seed(entry: Entry) -> int:
    """Return the seed of an agent's own randomness on an entry; tells nothing of the instance."""
    return derive("agent", entry.replay_of or entry.id)


def evolve(
    config: Config,
    method: Method | str,
    out: str | Path | None = None,
    *,
    run: int = 0,
    progress: Progress | None = None,
) -> Run:
    """Run a method over the held-in sequence of a configuration.

    The method sees feedback on held-in executions only; held-out instances are never played
    here. Replays are executed without refinement. Candidates are run by this host on the
    instance just played.

    Args:
        method: a method, or the name of an installed one.
        out: the folder to write, which must be empty or new; None writes nothing.
        run: number of the evolution run; each has held-in tasks and randomness of its own.

    Raises:
        ValueError: unknown method, a folder in use, or a pool that cannot be filled.
    """
    method = load_method(method) if isinstance(method, str) else method
    manifest = build_manifest(config, run)
    store = None if out is None else RunStore(Path(out))
    initial = workspace = method.initial()
    if store is not None:
        store.begin(config, manifest, method.name)
        store.workspace(initial)
    executions = []
    for step, entry in enumerate(manifest.held_in):
        feedback = play(method, workspace, entry)
        tried: list[Outcome] = []
        following = workspace
        if entry.replay_of is None:
            seed = derive(manifest.seed, "refine", step)
            tried = _try_candidates(method, workspace, feedback, entry, seed)
            following = method.select((workspace, feedback), tried, seed)
        executions.append(_record(entry, feedback, workspace, tried, following))
        if store is not None:
            store.workspace(following)
            store.execution(executions[-1], feedback)
        workspace = following
        if progress is not None:
            progress(step + 1, len(manifest.held_in))
    path = None if store is None else store.path
    return Run(method, config, manifest, initial, workspace, tuple(executions), path)


def _try_candidates(
    method: Method, workspace: Workspace, feedback: FeedbackResult, entry: Entry, seed: int
) -> list[Outcome]:
    candidates = method.refine(workspace, feedback, seed)
    return [(candidate, play(method, candidate, entry)) for candidate in candidates]


def _record(
    entry: Entry,
    feedback: FeedbackResult,
    workspace: Workspace,
    tried: list[Outcome],
    following: Workspace,
) -> Execution:
    return Execution(
        id=entry.id,
        replay_of=entry.replay_of,
        status=feedback.evaluation.status,
        score=feedback.evaluation.score,
        success=feedback.evaluation.success,
        workspace=workspace.digest,
        candidates=tuple(
            Candidate(workspace=space.digest, score=result.evaluation.score)
            for space, result in tried
        ),
        next=following.digest,
    )
