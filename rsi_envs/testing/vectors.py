"""Checks of vector environments: equality with single ones, seeds, masks, sources, refusals."""

from __future__ import annotations

import copy
import functools
import itertools
import os
import pickle
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from numpy.typing import NDArray

from rsi_envs.core.instance import Instance
from rsi_envs.core.kernel_task import KernelTask
from rsi_envs.core.rng import SEED_END, derive
from rsi_envs.envs.access import sample
from rsi_envs.envs.episodes import row_seed
from rsi_envs.testing.compare import require_fresh, require_same
from rsi_envs.testing.conformance import env_check, refusal, require
from rsi_envs.testing.play import LONGEST, Choose, Dice, chooser, some
from rsi_envs.testing.recording import task_of
from rsi_envs.testing.views import RowView, WithoutEvents, only_shared, require_events_counted

Vector = VectorEnv[Any, Any, Any]

COUNTS = (1, 3, 64)
SLOW = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # where 64 rows take minutes
MODES = tuple(AutoresetMode)
AFTER = 12  # steps that are compared after the first row has ended
STAGGER = 7  # step at which every other row starts anew, so that rows end at different times
MATCHED = 300  # steps of a one-row view
# The same where every step is physics and pictures, and episodes are brief.
FEW_COUNTS, FEW_AFTER, FEW_STAGGER, FEW_MATCHED = (3,), 4, 3, 20
BAD_SEEDS: tuple[Any, ...] = (-1, SEED_END, True, 1.5, [1], [1, 2, 3, 4], [0, -1, 2], [0, 1.5, 2])


def _native(env_id: str, count: int, **arguments: Any) -> Any:
    return gym.make_vec(env_id, num_envs=count, **arguments)


def _base(env_id: str, **arguments: Any) -> gym.Env[Any, Any]:
    return gym.make(env_id, disable_env_checker=True, **arguments).unwrapped


def _plain(env_id: str, count: int, mode: AutoresetMode, **arguments: Any) -> SyncVectorEnv:
    """Return the same episodes in Gymnasium's own vector environment, one after the other."""
    make = functools.partial(_base, env_id, **arguments)
    return SyncVectorEnv([make] * count, autoreset_mode=mode)


def _players(env: Vector, *parts: str | int) -> list[Choose]:
    space = env.single_action_space
    return [chooser(space, Dice(*parts, row)) for row in range(env.num_envs)]


def _actions(env: Vector, observation: Any, players: Sequence[Choose]) -> NDArray[Any]:
    rows = range(env.num_envs)
    chosen = [
        players[row]({name: value[row] for name, value in observation.items()}) for row in rows
    ]
    return np.array(chosen, env.action_space.dtype)


@env_check
def vector_equals_single(env_id: str) -> None:
    """Rows play bit for bit what single environments do, in all three autoreset modes."""
    physics = task_of(env_id).physics
    after, stagger = (FEW_AFTER, FEW_STAGGER) if physics else (AFTER, STAGGER)
    for count in FEW_COUNTS if physics else COUNTS[:2] if SLOW else COUNTS:
        for mode in MODES:
            score = count == COUNTS[1]  # it may need a reference in each episode
            native = _native(env_id, count, autoreset_mode=mode, score=score)
            plain = _plain(env_id, count, mode, score=score)
            _require_equal(native, plain, mode, after, stagger)


def _require_equal(
    native: Vector, plain: Vector, mode: AutoresetMode, after: int, stagger: int
) -> None:
    seeds: Any = [derive("row of a list", row) for row in range(native.num_envs)]
    first: Any = native.reset(seed=seeds)
    require_same(first, plain.reset(seed=seeds), f"first resets of vector and single ({mode})")
    observation, left = first[0], after
    players = _players(native, "vector")
    for step in range(LONGEST):
        actions = _actions(native, observation, players)
        found, expected = native.step(actions), plain.step(actions)
        where = f"step {step} of {native.num_envs} rows ({mode})"
        require_same(only_shared(found), only_shared(expected), f"vector and single in {where}")
        require_events_counted(found[4], expected[4])
        ended = found[2] | found[3]
        again = ended if mode is AutoresetMode.DISABLED else np.zeros_like(ended)
        if step == stagger:
            again = again | (np.arange(native.num_envs) % 2 == 1)
        observation = found[0]
        if again.any():
            observation = _reset_both(native, plain, again, seeds if step == stagger else None)
        left -= bool(ended.any() or left < after)
        if left == 0:
            return


def _reset_both(native: Vector, plain: Vector, mask: NDArray[np.bool_], seeds: Any) -> Any:
    seeds = None if seeds is None else [seed ^ 1 for seed in seeds]
    found = native.reset(seed=seeds, options={"reset_mask": mask.copy()})
    expected = plain.reset(seed=seeds, options={"reset_mask": mask.copy()})
    require_same(found, expected, "resets of some rows of vector and single")
    return found[0]


