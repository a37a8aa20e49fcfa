# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Validates values against JSON Schemas with jsonschema-rs, within bounds of time and memory.

Patterns run on Rust's linear-time engine; patterns with look-around or back references may
backtrack `BACKTRACKS` times. References to other documents are not fetched.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, reduce
from operator import getitem
from typing import Any, NoReturn

import jsonschema_rs

from ..extensions import INSTALLED, Cost, NotInstalled
from ..tool import Json
from ..upstream.request import InvalidArguments
from .errors import SchemaViolation, describe_violation, format_place

BACKTRACKS = 50_000
"""Maximum backtracking steps of a pattern that the linear-time engine does not support."""

_MEMBERS = "additionalProperties"
_DATA = frozenset({"const", "enum", "default", "examples"})


class Engine:
    """One compiled schema. Raises `ValueError` for an invalid schema or a broken reference."""

    def __init__(self, schema: Json) -> None:
        try:
            self._validator = _compiled(schema)
        except ValueError:
            # Patterns with syntax unknown to Rust's engine are dropped; the API checks such
            # patterns itself.
            self._validator = _compiled(_without_patterns(schema))
        self.passes: Callable[[Json], bool] = self._validator.is_valid
        """Validates a value; True if valid."""

    def problems(self, value: Json) -> list[SchemaViolation]:
        """The violations by a value, in the order of the schema."""
        return _problems(list(self._validator.iter_errors(value)), value)


def _compiled(schema: Json) -> jsonschema_rs.Draft202012Validator:
    patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACKS)
    return jsonschema_rs.Draft202012Validator(schema, retriever=_refuse, pattern_options=patterns)


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not fetched")


def _problems(
    errors: Sequence[jsonschema_rs.ValidationError], whole: Json
) -> list[SchemaViolation]:
    problems: list[SchemaViolation] = []
    for error in errors:
        path = tuple(error.instance_path)
        kind: Any = error.kind
        value = kind.value
        match kind.name:
            case "anyOf" | "oneOf":
                value = tuple(tuple(_problems(branch, whole)) for branch in value)
                depth = len(path)
                value = tuple(tuple(_below(each, depth) for each in branch) for branch in value)
            case "pattern" if str(value).startswith("Error executing regex"):
                problems.append(SchemaViolation(path, "patternLimit", None, error.instance))
                continue
            case "propertyNames":
                problems += _problems([value], whole)
                continue
            case "required":
                problems.append(SchemaViolation((*path, value), "required", None, None))
                continue
            case "additionalProperties" | "unevaluatedProperties":
                problems += (
                    SchemaViolation((*path, name), kind.name, None, None) for name in value
                )
                continue
            case "falseSchema" if error.schema_path[-1:] == [_MEMBERS]:
                met = reduce(getitem, path, whole)
                # For `additionalProperties: false`, jsonschema-rs reports the first member's value
                # in place of the object.
                if met != error.instance:
                    problems += (
                        SchemaViolation((*path, name), _MEMBERS, None, None) for name in met
                    )
                    continue
        problems.append(SchemaViolation(path, kind.name, value, error.instance))
    return problems


def _below(problem: SchemaViolation, depth: int) -> SchemaViolation:
    """A branch's violation with the path relative to the value."""
    return SchemaViolation(problem.path[depth:], problem.keyword, problem.expected, problem.got)


