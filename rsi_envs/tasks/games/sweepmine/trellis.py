"""The trellis of a Sweepmine position: all arrangements of mines as paths through few nodes.

Boxes are taken one after the other. Partial arrangements that agree in what every open clue
still needs and in the number of mines so far are merged into one *node*; a path through the
layers of nodes is an arrangement by boxes. Where all nodes of a layer need the same, the future
does not depend on the past: the *segment* ends and a new one starts from a single node, so
separate components of the board are separate segments.

The number of edges is limited. Where a layer would take more than its share of what is left,
all open clues are forgotten: cells on the two sides of the cut are no longer bound to each
other. That only adds arrangements, so what is then certain is certain indeed, but other
probabilities become estimates.
"""

import numpy as np

from rsi_envs.core.kernels import kernel
from rsi_envs.tasks.games.sweepmine.boxes import CELLS, UNSEEN

LIMIT = 1 << 17  # the most edges before every layer is cut
MOST = LIMIT + 20 * CELLS  # even then a layer takes up to nine edges and its cut nine more
SLOTS = 20  # clues open at a time; each takes three bits of a key: 8 would be proved mines
FORGOTTEN = -2  # in place of a slot: an open clue that was cut
CUT = -1  # in place of a box: the layer that forgets the open clues

BINOMIAL = np.zeros((9, 9))
BINOMIAL[:, 0] = 1.0
for _n in range(1, 9):
    BINOMIAL[_n, 1:] = BINOMIAL[_n - 1, 1:] + BINOMIAL[_n - 1, :-1]

# Fields of the record beside those of the position.
TRELLIS = [
    ("limit", np.int64),  # of edges; LIMIT or less
    ("odds", np.float64),  # the weight of a mine against none
    ("first", np.int64),  # nodes from `first` up to `last` are the current layer
    ("last", np.int64),
    ("key", np.int64, MOST),  # by node: three bits a slot, what its clue still needs
    ("mines", np.int64, MOST),  # by node: mines since the segment's start
    ("behind", np.float64, MOST),  # by node: the weight of all ways from the segment's start
    ("ahead", np.float64, MOST),  # by node: the weight of all ways to the end
    ("edges", np.int64),
    ("source", np.int64, MOST),  # by edge: nodes
    ("target", np.int64, MOST),
    ("layers", np.int64),
    ("layer_box", np.int64, 2 * CELLS),  # by layer of edges: its box or CUT
    ("layer_edge", np.int64, 2 * CELLS),  # by layer, and after the last: its first edge
    ("weight", np.float64, (2 * CELLS, 9)),  # by layer: the weight of 0-8 mines in the box
    ("segments", np.int64),
    ("end_layer", np.int64, CELLS),  # by segment: the first layer of edges after it
    ("end_first", np.int64, CELLS),  # by segment: its last nodes are from end_first up to end_last
    ("end_last", np.int64, CELLS),
    ("least", np.int64, CELLS),  # by segment: the least and the most mines it can hold
    ("most", np.int64, CELLS),
    ("open", np.int64, SLOTS),  # by slot: the clue that holds it, or -1
    ("binding", np.int64),  # how many open clues bind the current box
    ("shift", np.int64, 8),  # by binding clue: where its need is in a key
    ("spare", np.int64, 8),  # by binding clue: how many cells are left to it after this box
    ("table", np.int64, 2 * LIMIT),  # hash table of the layer that is being made: nodes or -1
    ("untaken", np.int64),  # no box before this one is left
    ("cuts", np.int64),
]


@kernel
def add_node(w, key, mines):
    """Add a node to the layer that is being made and return it."""
    node = w.last
    w.key[node] = key
    w.mines[node] = mines
    w.behind[node] = 0.0
    w.ahead[node] = 0.0
    w.last += 1
    return node


@kernel
def start_segment(w, key):
    """Start a segment from one node, in which the open clues need `key`."""
    w.first = w.last
    w.behind[add_node(w, key, 0)] = 1.0


@kernel
def end_segment(w):
    """Let the current layer be the last of its segment."""
    w.end_layer[w.segments] = w.layers
    w.end_first[w.segments] = w.first
    w.end_last[w.segments] = w.last
    w.least[w.segments] = w.mines[w.first : w.last].min()
    w.most[w.segments] = w.mines[w.first : w.last].max()
    w.segments += 1


@kernel
def start_layer(w, box, size):
    """Start a layer of edges with its weights; return the mask of its emptied hash table."""
    w.layer_box[w.layers] = box
    w.layer_edge[w.layers] = w.edges
    tilt = 1.0 / w.behind[w.first : w.last].max()  # keeps weights near 1 on boards of any size
    for mines in range(size + 1):
        w.weight[w.layers, mines] = BINOMIAL[size, mines] * tilt
        tilt *= w.odds
    places = 16
    while places < 2 * (w.last - w.first) * (size + 1):
        places *= 2
    w.table[:places] = -1
    w.layers += 1
    w.first = w.last
    return places - 1


