"""The `jsonschema` package: validation in pure Python, where no wheel of the fast one exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from referencing import Registry
from referencing.exceptions import Unresolvable

from .encode import json_text
from .problem import Problem
from .tool import Json

# Imported by name, because the package has no types.
_validators: Any = import_module("jsonschema.validators")


def _ignore(*_: Any) -> Iterator[Any]:
    """No problem: Python's patterns may take exponential time, and the API checks them itself."""
    return iter(())


def _additional(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """Problems with members that are not in `properties`, unless a pattern could allow them."""
    if "patternProperties" in schema:
        return _ignore()
    rule = _validators.Draft202012Validator.VALIDATORS["additionalProperties"]
    return iter(rule(validator, value, instance, schema) or ())


_Validator = _validators.extend(
    _validators.Draft202012Validator,
    {"pattern": _ignore, "patternProperties": _ignore, "additionalProperties": _additional},
)
# What was evaluated cannot be known without the patterns, wherever in the schema they stand.
_Lenient = _validators.extend(_Validator, {"unevaluatedProperties": _ignore})


class Engine:
    """One schema, with the same face as the fast engine's. It never fetches a reference."""

    def __init__(self, schema: Json) -> None:
        kind = _Lenient if "patternProperties" in json_text(schema) else _Validator
        self._validator = kind(schema, registry=Registry())

    def passes(self, value: Json) -> bool:
        """Whether the value meets the schema."""
        return not self.problems(value)

    def problems(self, value: Json) -> list[Problem]:
        """What is wrong with the value, in the order of the schema.

        Raises `ValueError` if the schema refers to what is not there.
        """
        problems: list[Problem] = []
        try:
            for problem in _problems(self._validator.iter_errors(value)):
                if problem not in problems:
                    problems.append(problem)
        except Unresolvable as fault:
            raise ValueError(f"{fault.ref} is not fetched") from None
        return problems


def _problems(errors: Iterable[Any]) -> Iterator[Problem]:
    for error in errors:
        path = tuple(error.path)
        match error.validator:
            case "anyOf" | "oneOf":
                yield Problem(path, error.validator, _branches(error), error.instance)
            case "required":
                missing = (name for name in error.validator_value if name not in error.instance)
                yield from (Problem((*path, name), "required", None, None) for name in missing)
            case "additionalProperties" if error.validator_value is False:
                known = error.schema.get("properties", {})
                unknown = (name for name in error.instance if name not in known)
                yield from (Problem((*path, name), error.validator, None, None) for name in unknown)
            case None:
                yield Problem(path, "falseSchema", None, error.instance)
            case keyword:
                yield Problem(path, keyword, error.validator_value, error.instance)


def _branches(error: Any) -> tuple[tuple[Problem, ...], ...]:
    """The problems of each branch, in the order of the branches."""
    branches: list[list[Problem]] = [[] for _ in error.validator_value]
    for inner in error.context:
        branches[inner.schema_path[0]] += _problems([inner])
    return tuple(map(tuple, branches))
