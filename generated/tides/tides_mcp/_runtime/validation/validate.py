# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Validates values against JSON Schemas with jsonschema-rs, within bounds of time and memory, and
describes violations in words that a model can act on. Schemas with references, combinations and
patterns are validated by `validation.engine`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, reduce
from operator import getitem
from typing import Any

import jsonschema_rs

from ..extensions import INSTALLED, NotInstalled
from ..tool import Json
from ..upstream.exchange import InvalidArguments

# An error result fills the context of a model: 100 violations of these lengths are about 30 kB.
EXCERPT = 80  # Maximum characters shown of an invalid value
MAX_NAME_LENGTH = 200  # Maximum characters shown of a member's name, which the model chooses
MAX_PROBLEMS = 100  # Maximum number of violations reported
MAX_FLAT_SCHEMAS = 200  # Of a flat schema; the largest of 3,386 in 12 documents has 76

MAX_ERROR_CHARACTERS = 20_000_000
"""Maximum estimate of characters that a validator copies into errors: a value is copied for every
failed schema. At 19 million, 12,000 errors took 0.08 s of processor time and 57 MB at the peak."""

ERROR_CHARACTERS = 500  # Counted for an error itself: an error of a tiny value needs memory, too

CUT_SHORT = frozenset(("unjudged", "untold", "more"))
"""Keywords of violations that replace the individual violations."""

_ADDITIONAL = "additionalProperties"
_FLAT = frozenset(
    {
        *("type", "format", "enum", "const", "default", "examples", "title", "description"),
        *("deprecated", "readOnly", "writeOnly", "minimum", "maximum", "exclusiveMinimum"),
        *("exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"),
        *("uniqueItems", "minProperties", "maxProperties", "required"),
    }
)
"""Keywords that a validator decides in linear time."""

Path = tuple[str | int, ...]  # Keys and positions that lead to a value


@dataclass(frozen=True)
class SchemaViolation:
    """One violation. `expected` is the value of the keyword; for `anyOf` and `oneOf` the violations
    of each branch."""

    path: Path
    keyword: str
    expected: Any
    value: Json


def is_flat(schema: Json) -> bool:
    """True for a schema without references, combinations and patterns: each part of a value is
    evaluated by at most one schema."""
    count, pending = 0, [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, bool):
            continue
        count += 1
        if not isinstance(part, dict) or count > MAX_FLAT_SCHEMAS:
            return False
        for keyword, inner in part.items():
            if keyword == "properties":
                pending += inner.values()
            elif keyword in ("items", _ADDITIONAL):
                pending.append(inner)
            elif keyword not in _FLAT and not keyword.startswith("x-"):
                return False
    return True


class FlatEngine:
    """A compiled flat schema. Raises `ValueError` for an invalid schema, and `NotInstalled` for
    other schemas, whose cost only `validation.cost` can bound."""

    def __init__(self, schema: Json) -> None:
        self._schema = schema
        self._validator = self._compile(schema)
        self.passes: Callable[[Json], bool] = self._validator.is_valid
        """Validates a value; True if valid."""

    def _compile(self, schema: Json) -> jsonschema_rs.Draft202012Validator:
        if not is_flat(schema):
            raise NotInstalled("validation.cost")
        return jsonschema_rs.Draft202012Validator(schema)

    def can_be_judged(self, value: Json) -> bool:
        """True if the validator decides within bounds; a flat schema takes linear time."""
        return True

    def can_be_explained(self, value: Json) -> bool:
        """True if the errors, with all missing members, copy at most `MAX_ERROR_CHARACTERS`."""
        missing = max((len(part.get("required", ())) for part in _schemas(self._schema)), default=0)
        budget = MAX_ERROR_CHARACTERS // (1 + missing)
        pending = [value]
        while pending and budget > 0:
            part = pending.pop()
            budget -= ERROR_CHARACTERS + len(json.dumps(part))
            if isinstance(part, dict | list):
                pending += part.values() if isinstance(part, dict) else part
        return budget > 0

    def problems(self, value: Json) -> list[SchemaViolation]:
        """The violations by a value, in the order of the schema."""
        errors = self._validator.iter_errors(value)
        return [problem for error in errors for problem in violations(error, value)]


def violations(error: jsonschema_rs.ValidationError, root: Json) -> Iterable[SchemaViolation]:
    """The violations of an error about a part of the root value, one for each member."""
    path = tuple(error.instance_path)
    kind: Any = error.kind
    keyword, expected = kind.name, kind.value
    names: Iterable[Any] = ()
    if keyword == "required":
        names = (expected,)
    elif keyword in (_ADDITIONAL, "unevaluatedProperties"):
        names = expected
    elif keyword == "falseSchema" and error.schema_path[-1:] == [_ADDITIONAL]:
        members = reduce(getitem, path, root)
        # For `additionalProperties: false`, jsonschema-rs reports the first member's value in place
        # of the object.
        if members != error.instance:
            keyword, names = _ADDITIONAL, members
    if names:
        return [SchemaViolation((*path, name), keyword, None, None) for name in names]
    return [SchemaViolation(path, keyword, expected, error.instance)]


def _schemas(schema: Json) -> Iterator[dict[str, Json]]:
    if isinstance(schema, dict):
        yield schema
        inner = (schema.get("items"), schema.get(_ADDITIONAL))
        for part in (*schema.get("properties", {}).values(), *inner):
            yield from _schemas(part)


