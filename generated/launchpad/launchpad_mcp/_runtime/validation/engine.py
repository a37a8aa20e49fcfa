# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Compiles schemas with references, combinations and patterns, and describes their violations.

Patterns run on Rust's linear-time engine; patterns with look-around or back references may
backtrack `BACKTRACKS` times. References to other documents are not fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import jsonschema_rs

from ..tool import Json
from .validate import (
    WORDINGS,
    FlatEngine,
    SchemaViolation,
    describe_violation,
    format_place,
    truncate,
    value_excerpt,
    violations,
)

BACKTRACKS = 50_000
"""Maximum backtracking steps of a pattern that the linear-time engine does not support."""

MAX_HINT_LENGTH = 2_000
"""Maximum characters of the problems of the closest alternative."""

_DATA = frozenset({"const", "enum", "default", "examples"})


class Engine(FlatEngine):
    """One compiled schema. Raises `ValueError` for an invalid schema or a broken reference."""

    def problems(self, value: Json) -> list[SchemaViolation]:
        """The violations by a value, in the order of the schema."""
        return _problems(self._validator.iter_errors(value), value)

    def _compile(self, schema: Json) -> jsonschema_rs.Draft202012Validator:
        try:
            return _compiled(schema)
        except ValueError:
            # Patterns with syntax unknown to Rust's engine are dropped; the API checks such
            # patterns itself.
            return _compiled(_without_patterns(schema))


def _compiled(schema: Json) -> jsonschema_rs.Draft202012Validator:
    patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACKS)
    return jsonschema_rs.Draft202012Validator(
        schema, retriever=_refuse_external, pattern_options=patterns
    )


def _refuse_external(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not fetched")


def _problems(errors: Iterable[jsonschema_rs.ValidationError], root: Json) -> list[SchemaViolation]:
    problems: list[SchemaViolation] = []
    for error in errors:
        path = tuple(error.instance_path)
        kind: Any = error.kind
        match kind.name:
            case "anyOf" | "oneOf":
                branches = tuple(
                    tuple(
                        _violation_below(problem, len(path)) for problem in _problems(branch, root)
                    )
                    for branch in kind.value
                )
                problems.append(SchemaViolation(path, kind.name, branches, error.instance))
            case "pattern" if str(kind.value).startswith("Error executing regex"):
                problems.append(SchemaViolation(path, "patternLimit", None, error.instance))
            case "propertyNames":
                problems += _problems([kind.value], root)
            case _:
                problems += violations(error, root)
    return problems


def _violation_below(problem: SchemaViolation, depth: int) -> SchemaViolation:
    """A branch's violation with the path relative to the value."""
    return SchemaViolation(problem.path[depth:], problem.keyword, problem.expected, problem.value)


def _without_patterns(schema: Json) -> Json:
    """The schema without patterns; members matched by a pattern are not checked."""
    if isinstance(schema, list):
        return [_without_patterns(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    has_patterns = isinstance(schema.get("patternProperties"), dict)
    dropped = {"patternProperties", "additionalProperties", "unevaluatedProperties"}
    return {
        key: value if key in _DATA else _without_patterns(value)
        for key, value in schema.items()
        if not (key == "pattern" and isinstance(value, str))
        and not (has_patterns and key in dropped)
    }


def _branches(expected: Sequence[Sequence[SchemaViolation]], value: Json) -> str:
    failed = [branch for branch in expected if branch]
    if len(failed) < len(expected):
        excerpt = value_excerpt(value)
        return f"fits more than one of {len(expected)} forms and must fit one, got {excerpt}"
    closest = min(failed, key=_distance, default=())
    problems = "; ".join(
        f"{format_place(problem.path)} {describe_violation(problem)}".strip() for problem in closest
    )
    hints = truncate(problems, MAX_HINT_LENGTH)
    return f"fits none of {len(expected)} allowed forms; the closest: {hints}"


def _distance(branch: Sequence[SchemaViolation]) -> tuple[bool, bool, int]:
    """Sort key for the distance of a value from a branch: type mismatch, then a different `const`
    marker, then the number of violations."""
    of_another_type = any(problem.keyword == "type" and not problem.path for problem in branch)
    marked = any(problem.keyword == "const" and len(problem.path) == 1 for problem in branch)
    return of_another_type, marked, len(branch)


WORDINGS.update(
    {
        "pattern": lambda expected, value: f"must match `{expected}`, got {value_excerpt(value)}",
        "patternLimit": lambda _, value: (
            "takes too long to match against its pattern; give a shorter text, got"
            f" {value_excerpt(value)}"
        ),
        "unevaluatedProperties": lambda *_: "unknown",
        "not": lambda _, value: f"must not be {value_excerpt(value)}",
        "anyOf": _branches,
        "oneOf": _branches,
    }
)
