"""Answers that nobody should give: what an agent's text can go wrong in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

DEPTHS = (50, 300, 900, 950, 980, 1000, 20_000)
LONG = 1_000_000

PROSE = (
    "", " ", "\n", "hello", "I open the cell in the middle.", "null", "true", "3", '"open"', "[]",
    "{", "}", "{}", "{{}}", "{ }{ }", '{"', '{"a"', '{"a":', "{'a': 1}", "{a: 1}", "\x00",
    "\ud800", "\u2028", "\ufeff", "x" * LONG, "{" * LONG, '{"a":' * 20_000, '{"' * 20_000,
    "{ " * 20_000, "[" * 100_000,
)  # fmt: skip

# Values in JSON text that stand for none of an answer's.
ODD_VALUES = (
    "null", "true", "-1", "0", "0.5", "1.0", "1e400", "-1e400", '""', '"x"', '"\\ud800"', "[]",
    "{}", "[1, 2]", '{"a": 1}', "1" + "0" * 30, "-1" + "0" * 30, "9" * 4000, "9" * 5000,
    '"' + "y" * 50_000 + '"',
)  # fmt: skip
NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def is_object(schema: Mapping[str, Any] | None) -> bool:
    """Return whether answers are JSON objects."""
    return schema is not None and schema.get("type") == "object"


def refused_answers(valid: str, schema: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Yield (what, text) of answers that cannot be read, made from a valid one.

    Where answers are no JSON objects, only `PROSE` can be told; it must not crash the parser.
    """
    for text in PROSE:
        yield f"the answer {text[:40]!r} of {len(text)} characters", text
    if not is_object(schema):
        return
    yield "two answers", valid + valid
    yield "two answers in two lines", f"{valid}\n{valid}"
    yield "an answer and half of one", valid + valid[:-1]
    yield "half an answer", valid[: len(valid) // 2]
    yield "an answer with single quotes", valid.replace('"', "'")
    yield "an enormous answer", valid + " " * LONG
    yield from _wrong_keys(json.loads(valid), schema or {})
    for name in json.loads(valid):
        for number in NO_NUMBERS:
            yield f"{number} for {name!r}", with_value(valid, name, number)


def _wrong_keys(answer: dict[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in schema.get("required", ()):
        yield f"no {name!r}", json.dumps({key: answer[key] for key in answer if key != name})
    if schema.get("additionalProperties") is False:
        yield "an extra key", json.dumps({**answer, "no such key": 1})
    body = json.dumps(answer)[1:]
    for name in answer:
        yield f"{name!r} twice", "{" + f"{json.dumps(name)}: {json.dumps(answer[name])}, {body}"


def with_value(valid: str, name: str, value: str) -> str:
    """Return a valid answer in which the JSON text of one value is another."""
    parts = [
        f"{json.dumps(key)}: {value if key == name else json.dumps(old)}"
        for key, old in json.loads(valid).items()
    ]
    return "{" + ", ".join(parts) + "}"


def odd_answers(valid: str, schema: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Yield (what, text) of answers with odd values: to be refused or read, never to crash."""
    if not is_object(schema):
        return
    nested = [("[" * depth + "]" * depth) for depth in DEPTHS]
    nested += ['{"a":' * depth + "1" + "}" * depth for depth in DEPTHS]
    for name in json.loads(valid):
        for value in (*ODD_VALUES, *nested):
            yield f"{value[:40]} for {name!r}", with_value(valid, name, value)