class LazyValidator:
    """A schema compiled on first use."""

    def __init__(self, schema: Callable[[], Json]) -> None:
        self._schema = schema

    @cached_property
    def _engine(self) -> FlatEngine:
        return (INSTALLED.engine or FlatEngine)(self._schema())

    def problems(self, value: Json) -> list[SchemaViolation]:
        """The violations by a value, empty if valid. A keyword in `CUT_SHORT` marks an incomplete
        list. Raises `InvalidArguments` for an unusable schema: unchecked values are not sent."""
        try:
            engine = self._engine
            if not engine.can_be_judged(value):
                return [SchemaViolation((), "unjudged", None, value)]
            if engine.passes(value):
                return []
            if not engine.can_be_explained(value):
                return [SchemaViolation((), "untold", None, value)]
            problems = engine.problems(value)
        except RecursionError:
            return [SchemaViolation((), "unjudged", None, value)]
        except UnicodeEncodeError:
            raise InvalidArguments("a text holds half of a surrogate pair") from None
        except ValueError as fault:
            raise InvalidArguments(f"a schema of this tool cannot be used: {fault}"[:500]) from None
        if len(problems) <= MAX_PROBLEMS:
            return problems
        left_out = len(problems) - MAX_PROBLEMS
        return [*problems[:MAX_PROBLEMS], SchemaViolation((), "more", left_out, None)]


def never_null(input_schema: Mapping[str, Json]) -> frozenset[str]:
    """The optional arguments of an input schema whose schemas do not allow null."""
    shared = {"$defs": input_schema["$defs"]} if "$defs" in input_schema else {}
    return frozenset(
        name
        for name, schema in input_schema["properties"].items()
        if name not in input_schema["required"] and not _allows_null({**shared, **schema})
    )


def _allows_null(schema: Json) -> bool:
    """True if the schema allows null, or is unusable: the validation of the whole call reports an
    unusable schema."""
    try:
        return not LazyValidator(lambda: schema).problems(None)
    except InvalidArguments:
        return True


def argument_lines(problems: Iterable[SchemaViolation], names: Iterable[str]) -> list[str]:
    """A line per violation by arguments; `names` are the tool's arguments."""
    return [_argument_line(problem, names) for problem in problems]


def _argument_line(problem: SchemaViolation, names: Iterable[str]) -> str:
    if problem.keyword == _ADDITIONAL and len(problem.path) == 1:
        matches = get_close_matches(str(problem.path[0]), names, 1)
        hint = f"; did you mean `{matches[0]}`?" if matches else ""
        return f"{format_place(problem.path)}: unknown argument{hint}"
    return f"{format_place(problem.path) or 'arguments'}: {describe_violation(problem)}"


def text_lines(problems: Iterable[SchemaViolation], name: str) -> list[str]:
    """A line per violation inside the JSON text of an argument."""
    return [
        f"{format_place((name, *problem.path))}: {describe_violation(problem)}"
        for problem in problems
    ]


def describe_violation(problem: SchemaViolation) -> str:
    """The violation without the path: `must be >= 1, got 0`."""
    wording = WORDINGS.get(problem.keyword)
    if wording is None:
        return f"does not meet `{problem.keyword}`, got {value_excerpt(problem.value)}"
    return wording(problem.expected, problem.value)


def format_place(path: Path) -> str:
    """The path in JavaScript notation: `lines[0].sku`."""
    steps = (
        f"[{step}]" if isinstance(step, int) else f".{truncate(step, MAX_NAME_LENGTH)}"
        for step in path
    )
    return "".join(steps).removeprefix(".")


def value_excerpt(value: Json) -> str:
    """The value as JSON, truncated; of a filled object or array only the type."""
    if isinstance(value, dict | list) and value:
        return "an object" if isinstance(value, dict) else "an array"
    return truncate(json.dumps(value, ensure_ascii=False), EXCERPT)


def truncate(text: str, max_length: int) -> str:
    """The first `max_length` characters, with `…` in place of the rest."""
    return text if len(text) <= max_length else f"{text[:max_length]}…"


def _limit(relation: str, unit: str = "") -> Callable[[Any, Json], str]:
    def wording(expected: Any, value: Json) -> str:
        if not unit:
            return f"must be {relation} {value_excerpt(expected)}, got {value_excerpt(value)}"
        units = unit if expected == 1 else f"{unit}s"
        return f"must have {relation} {expected} {units}, has {len(value)}"

    return wording


def _type_problem(expected: Any, value: Json) -> str:
    kinds = [expected] if isinstance(expected, str) else sorted(expected)
    return f"must be {' or '.join(kinds)}, got {value_excerpt(value)}"


def _enum(expected: Any, value: Json) -> str:
    return f"must be one of {', '.join(map(value_excerpt, expected))}, got {value_excerpt(value)}"


WORDINGS: dict[str, Callable[[Any, Json], str]] = {
    "type": _type_problem,
    "enum": _enum,
    "const": lambda expected, value: (
        f"must be {value_excerpt(expected)}, got {value_excerpt(value)}"
    ),
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
    "uniqueItems": lambda _, value: "must not repeat an item",
    "required": lambda *_: "required, but missing",
    _ADDITIONAL: lambda *_: "unknown",
    "falseSchema": lambda *_: "must not be given",
    "unjudged": lambda *_: "is too much to check against its schema; give less of it, or less nested",
    "untold": lambda *_: "does not meet its schema, and is too much to tell where; give less of it",
    "more": lambda expected, _: f"{expected} more problems, which are not told",
}
"""The text of a violation by keyword; `validation.engine` adds the keywords of other schemas."""
