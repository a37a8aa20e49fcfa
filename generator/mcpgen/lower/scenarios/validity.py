"""Arguments put back into the places of a request, and validation of sample values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

import jsonschema_rs

from mcpgen.ir.api import Place
from mcpgen.ir.server import (
    ArgumentSpec,
    BodyPlan,
    ConstantSpec,
    ExpectedRequest,
    TextForm,
    ToolSpec,
)
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.checks import RequestSchemaBuilder, RequestSchemas
from mcpgen.lower.scenarios.wire_values import is_ambiguous
from mcpgen.sampling import ReachableDefs

ABSENT: Json = object()
"""Marks a missing value, since None is JSON null."""

Placed = dict[Place, dict[str, Json]]
"""Values by place and wire name; the body is the value under the name `""`."""


def place_arguments(
    arguments: Sequence[ArgumentSpec],
    constants: Iterable[ConstantSpec],
    body: BodyPlan | None,
    values: Mapping[str, Json],
) -> Placed:
    """Returns the request tree of arguments and constants. Base64 text stays text."""
    tree: Placed = {place: {} for place in Place}
    for argument in arguments:
        if argument.name not in values:
            continue
        if argument.named_targets:
            for name in values[argument.name]:
                empty: Json = None if argument.nulls else {}
                _put_value(tree[Place.BODY], ("", *argument.named_targets[name]), empty)
            continue
        value = values[argument.name]
        if argument.text is TextForm.JSON:
            value = json.loads(value)
        if argument.spread:
            for key, member in value.items():
                _put_value(tree[Place.BODY], ("", *argument.target, key), member)
            continue
        _put_value(tree[argument.place], _target_steps(argument.place, argument.target), value)
    if body is not None and body.required:
        tree[Place.BODY].setdefault("", {})
    for constant in constants:
        steps = _target_steps(constant.place, constant.target)
        owner = value_at(tree[constant.place], steps[:-1])
        if constant.place is Place.BODY and not isinstance(owner, dict):
            continue
        if constant.value != {}:
            _put_value(tree[constant.place], steps, constant.value)
        elif value_at(tree[constant.place], steps) is ABSENT:
            # A copy: later arguments add members.
            _put_value(tree[constant.place], steps, {})
    whole = tree[Place.BODY].get("")
    if isinstance(whole, dict) and any(argument.target for argument in arguments):
        tree[Place.BODY][""] = _in_argument_order(arguments, whole)
    return tree


def _in_argument_order(
    arguments: Sequence[ArgumentSpec], whole: dict[str, Json]
) -> dict[str, Json]:
    """Returns the body in order of its arguments."""
    rank: dict[str, int] = {}
    for position, argument in enumerate(arguments):
        if argument.place is Place.BODY and argument.target:
            rank.setdefault(argument.target[0], position)
    return {key: whole[key] for key in sorted(whole, key=lambda k: rank.get(k, len(arguments)))}


def split_request(arguments: Iterable[ArgumentSpec], tree: Placed) -> dict[str, Json]:
    """Returns the arguments that produce a request, by name: the inverse of `place_arguments`."""
    values: dict[str, Json] = {}
    for argument in arguments:
        value = value_at(tree[argument.place], _target_steps(argument.place, argument.target))
        if argument.spread:
            value = additional_members(value, argument)
        if value is not ABSENT:
            values[argument.name] = value
    return values


def additional_members(value: Json, argument: ArgumentSpec) -> Json:
    """Returns the additional members of a body, `ABSENT` without any."""
    if not isinstance(value, dict):
        return ABSENT
    # The schema of additional members sets named members to `false`.
    named = argument.check["properties"] if argument.check else {}
    return {key: member for key, member in value.items() if key not in named} or ABSENT


def value_at(tree: Json, steps: Sequence[str]) -> Json:
    """Returns the value at a path, `ABSENT` if missing."""
    for step in steps:
        if not isinstance(tree, dict) or step not in tree:
            return ABSENT
        tree = tree[step]
    return tree


def _target_steps(place: Place, target: tuple[str, ...]) -> tuple[str, ...]:
    return ("", *target) if place is Place.BODY else target


def _put_value(tree: dict[str, Json], steps: Sequence[str], value: Json) -> None:
    for step in steps[:-1]:
        inner = tree.setdefault(step, {})
        tree = cast(dict[str, Json], inner) if isinstance(inner, dict) else {}
    tree[steps[-1]] = value


def is_announced(schema: Mapping[str, Json], value: Json) -> bool:
    """True if a value matches an announced schema.

    Cached without descriptions: many arguments differ in their description only.
    """
    assertions = {keyword: part for keyword, part in schema.items() if keyword != "description"}
    return _meets(json.dumps(assertions), json.dumps(value))


@lru_cache(maxsize=4_096)
def _meets(schema: str, value: str) -> bool:
    return jsonschema_rs.is_valid(json.loads(schema), json.loads(value))


_HEADER = re.compile(r"[\t\x20-\x7e]*")
_MAX_CACHED = 1_000
"""Cached verdicts; each validator is compiled once per check."""


@dataclass
class Validity:
    """Validates values against checks."""

    checks: RequestSchemaBuilder
    _met: ReachableDefs = field(init=False)
    _verdicts: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._met = ReachableDefs(RequestSchemas(self.checks))

    def fault(
        self,
        arguments: Sequence[ArgumentSpec],
        body: BodyPlan | None,
        values: Mapping[str, Json],
        tree: Placed,
    ) -> str:
        """Why the arguments make no valid request, in words, or `""`."""
        for argument in arguments:
            if argument.required and argument.name not in values:
                return f"no value was found for `{argument.name}`"
            if argument.check is None or argument.name not in values or argument.named_targets:
                continue
            steps = ("",) if argument.place is Place.BODY else ()
            value = value_at(tree[argument.place], (*steps, *argument.target))
            if argument.spread:
                value = json.loads(values[argument.name])
            if unmet := self._violation(argument.check, value):
                return f"the value of `{argument.name}` {unmet} its schema"
        for argument in arguments:
            if argument.name in values and not is_announced(argument.schema, values[argument.name]):
                return f"the value of `{argument.name}` is not what is announced"
            if _cannot_be_told_apart(argument, tree[argument.place]):
                return f"the value of `{argument.name}` holds what separates its values"
            if _is_empty_parameter(argument, tree[argument.place]):
                return f"the value of `{argument.name}` is empty, which no style writes"
        if body is None or body.check is None or "" not in tree[Place.BODY]:
            return ""
        unmet = self._violation(body.check, tree[Place.BODY][""])
        return f"its body {unmet} the schema of the document" if unmet else ""

    def announced_fault(self, tool: ToolSpec, values: Mapping[str, Json]) -> str:
        """Why a tool would not take the arguments, in words, or `""`."""
        announced = jsonschema_rs.Draft202012Validator(tool.input_schema)
        error = next(announced.iter_errors(dict(values)), None)
        return (
            ""
            if error is None
            else f"its arguments are not what is announced: {error.message[:160]}"
        )

    def _violation(self, check: Json, value: Json) -> str:
        """Returns the violation in words, or `""`. Cached: neighboring operations validate
        equal values."""
        key = json.dumps((check, value))
        if key not in self._verdicts:
            if len(self._verdicts) >= _MAX_CACHED:
                self._verdicts.clear()
            self._verdicts[key] = self._verdict(check, value)
        return self._verdicts[key]

    def _verdict(self, check: Json, value: Json) -> str:
        needed = self._met.by(value, check)
        if needed is None:
            return "leads to more questions than can be asked by"
        whole = {**check, "$defs": needed}
        meets = jsonschema_rs.Draft202012Validator(whole).is_valid(value)
        return "" if meets else "does not meet"


def _cannot_be_told_apart(argument: ArgumentSpec, placed: Mapping[str, Json]) -> bool:
    if argument.content or not argument.target:
        return False
    value = placed.get(argument.target[0])
    style, explode, reserved = argument.style, argument.explode, argument.allow_reserved
    if argument.rows and isinstance(value, list):
        if any(not row or is_ambiguous(argument.place, argument.rows, False, row) for row in value):
            return True
        value = [member for row in value for member in row]
    return is_ambiguous(argument.place, style, explode, value, reserved)


def _is_empty_parameter(argument: ArgumentSpec, placed: Mapping[str, Json]) -> bool:
    """True if a parameter serializes to nothing: an empty list, object or text."""
    if argument.content or len(argument.target) != 1 or argument.target[0] not in placed:
        return False
    value = placed[argument.target[0]]
    if argument.place is Place.QUERY and not argument.required:
        return False
    if argument.place not in (Place.PATH, Place.QUERY, Place.HEADER, Place.COOKIE):
        return False
    if value is None:
        return argument.place is Place.QUERY
    members = value.values() if isinstance(value, dict) else value
    return isinstance(value, dict | list) and all(member is None for member in members)


def wire_fault(sent: ExpectedRequest, path: str) -> str:
    """Returns why a request cannot travel over HTTP unchanged, or `""`."""
    for name, value in {**sent.headers, **sent.cookies}.items():
        if not _HEADER.fullmatch(value):
            return f"the value of `{name}` holds characters that headers cannot carry"
    segments = sent.target.partition("?")[0].split("/")
    if any(segment in (".", "..") for segment in segments):
        return "its path holds a dot segment"
    empty = segments.count("") > path.partition("?")[0].split("/").count("")
    return "its path holds an empty segment" if empty else ""
