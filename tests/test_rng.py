import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsi_envs.core.kernels import below, bits, mix
from rsi_envs.core.rng import SEED_END, check_seed, derive
from rsi_envs.envs.episodes import episode_seed, row_seed

SEEDS = st.integers(0, SEED_END - 1)
WORDS = st.integers(0, 2**32 - 1)


def unmix(x):
    """The inverse of `mix`, from its definition: shifts undone, multipliers inverted."""
    x ^= (x >> 15) ^ (x >> 30)
    x = x * pow(0x735A2D97, -1, 2**32) % 2**32
    x ^= (x >> 15) ^ (x >> 30)
    x = x * pow(0x21F0AAAD, -1, 2**32) % 2**32
    return x ^ (x >> 16)


def draws(seeds, stream=0, counters=(0,)):
    """Return bits(seed, stream, counter) as uint64 (seeds, counters)."""
    found = [[bits(seed, stream, counter) for counter in counters] for seed in seeds]
    return np.array(found, np.uint64)


@given(WORDS)
def test_mix_is_a_bijection(x):
    assert 0 <= mix(x) < 2**32
    assert unmix(mix(x)) == x


@settings(max_examples=300)
@given(SEEDS, st.integers(0, 2**31), st.integers(0, 2**31))
def test_bits_are_the_same_without_jit(seed, stream, counter):
    def plain_mix(x):
        return getattr(mix, "py_func", mix)(x)

    low = plain_mix((seed & 0xFFFFFFFF) ^ plain_mix((stream + 0x3C6EF372) & 0xFFFFFFFF))
    high = plain_mix(((seed >> 32) + stream + 0x5BF03635) & 0xFFFFFFFF)
    expected = plain_mix(plain_mix((low + counter * 0x1E3779B9) & 0xFFFFFFFF) ^ high)
    found = bits(seed, stream, counter)
    assert int(found) == expected
    assert 0 <= found < 2**32


PROGRAM = """
import warnings
from rsi_envs.core.kernels import below, bits
from rsi_envs.core.rng import derive
import numpy as np
warnings.simplefilter("error")
seeds = [derive("jit", k) for k in range(40)] + [0, 1, 2**32, 2**63 - 1]
print([int(bits(np.int64(s), t, c)) for s in seeds for t in (0, 1, 9) for c in (0, 5, 10**6)])
print([int(below(s, 3, 4, end)) for s in seeds for end in (1, 2, 7, 2**31 - 1)])
"""


def test_draws_are_the_same_with_and_without_jit():
    said = []
    for disabled in ("0", "1"):
        command = [sys.executable, "-c", PROGRAM]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1]
    assert len(said[0]) > 1000


def test_bits_are_known():
    # Pinned: instances are made of these for the life of the rules.
    found = [int(bits(seed, 0, 0)) for seed in (0, 1, 2**32, SEED_END - 1)]
    assert found == [3586696894, 1146881914, 2764758813, 2398579112]


def test_derived_seeds_are_known():
    digest = hashlib.sha256(b"7:episode;i7;i1;").digest()
    assert derive("episode", 7, 1) == int.from_bytes(digest[:8], "big") >> 1
    assert derive("episode", 7, 1) == 7827489714578050617


FAMILIES = {
    "consecutive": [*range(4096)],
    "high half only": [k << 32 for k in range(4096)],
    "top bits only": [k << 51 for k in range(4096)],
    "derived": [derive("seed", k) for k in range(4096)],
    "both halves alike": [k << 32 | k for k in range(4096)],
}


@pytest.mark.parametrize("name", FAMILIES)
def test_bits_are_balanced(name):
    found = draws(FAMILIES[name], counters=(0, 1, 2, 3))
    # Mean of 16,384 uniform numbers: standard deviation .0023.
    assert abs(float((found / 2**32).mean()) - 0.5) < 0.012
    ones = (found[..., None] >> np.arange(32, dtype=np.uint64)) & np.uint64(1)
    # Each of the 32 bits over 16,384 draws: standard deviation .0039, five of them.
    assert abs(ones.mean(axis=(0, 1)) - 0.5).max() < 0.02


