"""rsi_envs: environments for agents that improve themselves.

Importing registers every id with Gymnasium: ``gym.make("rsi/Sweepmine-d3")``. It loads neither
numba nor mujoco nor pettingzoo.
"""

from rsi_envs import tasks  # fills the registry
from rsi_envs.core.instance import Instance
from rsi_envs.core.registry import TASKS, register, task
from rsi_envs.core.rng import derive
from rsi_envs.envs.access import describe, get_state, instance_of, sample, set_state
from rsi_envs.envs.registration import register_all, register_task

__version__ = "0.1.0"

register_all()

__all__ = [
    "TASKS",
    "Instance",
    "derive",
    "describe",
    "get_state",
    "instance_of",
    "register",
    "register_task",
    "sample",
    "set_state",
    "task",
    "tasks",
]
