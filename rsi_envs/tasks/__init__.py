"""Layer 2: the tasks. This list is the one place to add a task's import."""

from rsi_envs.tasks.action.robodojo.largest_number.task import RoboDojoLargestNumber
from rsi_envs.tasks.action.robodojo.nesting_dolls.task import RoboDojoNestingDolls
from rsi_envs.tasks.action.robodojo.throw_bottles.task import RoboDojoThrowBottles
from rsi_envs.tasks.games.astray.task import Astray
from rsi_envs.tasks.games.combat.task import Combat
from rsi_envs.tasks.games.farm.task import Farm
from rsi_envs.tasks.games.hero.task import Hero
from rsi_envs.tasks.games.mc.task import MC
from rsi_envs.tasks.games.sweepmine.task import Sweepmine

__all__ = [
    "MC",
    "Astray",
    "Combat",
    "Farm",
    "Hero",
    "RoboDojoLargestNumber",
    "RoboDojoNestingDolls",
    "RoboDojoThrowBottles",
    "Sweepmine",
]