@pytest.mark.parametrize("name", FAMILIES)
def test_seeds_of_a_family_share_no_stream(name):
    found = draws(FAMILIES[name], counters=(0, 1))
    pairs = (found[:, 0] << np.uint64(32)) | found[:, 1]
    # 64 bits of 4,096 seeds: a collision has a chance of 5e-13.
    assert len(np.unique(pairs)) == len(pairs)


@pytest.mark.parametrize("name", FAMILIES)
def test_neighbouring_seeds_are_unrelated(name):
    found = draws(FAMILIES[name])[:, 0]
    flips = found[1:] ^ found[:-1]
    changed = ((flips[:, None] >> np.arange(32, dtype=np.uint64)) & np.uint64(1)).mean()
    # Half of all bits change: 131,040 of them, standard deviation .0014.
    assert abs(float(changed) - 0.5) < 0.007
    unit = found / 2**32
    # Correlation of neighbours: standard deviation .0156.
    assert abs(np.corrcoef(unit[1:], unit[:-1])[0, 1]) < 0.08


def test_streams_and_counters_are_unrelated():
    counters = draws([5], counters=range(4096))[0]
    streams = np.array([bits(5, stream, 0) for stream in range(4096)], np.uint64)
    for found in (counters, streams):
        assert abs(float((found / 2**32).mean()) - 0.5) < 0.025
        assert len(np.unique(found)) >= 4094  # 32 bits of 4,096 draws: .002 expected collisions
        unit = found / 2**32
        assert abs(np.corrcoef(unit[1:], unit[:-1])[0, 1]) < 0.08
    assert len(np.intersect1d(counters, streams)) <= 1 + (counters[0] == streams[0])


@given(SEEDS, st.integers(0, 1000), st.integers(1, 2**31 - 1))
def test_below_is_in_range(seed, counter, end):
    assert 0 <= below(seed, 1, counter, end) < end


def test_below_is_uniform():
    counts = np.bincount([below(3, 2, k, 7) for k in range(14_000)], minlength=7)
    # Chi-square with 6 degrees of freedom: 27.9 has a chance of 1e-4.
    assert ((counts - 2000) ** 2 / 2000).sum() < 27.9


PARTS = st.lists(st.one_of(st.integers(), st.text(max_size=8)), min_size=1, max_size=4)


@given(PARTS)
def test_derived_seeds_are_seeds(parts):
    assert 0 <= derive(*parts) < SEED_END
    assert derive(*parts) == derive(*parts)


@given(PARTS, PARTS)
def test_other_parts_give_other_seeds(first, second):
    assert (derive(*first) == derive(*second)) == (first == second)


def test_parts_are_not_run_together():
    ways = [("ab",), ("a", "b"), ("a", "b", ""), (1, 2), (12,), ("1", "2"), ("12",), ("i12;",)]
    assert len({derive(*parts) for parts in ways}) == len(ways)


@pytest.mark.parametrize("part", [1.0, True, None, b"x", np.int64(3), ("a",)])
def test_only_strings_and_integers_are_parts(part):
    with pytest.raises(TypeError, match="strings and integers"):
        derive("a", part)


@pytest.mark.parametrize("seed", [0, 1, SEED_END - 1, np.int64(7), np.uint8(7), np.array(7)])
def test_integers_are_seeds(seed):
    assert check_seed(seed) == int(seed)
    assert type(check_seed(seed)) is int


BAD_SEEDS = [
    -1, SEED_END, 2**100, 1.0, float("nan"), "7", None, True, False, [1], (1,), np.float64(7),
    np.bool_(True), np.array([7]), np.array([1, 2]), np.array(7.0), np.uint64(2**63),
]  # fmt: skip


@pytest.mark.parametrize("seed", BAD_SEEDS, ids=repr)
def test_other_things_are_no_seeds(seed):
    with pytest.raises(ValueError, match=r"must be an integer in \[0, 2\*\*63\)"):
        check_seed(seed)


def test_rows_and_episodes_have_seeds_of_their_own():
    seeds = [episode_seed(row_seed(9, row), k) for row in range(50) for k in range(50)]
    assert len(set(seeds)) == len(seeds)
    assert seeds[0] == row_seed(9, 0) == 9
    assert seeds[1] == derive("episode", 9, 1)
    assert seeds[50] == derive("row", 9, 1)
