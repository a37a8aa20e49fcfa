"""Limits of hosts on enumerations, and mode `strict`: all arguments required, null for absent
values.

Source: https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.server import ArgumentSpec, ToolSpec
from mcpgen.ir.source import Json

MAX_VALUES = 1_000
"""Enumerated values of a tool that every host accepts; OpenAI's structured outputs refuse more."""


def limit_enumerations(tool: ToolSpec, diagnostics: Diagnostics) -> ToolSpec:
    """Returns the tool with at most `MAX_VALUES` announced values.

    The largest enumerations are checked by the server instead; their first values stand in the
    descriptions.
    """
    dropped = oversized_enumerations(
        [argument for argument in tool.announced_arguments if not argument.named_targets]
    )
    if not dropped:
        return tool
    for name in dropped:
        diagnostics.add(codes.UNANNOUNCED_VALUES, tool.at, name=name, operation=tool.name)
    arguments = tuple(
        _without_enumeration(argument) if argument.name in dropped else argument
        for argument in tool.arguments
    )
    return replace(tool, arguments=arguments)


def values(argument: ArgumentSpec) -> list[str]:
    """Returns the enumerated values of an argument or of its items as texts; `[]` without an
    enumeration."""
    items = argument.schema.get("items")
    of_items = items.get("enum", []) if isinstance(items, dict) else []
    enumerated: list[str] = argument.schema.get("enum") or of_items
    return enumerated


def oversized_enumerations(
    arguments: Sequence[ArgumentSpec], dropped: Sequence[str] = ()
) -> list[str]:
    """Returns the names of arguments to drop enumerations from: `dropped`, then the largest."""
    sizes = {argument.name: len(values(argument)) for argument in arguments}
    names = list(dropped)
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if sum(size for name, size in sizes.items() if name not in names) <= MAX_VALUES:
            break
        if name not in names:
            names.append(name)
    return names


def assertion_schema(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Returns the flat schema without annotations: no `description`, `default`, `format` and
    `contentEncoding`."""
    annotations = ("description", "default", "format", "contentEncoding")
    assertion = {keyword: value for keyword, value in schema.items() if keyword not in annotations}
    if isinstance(assertion.get("items"), dict):
        assertion["items"] = assertion_schema(assertion["items"])
    return assertion


def _without_enumeration(argument: ArgumentSpec) -> ArgumentSpec:
    """Returns the argument with its enumeration checked but not announced."""
    schema = {keyword: value for keyword, value in argument.schema.items() if keyword != "enum"}
    if isinstance(schema.get("items"), dict):
        schema["items"] = {key: value for key, value in schema["items"].items() if key != "enum"}
    check = assertion_schema(argument.schema) if argument.check is None else argument.check
    return replace(argument, schema=schema, check=check)


_SUPPORTED_KEYWORDS = {
    "type",
    "description",
    "enum",
    "pattern",
    "format",
    "items",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
}
_SUPPORTED_FORMATS = {
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
}
_ASSERTING = {"minLength", "maxLength", "uniqueItems", "pattern", "enum", "items"}
"""Keywords that the server checks where strict mode cannot express them."""

_LOOK_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
"""Parts of patterns that strict mode refuses."""

# Limits of strict mode, from the page at the top of this module.
_MAX_PROPERTIES = 5_000
_MAX_CHARACTERS = 120_000  # Of all property names and enumerated values
_LONG_ENUMERATION = 250  # Values above which the characters of one enumeration are limited
_MAX_ENUMERATION_CHARACTERS = 15_000


def to_strict(tool: ToolSpec, diagnostics: Diagnostics) -> ToolSpec:
    """Returns the tool in strict mode; scenarios pass null for absent arguments. Adds
    UNANNOUNCED_VALUES and NOT_STRICT."""
    dropped = _oversized_names(tool.announced_arguments)
    for name in dropped:
        diagnostics.add(codes.UNANNOUNCED_VALUES, tool.at, name=name, operation=tool.name)
    arguments = tuple(
        argument if argument.hidden else _strict_argument(argument, argument.name in dropped)
        for argument in tool.arguments
    )
    names = [argument.name for argument in arguments if not argument.hidden]
    if tool.page and tool.page.cursor:
        names.append(tool.page.cursor)
    strict_tool = replace(
        tool,
        strict=True,
        arguments=arguments,
        scenarios=tuple(
            replace(scenario, arguments={name: scenario.arguments.get(name) for name in names})
            for scenario in tool.scenarios
        ),
    )
    if reason := _excess(strict_tool):
        diagnostics.add(codes.NOT_STRICT, tool.at, operation=tool.name, reason=reason)
    return strict_tool


def _strict_argument(argument: ArgumentSpec, without_values: bool) -> ArgumentSpec:
    schema = _strict_keywords(argument.schema, without_values)
    check = argument.check
    if check is None and argument.text is None and not argument.nulls:
        lost = {k for k, v in argument.schema.items() if k in _ASSERTING and schema.get(k) != v}
        # Constraints lost in the items come from the flat schema, so the flat schema is checked.
        if lost - {"items"} or _asserts_more(argument.schema.get("items"), schema.get("items")):
            check = assertion_schema(argument.schema)
    if not argument.required:
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    return replace(argument, schema=schema, check=check)


def _strict_keywords(schema: Mapping[str, Json], without_values: bool) -> dict[str, Json]:
    """Returns the keywords that strict mode supports."""
    supported = {
        keyword: value for keyword, value in schema.items() if keyword in _SUPPORTED_KEYWORDS
    }
    if supported.get("format") not in _SUPPORTED_FORMATS:
        supported.pop("format", None)
    if any(sign in supported.get("pattern", "") for sign in _LOOK_AROUND):
        del supported["pattern"]
    if without_values:
        supported.pop("enum", None)
    if "items" in supported:
        supported["items"] = _strict_keywords(supported["items"], without_values)
    return supported


def _asserts_more(flat: Json, supported: Json) -> bool:
    return any(flat.get(key) != supported.get(key) for key in _ASSERTING) if flat else False


def _oversized_names(arguments: tuple[ArgumentSpec, ...]) -> list[str]:
    """Returns the names of arguments with too long enumerations, then of the largest enumerations."""
    too_long = [
        argument.name
        for argument in arguments
        if len(values(argument)) > _LONG_ENUMERATION
        and sum(map(len, values(argument))) > _MAX_ENUMERATION_CHARACTERS
    ]
    return oversized_enumerations(arguments, too_long)


def _excess(tool: ToolSpec) -> str:
    """Returns the exceeded limit of strict mode in words, or `""`."""
    count = len(tool.announced_arguments)
    if count > _MAX_PROPERTIES:
        return f"it has {count} arguments, {_MAX_PROPERTIES} are allowed"
    strings = sum(
        len(argument.name) + sum(len(v or "") for v in values(argument))
        for argument in tool.announced_arguments
    )
    if strings > _MAX_CHARACTERS:
        return f"its names and values have {strings} characters, {_MAX_CHARACTERS} are allowed"
    return ""