@env_check
def vector_seeds_by_row(env_id: str) -> None:
    """An integer seeds row i with ``derive("row", seed, i)``, row 0 with itself; k goes on."""
    for seed in (0, 31, SEED_END - 1):
        whole, listed = _native(env_id, 3), _native(env_id, 3)
        bases = [row_seed(seed, row) for row in range(3)]
        require(bases[0] == seed and bases[2] == derive("row", seed, 2), f"row seeds {bases}")
        require_same(whole.reset(seed=seed), listed.reset(seed=bases), f"resets with {seed}")
        for k in (1, 2):
            _, info = whole.reset()
            expected = [derive("episode", base, k) for base in bases]
            found = info["episode_seed"].tolist()
            require(found == expected, f"the episodes {k} have the seeds {found}, not {expected}")
        _, info = whole.reset(seed=[5, None, None])
        expected = [5, *(derive("episode", base, 3) for base in bases[1:])]
        found = info["episode_seed"].tolist()
        require(found == expected, f"after seed=[5, None, None] the seeds are {found}")


@env_check
def one_row_matches_single(env_id: str) -> None:
    """Gymnasium's ``check_environments_match`` finds a one-row view equal to the single one."""
    view = RowView(_native(env_id, 1, autoreset_mode=AutoresetMode.DISABLED, score=True))
    steps = FEW_MATCHED if task_of(env_id).physics else MATCHED
    check_environments_match(WithoutEvents(gym.make(env_id)), view, num_steps=steps, seed=5)


@env_check
def vector_rows_wait_for_reset(env_id: str) -> None:
    """Stepping raises ResetNeeded before reset, in part too, and for ended DISABLED rows."""
    env = _native(env_id, 2, autoreset_mode="Disabled")
    actions = np.array([env.single_action_space.sample()] * 2)
    refusal("a step before reset()", env.step, actions, errors=ResetNeeded)
    observation, _ = env.reset(seed=[1, 2])
    players = _players(env, "disabled")
    for _ in range(LONGEST):
        observation, _, terminated, truncated, _ = env.step(_actions(env, observation, players))
        ended = terminated | truncated
        if ended.any():
            break
    require(ended.any(), "no row ends")
    refusal("a step with an ended row", env.step, actions, errors=ResetNeeded)
    before = {name: value[~ended] for name, value in observation.items()}
    observation, info = env.reset(options={"reset_mask": ended})
    require_same(before, {n: v[~ended] for n, v in observation.items()}, "rows left alone")
    require_same(info["_episode_seed"], ended, "the rows reset and those with a reset info")
    env.step(actions)
    for row in (0, 1):
        what = f"a step while row {1 - row} was never reset"
        refusal(what, _step_half_reset, env_id, row, actions, errors=ResetNeeded)


def _step_half_reset(env_id: str, row: int, actions: NDArray[Any]) -> Any:
    env = _native(env_id, 2, autoreset_mode="Disabled")
    env.reset(seed=1, options={"reset_mask": np.arange(2) == row})
    return env.step(actions)


@env_check
def vector_refuses_wrong_input(env_id: str) -> None:
    """Wrong seeds, options, masks and actions give a ValueError and leave the rows as they are."""
    env, twin = _native(env_id, 3), _native(env_id, 3)
    first, same = env.reset(seed=1), twin.reset(seed=1)
    require_same(first, same, "two resets with one seed")
    for seed in BAD_SEEDS:
        refusal(f"the seeds {seed!r}", lambda given: env.reset(seed=given), seed)
    masks = (None, [True] * 3, np.ones(3), np.ones(2, bool), np.zeros(3, bool), "all")
    bad = [{"reset_mask": mask} for mask in masks[1:]]
    for options in ({"mask": 1}, {"difficulty": 0}, {"difficulty": "1"}, *bad):
        refusal(f"{options!r:.60}", lambda given: env.reset(options=given), options)
    good = np.array([env.single_action_space.sample()] * 3)
    wrong = [None, "open", good[:2], np.stack([good, good]), good[0], [None] * 3, good.astype(str)]
    if not np.issubdtype(good.dtype, np.floating):
        wrong += [good.astype(float), good.astype(bool), [[1, 2], [3], [4]]]
    for actions in wrong:
        space = str(env.action_space)
        refusal(f"the actions {actions!r:.60}", env.step, actions, names=space)
    require_same(env.step(good), twin.step(good), "steps after wrong input and without")
    for count in (0, -1, 1.5, True, None):
        refusal(f"num_envs={count!r}", _native, env_id, count)
    refusal("an autoreset mode", lambda: _native(env_id, 1, autoreset_mode="sometimes"))


