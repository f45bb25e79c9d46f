"""A model of Farm's rules, unit by unit, and farms made by hand."""

import numpy as np

import rsi_envs
from rsi_envs.core.instance import Instance
from rsi_envs.tasks.games.farm.catalog import CATALOGUE

BUY, PLANT, HARVEST, SELL = range(4)
CROPS = {crop.name: crop for crop in CATALOGUE}
KINDS = {"buy": BUY, "plant": PLANT, "harvest": HARVEST, "sell": SELL}


def farm(*names):
    """Return an instance of d=1, 2, ... with 4, 6, ... named crops."""
    difficulty = len(names) // 2 - 1
    size = 4 * difficulty + 4
    data = {"cash": 200, "plots": size, "days": size, "crops": [[*CROPS[name]] for name in names]}
    return Instance("Farm", difficulty, 0, data)


def plan_of(instance, days, mode="plan"):
    """Return a plan array from {day: {kind: {crop: count}}}, days from 1, in the padded layout."""
    names = [crop[0] for crop in instance.data["crops"]]
    plan = np.zeros((24, 12, 4), np.int64)
    for day, orders in days.items():
        for kind, counts in orders.items():
            for name, count in counts.items():
                plan[day - 1, names.index(name), KINDS[kind]] = count
    return plan


def run(instance, plan, mode="plan"):
    """Play a plan in a mode; return the task, its steps, problem and state."""
    task = rsi_envs.task("Farm", mode=mode)
    problem = task.prepare(instance)
    state = task.start(problem)
    actions = [plan] if mode == "plan" else plan[: instance.data["days"]]
    steps = [task.step(problem, state, action) for action in actions]
    return task, steps, problem, state


class Model:
    """Farm as the paper tells it: every unit is tried on its own, in the fixed order."""

    def __init__(self, data):
        self.crops, self.days = data["crops"], data["days"]
        self.cash, self.free, self.day = data["cash"], data["plots"], 0
        self.seeds, self.stock = [0] * len(self.crops), [0] * len(self.crops)
        self.growing = []  # (crop, day on which it is ripe)
        self.spent = self.earned = self.skipped = 0
        self.planted = self.harvested = self.sold = 0

    def play(self, orders):
        """Play a day's orders [crop, kind] and go on to the next day."""
        for kind, act in enumerate((self.buy, self.plant, self.harvest, self.sell)):
            for crop in range(len(self.crops)):
                for _ in range(max(int(orders[crop, kind]), 0)):
                    self.skipped += not act(crop)
        self.skipped += int((orders[: len(self.crops)] < 0).sum())
        self.skipped += int((orders[len(self.crops) :] != 0).sum())
        self.day += 1

    def buy(self, crop):
        price = self.crops[crop][1]
        if self.cash < price:
            return False
        self.cash -= price
        self.spent += price
        self.seeds[crop] += 1
        return True

    def plant(self, crop):
        if not self.seeds[crop] or not self.free:
            return False
        self.seeds[crop] -= 1
        self.free -= 1
        self.planted += 1
        self.growing.append((crop, self.day + self.crops[crop][2]))
        return True

    def harvest(self, crop):
        ripe = [item for item in self.growing if item[0] == crop and item[1] <= self.day]
        if not ripe:
            return False
        self.growing.remove(ripe[0])
        self.free += 1
        self.harvested += 1
        self.stock[crop] += self.crops[crop][3]
        return True

    def sell(self, crop):
        if not self.stock[crop]:
            return False
        self.stock[crop] -= 1
        self.sold += 1
        self.cash += self.crops[crop][4]
        self.earned += self.crops[crop][4]
        return True