@kernel
def find_node(w, mask, key, mines):
    """Return the node (key, mines) of the new layer, made where it is missing."""
    spot = ((key & 0x7FFFFFFF) * 0x1E3779B9) ^ ((key >> 31) * 0x21F0AAAD) ^ (mines * 0x735A2D97)
    place = (spot ^ (spot >> 32)) & mask
    node = w.table[place]
    while node >= 0 and (w.key[node] != key or w.mines[node] != mines):
        place = (place + 1) & mask
        node = w.table[place]
    if node < 0:
        node = add_node(w, key, mines)
        w.table[place] = node
    return node


@kernel
def link(w, mask, source, key, mines, weight):
    """Add an edge of some weight from a node to the node (key, mines) of the new layer."""
    target = find_node(w, mask, key, mines)
    w.behind[target] += w.behind[source] * weight
    w.source[w.edges] = source
    w.target[w.edges] = target
    w.edges += 1


@kernel
def same_key(w):
    """Return whether all nodes of the current layer, of which there are some, need the same."""
    for node in range(w.first + 1, w.last):
        if w.key[node] != w.key[w.first]:
            return False
    return True


@kernel
def cut(w):
    """Forget all open clues: a layer that only drops the needs."""
    for slot in range(SLOTS):
        if w.open[slot] >= 0:
            w.slot[w.open[slot]] = FORGOTTEN
            w.open[slot] = -1
    first, last = w.first, w.last
    mask = start_layer(w, CUT, 0)
    for node in range(first, last):
        link(w, mask, node, 0, w.mines[node], w.weight[w.layers - 1, 0])
    end_segment(w)
    start_segment(w, 0)
    w.cuts += 1


@kernel
def make_way(w, box):
    """Cut if the box's layer would take too many edges or its clues too many slots."""
    free = 0
    for slot in range(SLOTS):
        free += w.open[slot] < 0
    for i in range(1, w.clues[box, 0] + 1):
        free -= w.slot[w.clues[box, i]] == UNSEEN
    nodes = w.last - w.first
    share = (w.limit - w.edges) // 4
    if free < 0 or (nodes > 1 and nodes * (w.volume[box] + 1) > share):
        cut(w)


@kernel
def open_clue(w, clue):
    """Give the clue a slot if it has never had one; return what that adds to a key."""
    if w.slot[clue] != UNSEEN:
        return 0
    slot = 0
    while w.open[slot] >= 0:
        slot += 1
    w.open[slot] = clue
    w.slot[clue] = slot
    return w.need[clue] << 3 * slot


@kernel
def take(w, box):
    """Note the clues that bind a box; return what new ones add to a key, and a key of ones."""
    w.taken[box] = 1
    w.binding = 0
    needs = ones = 0
    for i in range(1, w.clues[box, 0] + 1):
        clue = w.clues[box, i]
        w.room[clue] -= w.volume[box]
        needs += open_clue(w, clue)
        if w.slot[clue] >= 0:
            w.shift[w.binding] = 3 * w.slot[clue]
            w.spare[w.binding] = w.room[clue]
            ones += 1 << w.shift[w.binding]
            w.binding += 1
    return needs, ones


@kernel
def close_clues(w, box):
    """Free the slots of the clues that this box was the last of."""
    for i in range(1, w.clues[box, 0] + 1):
        clue = w.clues[box, i]
        if w.room[clue] == 0 and w.slot[clue] >= 0:
            w.open[w.slot[clue]] = -1


@kernel
def bounds(w, key, size):
    """Return the least and the most mines in a box that the clues binding it allow."""
    low, high = 0, size
    for i in range(w.binding):
        need = (key >> w.shift[i]) & 7
        low = max(low, need - w.spare[i])
        high = min(high, need)
    return low, high


@kernel
def extend(w, box):
    """Lay every possible number of mines in a box: one more layer of nodes."""
    make_way(w, box)
    needs, ones = take(w, box)
    first, last = w.first, w.last
    mask = start_layer(w, box, w.volume[box])
    weight = w.weight[w.layers - 1]
    for node in range(first, last):
        key = w.key[node] + needs
        low, high = bounds(w, key, w.volume[box])
        for mines in range(low, high + 1):
            link(w, mask, node, key - mines * ones, w.mines[node] + mines, weight[mines])
    close_clues(w, box)


@kernel
def next_box(w):
    """Return a box of the open clue with the fewest cells left, or the first that is not taken."""
    best = -1
    for slot in range(SLOTS):
        clue = w.open[slot]
        if clue >= 0 and (best < 0 or w.room[clue] < w.room[best]):
            best = clue
    if best >= 0:
        for i in range(1, w.near[best, 0] + 1):
            if w.taken[w.near[best, i]] == 0:
                return w.near[best, i]
    while w.untaken < w.boxes and w.taken[w.untaken]:
        w.untaken += 1
    return w.untaken


@kernel
def grow(w):
    """Lay out the arrangements of all boxes, none taken yet; return whether there is one."""
    w.last = w.edges = w.layers = w.segments = w.untaken = w.cuts = 0
    w.open[:] = -1
    start_segment(w, 0)
    box = next_box(w)
    while box < w.boxes:
        extend(w, box)
        if w.first == w.last:
            return False
        if w.last - w.first > 1 and same_key(w):
            key = w.key[w.first]
            end_segment(w)
            start_segment(w, key)
        box = next_box(w)
    end_segment(w)
    w.layer_edge[w.layers] = w.edges
    return True
