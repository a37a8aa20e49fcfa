# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Describes schema violations in words that a model can act on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..tool import Json

Path = tuple[str | int, ...]
"""Keys and positions that lead to a value."""

EXCERPT = 80
"""Maximum characters shown of an invalid value."""

LONGEST_NAME = 200
"""Maximum characters shown of a member's name."""

LONGEST_HINT = 2_000
"""Maximum characters of the problems of the closest alternative."""

CUT_SHORT = frozenset(("unjudged", "untold", "more"))
"""Keywords of violations that replace the individual violations."""


@dataclass(frozen=True)
class SchemaViolation:
    """One violation: path, keyword, expected value and actual value.

    `expected` is the missing name for `required`, the unknown names for `additionalProperties`, and
    the violations of each branch for `anyOf` and `oneOf`.
    """

    path: Path
    keyword: str
    expected: Any
    got: Json


def describe_violation(problem: SchemaViolation) -> str:
    """The violation without the path: `must be >= 1, got 0`."""
    wording = _WORDINGS.get(problem.keyword)
    if wording is None:
        return f"does not meet `{problem.keyword}`, got {value_excerpt(problem.got)}"
    return wording(problem.expected, problem.got)


def format_place(path: Path) -> str:
    """The path in JavaScript notation: `lines[0].sku`."""
    steps = (
        f"[{step}]" if isinstance(step, int) else f".{_truncate(step, LONGEST_NAME)}"
        for step in path
    )
    return "".join(steps).removeprefix(".")


def value_excerpt(value: Json) -> str:
    """The value as JSON, truncated."""
    text = json.dumps(value, ensure_ascii=False) if _is_shallow(value) else f"an {_kind(value)}"
    return _truncate(text, EXCERPT)


def _truncate(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _is_shallow(value: Json) -> bool:
    return not isinstance(value, dict | list) or len(value) == 0


def _kind(value: Json) -> str:
    return "object" if isinstance(value, dict) else "array"


def _limit(relation: str, unit: str = "") -> Callable[[Any, Json], str]:
    def wording(expected: Any, got: Json) -> str:
        if not unit:
            return f"must be {relation} {value_excerpt(expected)}, got {value_excerpt(got)}"
        units = unit if expected == 1 else f"{unit}s"
        return f"must have {relation} {expected} {units}, has {len(got)}"

    return wording


def _type(expected: Any, got: Json) -> str:
    kinds = [expected] if isinstance(expected, str) else sorted(expected)
    return f"must be {' or '.join(kinds)}, got {value_excerpt(got)}"


def _enum(expected: Any, got: Json) -> str:
    return f"must be one of {', '.join(map(value_excerpt, expected))}, got {value_excerpt(got)}"


def _branches(expected: Sequence[Sequence[SchemaViolation]], got: Json) -> str:
    failed = [branch for branch in expected if branch]
    if len(failed) < len(expected):
        return f"fits more than one of {len(expected)} forms and must fit one, got {value_excerpt(got)}"
    closest = min(failed, key=_distance, default=())
    told = "; ".join(
        f"{format_place(each.path)} {describe_violation(each)}".strip() for each in closest
    )
    hints = _truncate(told, LONGEST_HINT)
    return f"fits none of {len(expected)} allowed forms; the closest: {hints}"


def _distance(branch: Sequence[SchemaViolation]) -> tuple[bool, bool, int]:
    """Sort key for the distance of a value from a branch: type mismatch, then a different `const`
    marker, then the number of violations."""
    of_another_type = any(problem.keyword == "type" and not problem.path for problem in branch)
    marked = any(problem.keyword == "const" and len(problem.path) == 1 for problem in branch)
    return of_another_type, marked, len(branch)


_WORDINGS: dict[str, Callable[[Any, Json], str]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda expected, got: f"must be {value_excerpt(expected)}, got {value_excerpt(got)}",
    "minimum": _limit(">="),
    "maximum": _limit("<="),
    "exclusiveMinimum": _limit(">"),
    "exclusiveMaximum": _limit("<"),
    "multipleOf": _limit("a multiple of"),
    "minLength": _limit("at least", "character"),
    "maxLength": _limit("at most", "character"),
    "minItems": _limit("at least", "item"),
    "maxItems": _limit("at most", "item"),
    "minProperties": _limit("at least", "member"),
    "maxProperties": _limit("at most", "member"),
    "uniqueItems": lambda _, got: "must not repeat an item",
    "pattern": lambda expected, got: f"must match `{expected}`, got {value_excerpt(got)}",
    "patternLimit": lambda _, got: (
        f"takes too long to match against its pattern; give a shorter text, got {value_excerpt(got)}"
    ),
    "required": lambda *_: "required, but missing",
    "additionalProperties": lambda *_: "unknown",
    "unevaluatedProperties": lambda *_: "unknown",
    "falseSchema": lambda *_: "must not be given",
    "not": lambda _, got: f"must not be {value_excerpt(got)}",
    "anyOf": _branches,
    "oneOf": _branches,
    "unjudged": lambda *_: "is too much to check against its schema; give less of it, or less nested",
    "untold": lambda *_: "does not meet its schema, and is too much to tell where; give less of it",
    "more": lambda expected, _: f"{expected} more problems, which are not told",
}
