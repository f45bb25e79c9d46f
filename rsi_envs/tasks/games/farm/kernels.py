"""The rules of Farm as kernels over records; see task.py for the fields.

A plan's action is an array [day, crop, kind], a day's one [crop, kind]; both are played by
`play_day`. Crops are numbered from 0; `plot` holds a crop's number + 1, or 0 where it is free.
"""

import numpy as np

from rsi_envs.core.kernels import below, emit, kernel
from rsi_envs.tasks.games.farm.catalog import GROWTH, PRICE, UNITS, VALUE

BUY, PLANT, HARVEST, SELL = 0, 1, 2, 3
UNREADABLE, NO_DAY, NO_CROP, NEGATIVE, NO_CASH, NO_SEED, NO_PLOT, NOT_RIPE, NO_STOCK = range(1, 10)

SCALE = 200.0  # of rewards, in cash
LEAST_PROFIT = 50  # of a plan with one crop, in every instance
MANY = 10**9  # larger counts are read as this, so that sums stay far below 2**63


@kernel
def draw(p, seed):
    attempt = 0
    while True:
        choose_crops(p, seed, attempt)
        if one_crop_profit(p) >= LEAST_PROFIT:
            return
        attempt += 1


@kernel
def choose_crops(p, seed, attempt):
    """Choose crops of the catalog uniformly without replacement, in random order."""
    order = np.arange(len(PRICE))
    for c in range(p.crops):
        other = c + below(seed, attempt, c, len(order) - c)
        order[c], order[other] = order[other], order[c]
        crop = order[c]
        p.crop[c] = crop
        p.price[c] = PRICE[crop]
        p.growth[c] = GROWTH[crop]
        p.units[c] = UNITS[crop]
        p.value[c] = VALUE[crop]


@kernel
def one_crop_profit(p):
    """Return the most that planting a single crop, as much as possible each day, earns."""
    best = 0
    for c in range(p.crops):
        money, plots = np.zeros(p.days, np.int64), np.zeros(p.days, np.int64)
        best = max(best, roll(p, c, 0, p.cash, p.plots, money, plots) - p.cash)
    return best


