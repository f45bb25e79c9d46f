"""Local improvement of Farm plans: add plantings, or swap one for others, while that pays.

A plan is the number of seeds of each crop planted on each day; all else follows from it.
"""

import numpy as np

from rsi_envs.core.kernels import kernel

ROUNDS = 200  # of improvement at most


@kernel
def shift(p, cash, free, c, day, count):
    """Change a plan by `count` plantings in `cash` and `free` plots by day after planting."""
    ripe = day + p.growth[c]
    for t in range(day, p.days):
        cash[t] -= count * p.price[c]
        if t <= ripe:
            free[t] -= count
        else:
            cash[t] += count * p.units[c] * p.value[c]


@kernel
def room(p, cash, free, c, day):
    """Return how many more of a crop can be planted on a day without harm to later days."""
    ripe = day + p.growth[c]
    most = p.plots
    for t in range(day, ripe + 1):
        most = min(most, free[t], cash[t] // p.price[c])
    gain = p.units[c] * p.value[c] - p.price[c]
    for t in range(ripe + 1, p.days):
        if gain < 0:
            most = min(most, cash[t] // -gain)
    return max(most, 0)


@kernel
def fill_up(p, x, cash, free, order):
    """Plant as much as there is room for, in the given order of crop * days + day."""
    gained = 0
    for at in order:
        c, day = at // p.days, at % p.days
        if day + p.growth[c] < p.days:
            count = room(p, cash, free, c, day)
            if count > 0:
                x[c, day] += count
                shift(p, cash, free, c, day, count)
                gained += count * (p.units[c] * p.value[c] - p.price[c])
    return gained


@kernel
def best_swap(p, x, cash, free, swap):
    """Write the swap that gains most into `swap` (from, to, count); return its gain.

    One planting is taken away, and as many of another put there as then have room.
    """
    best = 0
    for old in range(p.crops * p.days):
        c, day = old // p.days, old % p.days
        if x[c, day] == 0:
            continue
        shift(p, cash, free, c, day, -1)
        if cash.min() >= 0:
            lost = p.units[c] * p.value[c] - p.price[c]
            for new in range(p.crops * p.days):
                k, t = new // p.days, new % p.days
                gain = p.units[k] * p.value[k] - p.price[k]
                if new != old and t + p.growth[k] < p.days:
                    count = room(p, cash, free, k, t)
                    if count * gain - lost > best:
                        best = count * gain - lost
                        swap[0], swap[1], swap[2] = old, new, count
        shift(p, cash, free, c, day, 1)
    return best


@kernel
def improve(params, x, order):
    """Improve the plan x (crops, days) in place and return its profit.

    Args:
        params: one PARAMS record (1,).
        x: a plan that can be carried out.
        order: crop * days + day, in the order in which plantings are added.
    """
    p = params[0]
    cash, free = np.full(p.days, p.cash), np.full(p.days, p.plots)
    for c in range(p.crops):
        for day in range(p.days):
            if x[c, day] > 0:
                shift(p, cash, free, c, day, x[c, day])
    swap = np.zeros(3, np.int64)
    for _ in range(ROUNDS):
        fill_up(p, x, cash, free, order)
        if best_swap(p, x, cash, free, swap) <= 0:
            break
        old, new, count = swap
        x[old // p.days, old % p.days] -= 1
        shift(p, cash, free, old // p.days, old % p.days, -1)
        x[new // p.days, new % p.days] += count
        shift(p, cash, free, new // p.days, new % p.days, count)
    profit = 0
    for c in range(p.crops):
        profit += x[c, : p.days].sum() * (p.units[c] * p.value[c] - p.price[c])
    return profit
