"""Hand-written Farm players, from observations only: by the day, and as whole plans."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rsi_envs.core.kernel_task import KernelProblem
from rsi_envs.core.results import Observation

BUY, PLANT, HARVEST, SELL = 0, 1, 2, 3

Day = NDArray[np.int64]
Policy = Callable[[Observation, random.Random], Day]


def gather(observation: Observation) -> Day:
    """Return the orders that harvest all that is ripe and sell all there is."""
    ripe = observation["growing"][:, 0].astype(np.int64)
    action = np.zeros((len(ripe), 4), np.int64)
    action[:, HARVEST] = ripe
    action[:, SELL] = observation["stock"] + ripe * observation["crops"][:, 2]
    return action


def free_plots(observation: Observation) -> int:
    """Return how many plots hold nothing."""
    return int(observation["status"][2] - observation["growing"].sum())


def blind(observation: Observation, rng: random.Random) -> Day:
    """Fill the free plots with any crop, without a look at its numbers."""
    action = gather(observation)
    crop = int(rng.random() * int(observation["status"][3]))
    action[crop, [BUY, PLANT]] = free_plots(observation)
    return action


def greedy(observation: Observation, rng: random.Random) -> Day:
    """Plant the crop that earns most a plot among those that still ripen, then the next."""
    action = gather(observation)
    day, days, _, crops, cash = observation["status"].tolist()
    free = free_plots(observation)
    price, growth, units, value = observation["crops"][:crops].T.tolist()
    profit = [units[c] * value[c] - price[c] for c in range(crops)]
    for c in sorted(range(crops), key=lambda c: -profit[c]):
        if day + growth[c] < days:
            count = min(free, cash // price[c])
            action[c, [BUY, PLANT]] = count
            free -= count
            cash -= count * price[c]
    return action


def problem_of(observation: Observation) -> KernelProblem:
    """Return a problem with what an observation shows of it, to think ahead in."""
    from rsi_envs.core.kernels import records
    from rsi_envs.tasks.games.farm.task import CASH, Farm

    _, days, plots, crops, _ = observation["status"].tolist()
    layout = Farm().layout(days // 4 - 1)
    params = records(1, layout.params)
    params["d"], params["cash"] = days // 4 - 1, CASH
    params["days"], params["plots"], params["crops"] = days, plots, crops
    for name, column in zip(("price", "growth", "units", "value"), observation["crops"].T):
        params[name][0] = column
    return KernelProblem(params, layout)


def planned(policy: Policy) -> Policy:
    """Return the player that plans ahead what a daily player would do."""

    def play(observation: Observation, rng: random.Random) -> Day:
        from rsi_envs.tasks.games.farm.task import Farm

        task, problem = Farm(mode="daily"), problem_of(observation)
        state = task.start(problem)
        plan = np.zeros(Farm().shape(problem.layout), np.int64)
        done, day = 0, 0
        while not done:
            plan[day] = policy(task.observe(problem, state), rng)
            done = task.step(problem, state, plan[day]).done
            day += 1
        return plan

    return play


DAILY: dict[str, Any] = {"blind": blind, "greedy": greedy}
PLANS: dict[str, Any] = {name: planned(policy) for name, policy in DAILY.items()}
