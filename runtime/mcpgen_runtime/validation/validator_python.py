"""The `jsonschema` package: validation in pure Python, where no wheel of the fast one exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal, localcontext
from importlib import import_module
from math import isfinite
from typing import Any

from referencing import Registry
from referencing.exceptions import Unresolvable

from ..tool import Json
from ..upstream.value_text import compact_json
from .safe_regex import MOST_STEPS, StepBudget, compile_regex
from .validation_error import Path, SchemaViolation

# Imported by name, because the package has no types.
_validators: Any = import_module("jsonschema.validators")
_ValidationError: Any = import_module("jsonschema.exceptions").ValidationError

_steps = StepBudget()
"""What the patterns may still take for the value that is judged."""

_VALUES = frozenset({"const", "enum", "default", "examples"})


_DIGITS = 5_000
"""How exact a division has to be: an integer may have 4,300 digits, a divisor 324 behind the point."""


def _ignore(*_: Any) -> Iterator[Any]:
    """No problem: what cannot be judged here, the API checks itself."""
    return iter(())


def _matches(pattern: str, text: str) -> bool | None:
    """Whether the text matches, None if the pattern is not judged here."""
    found = compile_regex(pattern)
    return None if found is None else found.found(text, _steps)


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[Any]:
    """A text that does not match."""
    if isinstance(instance, str) and _matches(pattern, instance) is False:
        yield _ValidationError("no match")


def _properties(validator: Any, properties: Any, instance: Any, _: Any) -> Iterator[Any]:
    """Problems with the members that are named."""
    for name, schema in properties.items() if isinstance(instance, dict) else ():
        if name in instance:
            yield from _of_member(validator, instance, name, schema, name)


def _of_member(
    validator: Any, instance: Any, name: str, schema: Any, schema_path: str
) -> Iterator[Any]:
    """Problems with one member; the package would place those with the schema `false` above it."""
    placed = {"allOf": [False]} if schema is False else schema
    yield from validator.descend(instance[name], placed, path=name, schema_path=schema_path)


def _pattern_properties(validator: Any, patterns: Any, instance: Any, _: Any) -> Iterator[Any]:
    """Problems with the members whose names match."""
    for pattern, schema in patterns.items() if isinstance(instance, dict) else ():
        for name in instance:
            if _matches(pattern, name):
                yield from _of_member(validator, instance, name, schema, pattern)


def _additional(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """Problems with the members that nothing names."""
    names = _unnamed(instance, schema) if isinstance(instance, dict) else []
    if rule is False and names:
        yield _ValidationError("unknown members")
    for name in names if rule is not False else ():
        yield from validator.descend(instance[name], rule, path=name)


def _unnamed(instance: Any, schema: Any) -> list[str]:
    """The members that `properties` does not name, and no pattern matches or could match."""
    patterns = schema.get("patternProperties", {})
    return [
        name
        for name in instance
        if name not in schema.get("properties", {})
        and all(_matches(pattern, name) is False for pattern in patterns)
    ]


def _multiple(_: Any, divisor: Any, instance: Any, __: Any) -> Iterator[Any]:
    """A number that is no multiple, as it is written in decimal: 19.99 is one of 0.01."""
    if isinstance(instance, bool) or not isinstance(instance, int | float):
        return
    if isinstance(instance, float) and not isfinite(instance):
        yield _ValidationError("no number")
        return
    with localcontext() as context:
        context.prec = _DIGITS
        if Decimal(str(instance)) % Decimal(str(divisor)):
            yield _ValidationError("no multiple")


def _unique(_: Any, wanted: Any, instance: Any, __: Any) -> Iterator[Any]:
    """A list that has an item twice; the package would compare each with each."""
    if not wanted or not isinstance(instance, list):
        return
    if len(set(map(_compared, instance))) < len(instance):
        yield _ValidationError("not unique")


def _compared(value: Any) -> Any:
    """What equals the same of another value if both are the same in JSON: 1 is 1.0, but not true."""
    if isinstance(value, dict):
        return frozenset((name, _compared(member)) for name, member in value.items())
    if isinstance(value, list):
        return tuple(map(_compared, value))
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, int | float):
        # As text, of which nobody can choose many that are filed at the same place.
        is_whole = isinstance(value, int) or value.is_integer()
        return "number", str(int(value) if is_whole else value)
    return (value,)


_Validator = _validators.extend(
    _validators.Draft202012Validator,
    {
        "pattern": _pattern,
        "properties": _properties,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional,
        "multipleOf": _multiple,
        "uniqueItems": _unique,
    },
)
# What was evaluated cannot be known without the patterns, wherever in the schema they stand; the
# package would look at them with Python's own engine, which may take exponential time.
_Lenient = _validators.extend(_Validator, {"unevaluatedProperties": _ignore})


class Engine:
    """One schema, with the same face as the fast engine's. It never fetches a reference.

    Raises `TooExpensive` for patterns that take too many steps.
    """

    def __init__(self, schema: Json) -> None:
        kind = _Lenient if "patternProperties" in compact_json(schema) else _Validator
        self._validator = kind(_of_one_dialect(schema), registry=Registry())

    def passes(self, value: Json) -> bool:
        """Whether the value meets the schema.

        Raises `ValueError` if the schema refers to what is not there.
        """
        _steps.left = MOST_STEPS
        try:
            return bool(self._validator.is_valid(value))
        except Unresolvable as fault:
            raise ValueError(f"{fault.ref} is not fetched") from None

    def problems(self, value: Json) -> list[SchemaViolation]:
        """What is wrong with the value, in the order of the schema.

        Raises `ValueError` if the schema refers to what is not there.
        """
        _steps.left = MOST_STEPS
        try:
            return _once_each(_problems(self._validator.iter_errors(value)))
        except Unresolvable as fault:
            raise ValueError(f"{fault.ref} is not fetched") from None


def _problems(errors: Iterable[Any]) -> Iterator[SchemaViolation]:
    for error in errors:
        path = tuple(error.path)
        match error.validator:
            case "anyOf" | "oneOf":
                yield SchemaViolation(path, error.validator, _branches(error), error.instance)
            case "required":
                missing = (name for name in error.validator_value if name not in error.instance)
                yield from (
                    SchemaViolation((*path, name), "required", None, None) for name in missing
                )
            case "additionalProperties" if error.validator_value is False:
                unknown = _unnamed(error.instance, error.schema)
                yield from (
                    SchemaViolation((*path, name), error.validator, None, None) for name in unknown
                )
            case None:
                yield SchemaViolation(path, "falseSchema", None, error.instance)
            case keyword:
                yield SchemaViolation(path, keyword, error.validator_value, error.instance)


def _of_one_dialect(schema: Json) -> Json:
    """The schema without `$schema`, at which the package would leave the rules above behind."""
    if isinstance(schema, list):
        return [_of_one_dialect(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value if key in _VALUES else _of_one_dialect(value)
        for key, value in schema.items()
        if not (key == "$schema" and isinstance(value, str))
    }


def _branches(error: Any) -> tuple[tuple[SchemaViolation, ...], ...]:
    """The problems of each branch, in the order of the branches."""
    branches: list[list[Any]] = [[] for _ in error.validator_value]
    for inner in error.context:
        branches[inner.schema_path[0]].append(inner)
    return tuple(tuple(_once_each(_problems(branch))) for branch in branches)


def _once_each(problems: Iterable[SchemaViolation]) -> list[SchemaViolation]:
    """The problems without those that repeat one."""
    known: dict[tuple[Path, str], list[SchemaViolation]] = {}
    once: list[SchemaViolation] = []
    for problem in problems:
        alike = known.setdefault((problem.path, problem.keyword), [])
        if problem not in alike:
            alike.append(problem)
            once.append(problem)
    return once
