"""Worlds: arrangements of the mines that the solver reckons with, one bit each.

Bit i of `world[cell]` says whether world i has a mine there, so that what an action would show
is found for all worlds at once. Worlds are drawn from the trellis, each arrangement with the
same chance; so one draw tells how many arrangements there are. If they are few, worlds are drawn
until all are found.
"""

import math

import numpy as np

from rsi_envs.core.kernels import bits, kernel
from rsi_envs.tasks.games.sweepmine.boxes import CELLS, MINE, REST
from rsi_envs.tasks.games.sweepmine.kernels import HIDDEN
from rsi_envs.tasks.games.sweepmine.trellis import CUT

MOST_WORLDS = 32

# Fields of the record beside those of the trellis.
WORLDS = [
    ("worlds", np.int64),  # how many worlds there are
    ("whole", np.int64),  # whether they are all arrangements
    ("world", np.int64, CELLS),  # by cell: the set of worlds that have a mine there
    ("held", np.int64, CELLS),  # by box: mines of the world that is being drawn
    ("vacant", np.int64, CELLS),  # by box: cells of it not yet decided
    ("draws", np.int64),  # counts random numbers
    ("likelihood", np.float64),  # of all choices made for a world
]

# c * log2(c), rounded so that every platform has the same.
TOTAL_BITS = np.array([0.0] + [round(c * math.log2(c), 9) for c in range(1, MOST_WORLDS + 1)])


@kernel
def size(worlds):
    """Return how many worlds are in a set of up to 32."""
    x = worlds - ((worlds >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) & 0xFFFFFFFF) >> 24


@kernel
def uniform(w):
    """Return a random number in [0, 1)."""
    w.draws += 1
    return bits(0, 0, w.draws) / 4294967296.0


@kernel
def choose(w, weights):
    """Return an index drawn in proportion to the weights, at least one of them above 0."""
    total = 0.0
    for weight in weights:
        total += weight
    left = uniform(w) * total
    choice = 0
    for i in range(len(weights)):
        if weights[i] > 0.0:
            choice = i
            left -= weights[i]
            if left < 0.0:
                break
    w.likelihood *= weights[choice] / total
    return choice


@kernel
def choose_end(w, segment, before, spare):
    """Return a last node of a segment, so that it and those before hold `spare` spare mines."""
    first = w.end_first[segment]
    weights = np.zeros(w.end_last[segment] - first)
    for i in range(len(weights)):
        others = spare - (w.mines[first + i] - w.least[segment])
        if others >= 0:
            weights[i] = before[segment, others] * w.behind[first + i]
    return first + choose(w, weights)


@kernel
def choose_edge(w, layer, node):
    """Return an edge of a layer that leads to the node."""
    first = w.layer_edge[layer]
    weights = np.zeros(w.layer_edge[layer + 1] - first)
    for i in range(len(weights)):
        if w.target[first + i] == node:
            source = w.source[first + i]
            mines = w.mines[node] - w.mines[source]
            weights[i] = w.behind[source] * w.weight[layer, mines]
    return first + choose(w, weights)


@kernel
def trace(w, segment, node):
    """Go back from a last node of a segment to its start and note the mines in its boxes."""
    start = w.end_layer[segment - 1] if segment > 0 else 0
    for layer in range(w.end_layer[segment] - 1, start - 1, -1):
        source = w.source[choose_edge(w, layer, node)]
        if w.layer_box[layer] != CUT:
            w.held[w.layer_box[layer]] = w.mines[node] - w.mines[source]
        node = source


@kernel
def choose_boxes(w, before, after):
    """Draw how many mines each box holds; see `weigh` for the weights."""
    w.likelihood = 1.0
    spare = choose(w, before[w.segments] * after)
    left = w.loose
    for segment in range(w.segments - 1, -1, -1):
        node = choose_end(w, segment, before, spare)
        trace(w, segment, node)
        spare -= w.mines[node] - w.least[segment]
        left -= w.mines[node]
    w.held[REST] = left


@kernel
def choose_cells(w, bit):
    """Draw which cells of each box hold its mines and set them in the world of a bit."""
    w.vacant[: w.boxes] = w.volume[: w.boxes]
    w.vacant[REST] = w.volume[REST]
    for cell in range(w.cells):
        if w.grid[cell] == HIDDEN:
            box = w.member[cell]
            mines, vacant = w.held[box], w.vacant[box]
            if mines == vacant or (mines > 0 and uniform(w) * vacant < mines):
                w.likelihood *= mines / vacant
                w.world[cell] |= bit
                w.held[box] -= 1
            else:
                w.likelihood *= (vacant - mines) / vacant
            w.vacant[box] -= 1


@kernel
def is_new(w, bit):
    """Return whether no world of a lower bit is the same as that of this bit."""
    same = bit - 1
    for cell in range(w.cells):
        worlds = w.world[cell]
        same &= worlds if worlds & bit else ~worlds
    return same == 0


@kernel
def forget(w, bit):
    """Clear the world of a bit, in which only proved mines stay."""
    for cell in range(w.cells):
        if w.grid[cell] != MINE:
            w.world[cell] &= ~bit


@kernel
def draw_worlds(w, before, after):
    """Draw MOST_WORLDS worlds, or all arrangements where they are no more.

    Args:
        w: the record after `weigh`, which gives `before` and `after`.
    """
    for cell in range(w.cells):
        w.world[cell] = (1 << MOST_WORLDS) - 1 if w.grid[cell] == MINE else 0
    w.worlds = 0
    wanted = MOST_WORLDS
    while w.worlds < wanted:
        bit = 1 << w.worlds
        choose_boxes(w, before, after)
        choose_cells(w, bit)
        w.whole = w.likelihood * (MOST_WORLDS + 0.5) > 1.0
        if w.whole:
            wanted = int(1.0 / w.likelihood + 0.5)
        if not w.whole or is_new(w, bit):
            w.worlds += 1
        else:
            forget(w, bit)


@kernel
def partition(w, cell, worlds, parts):
    """Split a set of worlds by the count that a cell would show, into parts[0..8]."""
    ones = twos = fours = eights = 0
    for step in w.steps:
        carry = w.world[cell + step]
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours, carry = fours ^ carry, fours & carry
        eights |= carry
    for count in range(9):
        part = worlds & (ones if count & 1 else ~ones)
        part &= twos if count & 2 else ~twos
        part &= fours if count & 4 else ~fours
        parts[count] = part & (eights if count & 8 else ~eights)


@kernel
def bits_left(parts):
    """Return the worlds in all parts times the bits that then tell one world from another."""
    total = 0.0
    for part in parts:
        total += TOTAL_BITS[size(part)]
    return total