def _without_patterns(schema: Json) -> Json:
    """The schema without patterns; members matched by a pattern are not checked."""
    if isinstance(schema, list):
        return [_without_patterns(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    named = isinstance(schema.get("patternProperties"), dict)
    dropped = {"patternProperties", "additionalProperties", "unevaluatedProperties"}
    return {
        key: value if key in _DATA else _without_patterns(value)
        for key, value in schema.items()
        if not (key == "pattern" and isinstance(value, str)) and not (named and key in dropped)
    }


MOST_PROBLEMS = 100
"""Maximum number of violations reported."""


MOST_SCHEMAS = 200
"""Maximum number of schemas in a flat schema."""

MOST_TOLD = 20_000_000
"""Maximum characters of values that a validator copies into errors: a value is copied for every failed
schema."""

TOLD = 500
"""Minimum characters counted for an error."""

_FLAT = frozenset(
    [
        "type",
        "format",
        "enum",
        "const",
        "default",
        "examples",
        "title",
        "description",
        "deprecated",
        "readOnly",
        "writeOnly",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "required",
    ]
)
"""Keywords that a validator decides in linear time."""


def is_flat(schema: Json) -> bool:
    """True for a schema without references, combinations and patterns: each part of a value is
    evaluated by at most one schema."""
    count, waiting = 0, [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, bool):
            continue
        count += 1
        if not isinstance(part, dict) or count > MOST_SCHEMAS:
            return False
        for keyword, inner in part.items():
            if keyword == "properties":
                waiting += inner.values()
            elif keyword in ("items", "additionalProperties"):
                waiting.append(inner)
            elif keyword not in _FLAT and not keyword.startswith("x-"):
                return False
    return True


class FlatCost:
    """The cost of a flat schema. Raises `NotInstalled` for other schemas, whose cost only
    `validation.cost` can bound."""

    def __init__(self, schema: Json) -> None:
        if not is_flat(schema):
            raise NotInstalled("validation.cost")
        self._schema = schema

    def can_be_judged(self, value: Json) -> bool:
        """True: the work is linear in the size of the value."""
        return True

    def can_be_explained(self, value: Json) -> bool:
        """True if the errors, with all missing members, copy at most `MOST_TOLD` characters."""
        missing = max((len(part.get("required", ())) for part in _schemas(self._schema)), default=0)
        budget = MOST_TOLD // (1 + missing)
        waiting = [value]
        while waiting and budget > 0:
            part = waiting.pop()
            budget -= TOLD + len(json.dumps(part))
            if isinstance(part, dict | list):
                waiting += part.values() if isinstance(part, dict) else part
        return budget > 0


def _schemas(schema: Json) -> Iterator[dict[str, Json]]:
    """A flat schema and the schemas inside."""
    if isinstance(schema, dict):
        yield schema
        inner = (schema.get("items"), schema.get("additionalProperties"))
        for part in (*schema.get("properties", {}).values(), *inner):
            yield from _schemas(part)


class LazyValidator:
    """A schema compiled on first use."""

    def __init__(self, schema: Callable[[], Json]) -> None:
        self._schema = schema

    @cached_property
    def _compiled(self) -> tuple[Engine, Cost]:
        schema = self._schema()
        return Engine(schema), (INSTALLED.validation_cost or FlatCost)(schema)

    def problems(self, value: Json) -> list[SchemaViolation]:
        """The violations by a value, empty if valid. A keyword in `CUT_SHORT` marks an incomplete
        list.

        Raises `InvalidArguments` for an unusable schema: unchecked values are not sent.
        """
        try:
            engine, effort = self._compiled
            if not effort.can_be_judged(value):
                return [SchemaViolation((), "unjudged", None, value)]
            if engine.passes(value):
                return []
            if not effort.can_be_explained(value):
                return [SchemaViolation((), "untold", None, value)]
            problems = engine.problems(value)
        except RecursionError:
            return [SchemaViolation((), "unjudged", None, value)]
        except ValueError as fault:
            raise InvalidArguments(f"a schema of this tool cannot be used: {fault}"[:500]) from None
        if len(problems) <= MOST_PROBLEMS:
            return problems
        left_out = len(problems) - MOST_PROBLEMS
        return [*problems[:MOST_PROBLEMS], SchemaViolation((), "more", left_out, None)]


def never_null(announced: Mapping[str, Json]) -> frozenset[str]:
    """The optional arguments of an input schema whose schemas do not allow null."""
    shared = {"$defs": announced["$defs"]} if "$defs" in announced else {}
    return frozenset(
        name
        for name, schema in announced["properties"].items()
        if name not in announced["required"] and not _takes_null({**shared, **schema})
    )


def _takes_null(schema: Json) -> bool:
    """True if the schema allows null, or is unusable: the validation of the whole call reports an
    unusable schema."""
    try:
        return not LazyValidator(lambda: schema).problems(None)
    except InvalidArguments:
        return True


def argument_lines(problems: Iterable[SchemaViolation], known: Iterable[str]) -> list[str]:
    """A line per violation by arguments; `known` are the names of a tool's arguments."""
    return [_argument_line(problem, known) for problem in problems]


def _argument_line(problem: SchemaViolation, known: Iterable[str]) -> str:
    if problem.keyword == "additionalProperties" and len(problem.path) == 1:
        near = get_close_matches(str(problem.path[0]), known, 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return f"{format_place(problem.path)}: unknown argument{hint}"
    return f"{format_place(problem.path) or 'arguments'}: {describe_violation(problem)}"


def text_lines(problems: Iterable[SchemaViolation], name: str) -> list[str]:
    """A line per violation inside the JSON text of an argument."""
    return [
        f"{format_place((name, *problem.path))}: {describe_violation(problem)}"
        for problem in problems
    ]