@kernel
def affordable(p, c, day, cash, free):
    """Return how many seeds of a crop can be bought and planted on a day and still ripen."""
    if day + p.growth[c] >= p.days:
        return 0
    return min(free, cash // p.price[c])


@kernel
def expect(p, c, day, count, money, plots):
    """Add what `count` plots of crop c planted on a day bring when they are ripe, all sold."""
    money[day + p.growth[c]] += count * p.units[c] * p.value[c]
    plots[day + p.growth[c]] += count


@kernel
def roll(p, c, first, cash, free, money, plots):
    """Return the last cash when from day `first` on as much of crop c as possible is planted.

    Args:
        first: the first day of the roll; `cash` and `free` plots are those at its start.
        money, plots: what harvests of each day bring, changed in place.
    """
    for day in range(first, p.days):
        count = affordable(p, c, day, cash, free)
        if count > 0:
            cash -= count * p.price[c]
            free -= count
            expect(p, c, day, count, money, plots)
        cash += money[day]
        free += plots[day]
    return cash


@kernel
def begin(p, s):
    s.cash = p.cash


@kernel
def skip(s, c, count, code, log):
    """Emit that `count` units of a day's order for crop c were skipped."""
    if count > 0:
        s.skipped += count
        emit(log, code, s.day * len(s.seeds) + c, count)


@kernel
def wanted(s, a, c, kind, log):
    """Return the count that an action asks for; negative ones are none at all."""
    if a[c, kind] < 0:
        skip(s, c, 1, NEGATIVE, log)
        return 0
    return min(a[c, kind], MANY)


@kernel
def buy(p, s, a, log):
    for c in range(p.crops):
        count = wanted(s, a, c, BUY, log)
        bought = min(count, s.cash // p.price[c])
        s.cash -= bought * p.price[c]
        s.seeds[c] += bought
        skip(s, c, count - bought, NO_CASH, log)


@kernel
def plant(p, s, a, log):
    at = 0
    for c in range(p.crops):
        count = wanted(s, a, c, PLANT, log)
        left = min(count, s.seeds[c])
        skip(s, c, count - left, NO_SEED, log)
        while left > 0 and at < p.plots:
            if s.plot[at] == 0:
                s.plot[at] = c + 1
                s.ripe[at] = s.day + p.growth[c]
                s.seeds[c] -= 1
                s.planted += 1
                left -= 1
            at += 1
        skip(s, c, left, NO_PLOT, log)


@kernel
def harvest(p, s, a, log):
    for c in range(p.crops):
        left = wanted(s, a, c, HARVEST, log)
        for at in range(p.plots):
            if left > 0 and s.plot[at] == c + 1 and s.ripe[at] <= s.day:
                s.plot[at] = 0
                s.stock[c] += p.units[c]
                s.harvested += 1
                left -= 1
        skip(s, c, left, NOT_RIPE, log)


@kernel
def sell(p, s, a, log):
    for c in range(p.crops):
        count = wanted(s, a, c, SELL, log)
        sold = min(count, s.stock[c])
        s.cash += sold * p.value[c]
        s.stock[c] -= sold
        s.sold += sold
        skip(s, c, count - sold, NO_STOCK, log)


@kernel
def refuse(s, a, first, code, log):
    """Emit what is asked for crops from `first` on, which do not exist."""
    for c in range(first, len(a)):
        for kind in range(4):
            if a[c, kind] != 0:
                skip(s, c, 1, code, log)


@kernel
def play_day(p, s, a, log):
    """Play one day's orders in the fixed order of kinds (papers/000 B.1.1)."""
    refuse(s, a, p.crops, NO_CROP, log)
    buy(p, s, a, log)
    plant(p, s, a, log)
    s.calendar[s.day] = s.plot
    harvest(p, s, a, log)
    sell(p, s, a, log)
    s.curve[s.day] = s.cash
    s.day += 1


@kernel
def idle(p, s, days):
    """Let days pass on which nothing is done."""
    for _ in range(days):
        s.calendar[s.day] = s.plot
        s.curve[s.day] = s.cash
        s.day += 1


@kernel
def unreadable(a):
    """Return whether every entry of a flat action is -1: what an unreadable answer becomes."""
    for entry in a:
        if entry != -1:
            return False
    return True


@kernel
def step(p, s, a, log):
    """Play a day or, with an action of three dimensions, the days of a whole plan.

    After the last day nothing happens.
    """
    before = s.cash
    if s.day >= p.days:
        return 0.0, 1
    if unreadable(a.reshape(a.size)):
        emit(log, UNREADABLE, 0, 0)
        idle(p, s, 1 if a.ndim == 2 else p.days)
    elif a.ndim == 2:
        play_day(p, s, a, log)
    else:
        for day in range(p.days):
            play_day(p, s, a[day], log)
        for day in range(p.days, len(a)):
            refuse(s, a[day], 0, NO_DAY, log)
    return (s.cash - before) / SCALE, 1 if s.day >= p.days else 0


@kernel
def observe(p, s, o):
    o.status[0] = s.day
    o.status[1] = p.days
    o.status[2] = p.plots
    o.status[3] = p.crops
    o.status[4] = s.cash
    o.crops[:, 0] = p.price
    o.crops[:, 1] = p.growth
    o.crops[:, 2] = p.units
    o.crops[:, 3] = p.value
    o.seeds[:] = s.seeds
    o.stock[:] = s.stock
    o.growing[:] = 0
    for at in range(p.plots):
        if s.plot[at] > 0:
            o.growing[s.plot[at] - 1, max(s.ripe[at] - s.day, 0)] += 1


@kernel
def outcome(p, s, m):
    m[0] = s.cash - p.cash
    m[1] = s.cash > p.cash
    m[2] = s.planted
    m[3] = s.harvested
    m[4] = s.sold
    m[5] = s.skipped


@kernel
def run(rows):
    for i in range(len(rows)):
        r = rows[i]
        if r.live:
            r.log[0] = 0
            r.reward, r.done = step(r.p, r.s, r.a, r.log)
            if r.done:
                outcome(r.p, r.s, r.m)
        observe(r.p, r.s, r.o)


@kernel
def fill(rows, which, seeds, template):
    for k in range(len(which)):
        r = rows[which[k]]
        if seeds[k] >= 0:
            r.p = template[0].p
            draw(r.p, seeds[k])
        r.s = template[0].s
        r.done = 0
        begin(r.p, r.s)
        observe(r.p, r.s, r.o)
