"""Layer 4: the public conformance suite and hypothesis strategies, for our tasks and yours.

``check_task(task)`` and ``check_env("rsi/Name-d1")`` run everything. CHECKS and ENV_CHECKS hold
the single checks by name, to parametrise tests with. Needs neither pytest nor, unless a strategy
is asked for, hypothesis; works under ``python -O``.
"""

# Each of these modules adds its checks to CHECKS or ENV_CHECKS.
from rsi_envs.testing import (
    drafts,
    generation,
    gymnasium_vectors,
    kernels,
    resets,
    rules,
    single,
    text,
    vectors,
)  # fmt: skip
from rsi_envs.testing.conformance import CHECKS, ENV_CHECKS, ConformanceError, check_env, check_task
from rsi_envs.testing.fingerprints import fingerprint, fingerprints_elsewhere, mismatches
from rsi_envs.testing.rules import constant_elements
from rsi_envs.testing.strategies import Trajectory, instances, trajectories

CHECK_MODULES = (
    drafts, generation, gymnasium_vectors, kernels, resets, rules, single, text, vectors
)  # fmt: skip

__all__ = [
    "CHECKS",
    "CHECK_MODULES",
    "ENV_CHECKS",
    "ConformanceError",
    "Trajectory",
    "check_env",
    "check_task",
    "constant_elements",
    "fingerprint",
    "fingerprints_elsewhere",
    "instances",
    "mismatches",
    "trajectories",
]