@env_check
def vector_sources_choose_instances(env_id: str) -> None:
    """``source(row, seed, k)`` deals every episode of every row; other instances are refused."""
    env, asked = _native(env_id, 3), []
    task, difficulty = task_of(env_id), _base(env_id).difficulty  # type: ignore[attr-defined]

    def source(row: int, seed: int, k: int) -> Instance:
        asked.append((row, seed, k))
        return task.generate(difficulty, derive("source", row, seed, k))

    env.unwrapped.source = source
    observation, info = env.reset(seed=[5, 6, 7])
    require(asked == [(0, 5, 0), (1, 6, 0), (2, 7, 0)], f"source was asked for {asked}")
    expected = [derive("source", row, 5 + row, 0) for row in range(3)]
    require(info["episode_seed"].tolist() == expected, f"the seeds are {info['episode_seed']}")
    single = _base(env_id)
    for row, seed in enumerate(expected):
        seen, _ = single.reset(options={"instance": task.generate(difficulty, seed)})
        require_same(seen, {n: v[row] for n, v in observation.items()}, "observations by source")
    players = _players(env, "source")
    while len(asked) == 3:
        observation, *_ = env.step(_actions(env, observation, players))
    row, _, k = asked[3]
    require(k == 1, f"after the first episodes source was asked for {asked[3:]}")
    env.unwrapped.source = lambda row, seed, k: None
    refusal("a source that gives None", env.reset)


@env_check
def vector_difficulty_can_be_changed(env_id: str) -> None:
    """The reset option "difficulty" holds for the rows reset with it, and for what follows."""
    task = task_of(env_id)
    low, high = task.difficulties[0], task.difficulties[-1]
    env = _native(env_id, 2, difficulty=low)
    env.reset(seed=[1, 2])
    mask = np.array([False, True])
    seen, info = env.reset(seed=[3, 4], options={"reset_mask": mask, "difficulty": high})
    require_same(info["difficulty"], np.where(mask, high, 0), "difficulties after a masked reset")
    for row, (difficulty, seed) in enumerate(((low, 1), (high, 4))):
        expected, _ = _base(env_id, difficulty=difficulty).reset(seed=seed)
        require_same({n: v[row] for n, v in seen.items()}, expected, f"row {row} and a single one")
    _, info = env.reset()
    require((info["difficulty"] == high).all(), f"later difficulties are {info['difficulty']}")


@env_check
def vector_copies_continue_alike(env_id: str) -> None:
    """Pickled and deep copied in mid-episode, the rows go on like the original's."""
    env = _native(env_id, 3)
    observation, _ = env.reset(seed=3)
    players = _players(env, "copy")
    observation, *_ = env.step(_actions(env, observation, players))
    kinds = {"deepcopy": copy.deepcopy(env)}
    if isinstance(task_of(env_id), KernelTask):  # Gymnasium's own hold functions
        kinds["pickle"] = pickle.loads(pickle.dumps(env))
    for _ in some(task_of(env_id), range(AFTER), FEW_AFTER):
        actions = _actions(env, observation, players)
        result = env.step(actions)
        for how, other in kinds.items():
            require_same(result, other.step(actions), f"steps before and after {how}")
        observation = result[0]


@env_check
def vector_results_share_no_memory(env_id: str) -> None:
    """Observations, rewards and infos of successive calls are fresh; earlier ones never change."""
    for mode in MODES[:2]:
        env = _native(env_id, 2, autoreset_mode=mode)
        calls: list[Any] = [env.reset(seed=2)]
        players, ended = _players(env, "memory"), 0
        while ended < 2:
            calls.append(env.step(_actions(env, calls[-1][0], players)))
            ended += int((calls[-1][2] | calls[-1][3]).any())
            require(len(calls) < LONGEST, "no row ends")
        for earlier, later in itertools.pairwise(calls):
            require_fresh(earlier, later, f"results of successive calls ({mode})")
        again = _native(env_id, 2, autoreset_mode=mode).reset(seed=2)
        require_same(calls[0], again, "a first result and what became of it")


@env_check
def vector_samples_are_legal(env_id: str) -> None:
    """``sample`` gives every row a legal action; a vector renders what single ones render."""
    env = _native(env_id, 3, render_mode="ansi")
    single = _base(env_id, render_mode="ansi")
    observation, _ = env.reset(seed=[4, 5, 6])
    single.reset(seed=5)
    actions = sample(env, observation)
    require(env.action_space.contains(actions), f"sample gave {actions!r}")
    if "action_mask" in observation and actions.ndim == 1:
        start = getattr(env.single_action_space, "start", 0)
        legal = observation["action_mask"][np.arange(3), actions - start]
        require(legal.all(), f"sample gave masked actions: {actions}")
    env.step(actions)
    single.step(actions[1])
    require_same(env.render()[1], single.render(), "pictures of vector and single")
