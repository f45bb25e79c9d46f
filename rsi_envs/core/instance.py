"""Instances: one frozen problem G(difficulty, seed), as plain JSON with a content hash."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from rsi_envs.core.rng import check_seed

FIELDS = ("task", "difficulty", "seed", "data", "rules_version", "key")


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed; hashable, picklable and accepted by `json.dumps`."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("an instance's data is frozen; build a new Instance instead")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]
    __ior__ = _refuse  # type: ignore[assignment]

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(canonical_json(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return (FrozenDict, (dict(self),))


def deep_freeze(value: Any) -> Any:
    """Return a read-only copy of plain JSON `value`: dicts frozen, lists as tuples.

    Raises:
        TypeError: something in `value` is not plain JSON.
    """
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise TypeError("instance data takes string keys only")
        return FrozenDict({name: deep_freeze(item) for name, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(deep_freeze(item) for item in value)
    if type(value) is float and not math.isfinite(value):
        raise TypeError(f"instance data must be plain JSON with finite numbers, found {value}")
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise TypeError(f"instance data must be plain JSON, found {type(value).__name__}: {value!r}")


def canonical_json(value: Any) -> str:
    """Return the one JSON text of `value`: sorted keys, no blanks, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(value: Any) -> str:
    """Return the SHA-256 of canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


@dataclass(frozen=True)
class Instance:
    """One problem, G(difficulty, seed) of papers/000 section 3.1.

    Attributes:
        task: the task's name, e.g. "Sweepmine".
        difficulty: the difficulty coefficient, at least 1.
        seed: the seed that made it, in [0, 2**63).
        data: everything an episode shows or deals at its start, as frozen plain JSON. The
            entry "chance", where present, seeds what is dealt later (restarts).
        rules_version: the version of the rules that made `data` and play it.

    Raises:
        TypeError: `data` is not plain JSON.
        ValueError: the seed is not an integer in [0, 2**63).
    """

    task: str
    difficulty: int
    seed: int
    data: Mapping[str, Any]
    rules_version: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", check_seed(self.seed))
        object.__setattr__(self, "data", deep_freeze(self.data))

    @cached_property
    def key(self) -> str:
        """SHA-256 over task, rules version, difficulty, seed and data."""
        return sha256([self.task, self.rules_version, self.difficulty, self.seed, self.data])

    @cached_property
    def content_key(self) -> str:
        """SHA-256 over what an agent can meet: like `key`, without the seed and `chance`.

        Two instances with one content key are duplicates (papers/000 A.1 compares descriptors,
        seeds included, which never collide; we compare content).
        """
        content = {name: value for name, value in self.data.items() if name != "chance"}
        return sha256([self.task, self.rules_version, self.difficulty, content])

    def to_dict(self) -> dict[str, Any]:
        """Return a plain JSON dict with the key, for manifests and files."""
        values = {name: getattr(self, name) for name in FIELDS}
        plain: dict[str, Any] = json.loads(canonical_json(values))
        return plain

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Instance:
        """Rebuild an instance from `to_dict`.

        Raises:
            ValueError: a field is missing or unknown, or the key does not match the content
                (an edited instance).
        """
        if not isinstance(values, Mapping) or set(values) != set(FIELDS):
            mapping = isinstance(values, Mapping)
            found = sorted(map(str, values)) if mapping else type(values).__name__
            raise ValueError(f"an instance has the fields {', '.join(FIELDS)}; got {found}")
        try:
            instance = cls(**{name: values[name] for name in FIELDS if name != "key"})
            matches = instance.key == values["key"]
        except TypeError as error:
            raise ValueError(f"not an instance: {error}") from None
        if not matches:
            raise ValueError(
                "the instance's key does not match its content; was it edited, or made by "
                "another version?"
            )
        return instance
