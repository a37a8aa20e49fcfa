"""The operation of any tool: decodes arguments, fills all places of a request, and filters response fields."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NoReturn

from ..extensions import Definitions, Extensions
from ..tool import Argument, Json, Tool
from ..validation.nesting import loads
from ..validation.validate import (
    LazyValidator,
    SchemaViolation,
    describe_violation,
    format_place,
    text_lines,
)
from .exchange import InvalidArguments, UpstreamRequest
from .operation import NO_PATH_VALUES, ToolOperation
from .request_builder import Placed, RequestBuilder, map_arguments, owners

FieldTree = dict[str, "FieldTree"]
"""Selected names with selections below; an empty selection keeps the whole value."""


def parse_field_paths(paths: Iterable[str]) -> FieldTree:
    """The selection tree of dotted paths such as `id` and `owner.name`."""
    tree: FieldTree = {}
    selected: set[tuple[str, ...]] = set()
    for path in sorted(paths, key=len):
        steps = tuple(path.split("."))
        if any(steps[:length] in selected for length in range(1, len(steps))):
            continue
        selected.add(steps)
        below = tree
        for step in steps:
            below = below.setdefault(step, {})
    return tree


def filter_fields(value: Json, tree: FieldTree) -> Json:
    """The selected parts of a value. Arrays are filtered item by item; a scalar in place of an
    object becomes null."""
    if not tree:
        return value
    if isinstance(value, list):
        return [filter_fields(item, tree) for item in value]
    if not isinstance(value, dict):
        return None
    return {
        name: filter_fields(value[name], below)
        for name, below in tree.items()
        if name in value and _can_contain(value[name], below)
    }


def _can_contain(value: Json, tree: FieldTree) -> bool:
    """True if a member can contain the selection below; null is kept."""
    return not tree or value is None or isinstance(value, dict | list)


def decode_argument(argument: Argument, value: Json) -> Json:
    """Decodes a string, or each string of a list.

    Raises `InvalidArguments` for invalid content.
    """
    decoder = _DECODERS[argument.text]
    return [decoder(text) for text in value] if isinstance(value, list) else decoder(value)


def _from_json(text: str) -> Json:
    try:
        return loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}"
        raise InvalidArguments(f"is not JSON: {fault.msg} at {where}") from None
    except RecursionError:
        raise InvalidArguments("is nested too deeply") from None
    except ValueError:
        raise InvalidArguments("holds a number with too many digits") from None


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidArguments(f"is not JSON: {name} is no number there")


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArguments("is not base64") from None


_DECODERS = {"json": _from_json, "base64": _from_base64}


_JSON_TYPES = ("integer", "number", "boolean")
"""Types whose path values are parsed as JSON."""


class PathParameters:
    """Validates arguments that come from the endpoint path."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        self._arguments = tuple(
            (argument, LazyValidator(partial(dict, argument.schema)))
            for argument in arguments
            if argument.schema
        )

    def problems(self, values: Mapping[str, str]) -> list[str]:
        """The problems with the values, each line with the parameter's name."""
        return [
            line
            for argument, check in self._arguments
            for line in text_lines(check.problems(_typed_value(argument, values)), argument.name)
        ]


def _typed_value(argument: Argument, values: Mapping[str, str]) -> Json:
    """The typed value of a text in the path."""
    text = values[argument.target[0]]
    if argument.schema.get("type") not in _JSON_TYPES:
        return text
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text


