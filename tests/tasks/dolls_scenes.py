"""Dolls where tests want them."""

import math

from rsi_envs.tasks.action.robodojo.nesting_dolls.oracle import slots
from tests.tasks.robodojo_bench import put


def in_row(problem, state, **changed):
    """Put all dolls into the row's places, some elsewhere: (x, y, z and a quaternion) offsets."""
    for one, (x, y) in zip(problem.objects, slots(len(problem.objects))):
        dx, dy, dz, *turn = changed.get(one["name"], (0, 0, 0))
        stand(problem, state, one, (x + dx, y + dy), dz, turn)


def stand(problem, state, one, place, up=0.0, turn=()):
    """Put a doll to a place on the table, in which it sinks a little as things at rest do."""
    put(problem, state, one["name"], *place, one["height"] / 2 + up - 1e-4, *turn)


def leaning(degrees):
    half = math.radians(degrees) / 2
    return (math.cos(half), 0.0, math.sin(half), 0.0)
