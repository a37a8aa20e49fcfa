"""Checks on arguments and results: announced schemas and those of the API behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property

from ..tool import Json
from ..upstream.request import InvalidArguments
from .validation_cost import TooExpensive, ValidationCost
from .validation_error import SchemaViolation, describe_violation, format_place

try:
    from .validator_rs import Engine
except ImportError:
    from .validator_python import Engine  # type: ignore[assignment]


MOST_PROBLEMS = 100
"""How many problems of a value are told."""


class LazyValidator:
    """A schema, compiled when it is first needed."""

    def __init__(self, schema: Callable[[], Json]) -> None:
        self._schema = schema

    @cached_property
    def _compiled(self) -> tuple[Engine, ValidationCost]:
        schema = self._schema()
        return Engine(schema), ValidationCost(schema)

    def problems(self, value: Json) -> list[SchemaViolation]:
        """What is wrong with the value; empty if it meets the schema. One of the kinds `CUT_SHORT`
        stands for what is not told.

        Raises `InvalidArguments` if the schema cannot be used: what cannot be checked is not sent.
        """
        try:
            engine, effort = self._compiled
            if not effort.can_be_judged(value):
                return [SchemaViolation((), "unjudged", None, value)]
            if engine.passes(value):
                return []
            if not effort.can_be_told(value):
                return [SchemaViolation((), "untold", None, value)]
            problems = engine.problems(value)
        except (RecursionError, TooExpensive):
            return [SchemaViolation((), "unjudged", None, value)]
        except ValueError as fault:
            raise InvalidArguments(f"a schema of this tool cannot be used: {fault}"[:500]) from None
        if len(problems) <= MOST_PROBLEMS:
            return problems
        left_out = len(problems) - MOST_PROBLEMS
        return [*problems[:MOST_PROBLEMS], SchemaViolation((), "more", left_out, None)]


def never_null(announced: Mapping[str, Json]) -> frozenset[str]:
    """The optional arguments of an input schema whose own schemas do not take null."""
    shared = {"$defs": announced["$defs"]} if "$defs" in announced else {}
    return frozenset(
        name
        for name, schema in announced["properties"].items()
        if name not in announced["required"] and not _takes_null({**shared, **schema})
    )


def _takes_null(schema: Json) -> bool:
    """Whether null meets a schema. True for a schema that cannot be used: the check of the whole call
    refuses the call and says why."""
    try:
        return not LazyValidator(lambda: schema).problems(None)
    except InvalidArguments:
        return True


def argument_lines(problems: Iterable[SchemaViolation], known: Iterable[str]) -> list[str]:
    """A line for each problem with the arguments of a tool, which knows these names."""
    return [_argument_line(problem, known) for problem in problems]


def _argument_line(problem: SchemaViolation, known: Iterable[str]) -> str:
    if problem.keyword == "additionalProperties" and len(problem.path) == 1:
        near = get_close_matches(str(problem.path[0]), known, 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return f"{format_place(problem.path)}: unknown argument{hint}"
    return f"{format_place(problem.path) or 'arguments'}: {describe_violation(problem)}"


def text_lines(problems: Iterable[SchemaViolation], name: str) -> list[str]:
    """A line for each problem inside the JSON text of one argument."""
    return [
        f"{format_place((name, *problem.path))}: {describe_violation(problem)}"
        for problem in problems
    ]


def body_lines(
    problems: Iterable[SchemaViolation], owners: Iterable[tuple[tuple[str, ...], str]]
) -> list[str]:
    """A line for each problem with the body, named after the argument that fills the place."""
    by_length = sorted(owners, key=lambda owner: len(owner[0]), reverse=True)
    return [_body_line(problem, by_length) for problem in problems]


def _body_line(problem: SchemaViolation, owners: Iterable[tuple[tuple[str, ...], str]]) -> str:
    for target, name in owners:
        if problem.path[: len(target)] == target:
            return f"{format_place((name, *problem.path[len(target) :]))}: {describe_violation(problem)}"
    return f"{format_place(('body', *problem.path))}: {describe_violation(problem)}"