class GeneralOperation(ToolOperation):
    """The operation of a tool with any parameters and bodies."""

    def __init__(self, tool: Tool, definitions: Definitions) -> None:
        super().__init__(tool, definitions)
        self._bound = PathParameters(tool.bound)
        self._texts = tuple(argument for argument in tool.arguments if argument.text)
        self._checks = tuple(
            (argument.name, _lazy_validator(argument.check, definitions))
            for argument in tool.arguments
            if argument.check is not None
        )
        body = tool.route.body if tool.route else None
        self._body = (
            _lazy_validator(body.check, definitions) if body and body.check is not None else None
        )
        self._selection = parse_field_paths(tool.fields)

    def _prepare_request(self) -> None:
        route = self.tool.route
        self._assembly = RequestBuilder(self.tool, route) if route else None

    def handler_arguments(self, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        """The arguments for a handler: for a tool without a request, decoded and with defaults.
        Raises `InvalidArguments` if a check fails."""
        if self.tool.route:
            return arguments
        values, wrong = self._decoded(arguments)
        if wrong:
            raise InvalidArguments(*chain.from_iterable(wrong.values()))
        return values

    def select(self, value: Json) -> Json:
        """The selected fields of a response."""
        return filter_fields(value, self._selection)

    def request(
        self, arguments: Mapping[str, Json], bound: Mapping[str, str] = NO_PATH_VALUES
    ) -> UpstreamRequest:
        """The request for valid arguments. Raises `InvalidArguments`, with all problems."""
        assembly = self._assembly or RequestBuilder(self.tool, self.route)
        try:
            return self._request(assembly, arguments, bound)
        except InvalidArguments as first:
            problems = self._problems(arguments, (), bound) or first.problems
            raise InvalidArguments(*problems) from None

    def _request(
        self, assembly: RequestBuilder, arguments: Mapping[str, Json], bound: Mapping[str, str]
    ) -> UpstreamRequest:
        """The request; raises at the first problem."""
        if problems := self._bound.problems(bound):
            raise InvalidArguments(*problems)
        values, wrong = self._decoded(arguments)
        if wrong:
            raise InvalidArguments(*chain.from_iterable(wrong.values()))
        placed = map_arguments(self.tool, values, bound)
        if problems := self._body_problems(placed):
            raise InvalidArguments(*problems)
        return assembly.request(placed)

    def _body_problems(self, placed: Placed) -> list[str]:
        """The problems of the body by the API's schema."""
        if not self._body or "" not in placed["body"]:
            return []
        problems = self._body.problems(_as_json(placed["body"][""]))
        return body_lines(problems, owners(self.tool)) if problems else []

    def _problems(
        self, arguments: Mapping[str, Json], wrong: Collection[object], bound: Mapping[str, str]
    ) -> list[str]:
        """All problems of the arguments and of the endpoint's path, apart from arguments that are
        already known to be wrong."""
        lines = self._bound.problems(bound)
        values, decode_problems = self._decoded(arguments)
        lines += chain.from_iterable(decode_problems.values())
        if self._assembly is None:
            return lines
        wrong = {*wrong, *decode_problems}
        places = {argument.name: _checked_place(argument) for argument in self.tool.arguments}
        wrong_places = {place for name, place in places.items() if name in wrong}
        names = {name for name, place in places.items() if place not in wrong_places}
        valid_values = {name: value for name, value in values.items() if name in names}
        try:
            placed = map_arguments(self.tool, valid_values, bound)
            body_problems = [] if "body" in wrong_places else self._body_problems(placed)
        except InvalidArguments as error:
            return [*lines, *error.problems]
        skipped = wrong_places | ({"body"} if body_problems else set())
        return [*lines, *body_problems, *self._assembly.faults(placed, skipped)]

    def _decoded(
        self, arguments: Mapping[str, Json]
    ) -> tuple[Mapping[str, Json], dict[str, list[str]]]:
        """The arguments with defaults, decoded and checked; and the problems by argument name."""
        arguments = self._with_defaults(arguments)
        if not self._texts and not self._checks:
            return arguments, {}
        values = dict(arguments)
        wrong: dict[str, list[str]] = {}
        for argument in self._texts:
            if argument.name in values:
                try:
                    values[argument.name] = decode_argument(argument, values[argument.name])
                except InvalidArguments as error:
                    wrong[argument.name] = [f"{argument.name}: {line}" for line in error.problems]
                    del values[argument.name]
        for name, check in self._checks:
            if name in values and (problems := check.problems(values[name])):
                wrong[name] = text_lines(problems, name)
        return values, wrong


def _checked_place(argument: Argument) -> str:
    """The place in which an argument is checked; a body and the headers of parts count as one
    place."""
    return "body" if argument.place == "part" else argument.place


def _lazy_validator(schema: Json, definitions: Definitions) -> LazyValidator:
    return LazyValidator(lambda: definitions.with_definitions(schema))


def _as_json(value: Json) -> Json:
    """The value with bytes as text, since JSON Schema has no bytes."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    return [_as_json(item) for item in value] if isinstance(value, list) else value


def body_lines(
    problems: Iterable[SchemaViolation], owners: Iterable[tuple[tuple[str, ...], str]]
) -> list[str]:
    """A line per violation by the body, with the name of the argument that fills the place."""
    by_length = sorted(owners, key=lambda owner: len(owner[0]), reverse=True)
    return [_body_line(problem, by_length) for problem in problems]


def _body_line(problem: SchemaViolation, owners: Iterable[tuple[tuple[str, ...], str]]) -> str:
    for target, name in owners:
        if problem.path[: len(target)] == target:
            return f"{format_place((name, *problem.path[len(target) :]))}: {describe_violation(problem)}"
    return f"{format_place(('body', *problem.path))}: {describe_violation(problem)}"


def general_operations(installed: Extensions) -> None:
    """Installs operations with any parameters and bodies."""
    installed.operation = GeneralOperation
