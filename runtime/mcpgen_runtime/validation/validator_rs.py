"""jsonschema-rs: validation in less than a microsecond, with patterns in linear time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import getitem
from typing import Any, NoReturn

import jsonschema_rs

from ..tool import Json
from .validation_error import SchemaViolation

BACKTRACKS = 50_000
"""How often the search for a pattern may go back, if it is one that is not matched in one go."""

_MEMBERS = "additionalProperties"
_DATA = frozenset({"const", "enum", "default", "examples"})


class Engine:
    """One compiled schema. Raises `ValueError` if it is none, or refers to what is not there."""

    def __init__(self, schema: Json) -> None:
        try:
            self._validator = _compiled(schema)
        except ValueError:
            # Patterns of a dialect that Rust's engine does not know; the API itself checks them.
            self._validator = _compiled(_without_patterns(schema))
        self.passes: Callable[[Json], bool] = self._validator.is_valid
        """Whether a value meets the schema."""

    def problems(self, value: Json) -> list[SchemaViolation]:
        """What is wrong with the value, in the order of the schema."""
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
                # Of an object that may have no members the library tells the first one's value.
                if met != error.instance:
                    problems += (
                        SchemaViolation((*path, name), _MEMBERS, None, None) for name in met
                    )
                    continue
        problems.append(SchemaViolation(path, kind.name, value, error.instance))
    return problems


def _below(problem: SchemaViolation, depth: int) -> SchemaViolation:
    """A branch's problem with its path seen from the value that has the branches."""
    return SchemaViolation(problem.path[depth:], problem.keyword, problem.expected, problem.got)


def _without_patterns(schema: Json) -> Json:
    """The schema without patterns; what members they would have matched stays open."""
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
