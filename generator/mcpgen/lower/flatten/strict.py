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

MOST_VALUES = 1_000
"""Most enumerated values of a tool that hosts accept."""


def within_limit(tool: ToolSpec, diagnostics: Diagnostics) -> ToolSpec:
    """Returns the tool with at most `MOST_VALUES` announced values.

    The largest enumerations are checked by the server instead; their first values stand in the
    descriptions.
    """
    dropped = beyond_limit([argument for argument in tool.accepted if not argument.fills])
    if not dropped:
        return tool
    for name in dropped:
        diagnostics.add(codes.UNANNOUNCED_VALUES, tool.at, name=name, operation=tool.name)
    arguments = tuple(_unlisted(one) if one.name in dropped else one for one in tool.arguments)
    return replace(tool, arguments=arguments)


def values(argument: ArgumentSpec) -> list[str]:
    """Returns the enumerated values of an argument or of its items."""
    items = argument.schema.get("items")
    of_items = items.get("enum", []) if isinstance(items, dict) else []
    found: list[str] = argument.schema.get("enum") or of_items
    return found


def beyond_limit(arguments: Sequence[ArgumentSpec], dropped: Sequence[str] = ()) -> list[str]:
    """Returns the names of arguments to drop enumerations from: `dropped`, then the largest."""
    sizes = {one.name: len(values(one)) for one in arguments}
    found = list(dropped)
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if sum(size for one, size in sizes.items() if one not in found) <= MOST_VALUES:
            break
        if name not in found:
            found.append(name)
    return found


def assertion_schema(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Returns the flat schema without annotations."""
    told = ("description", "default", "format", "contentEncoding")
    made = {keyword: value for keyword, value in schema.items() if keyword not in told}
    if isinstance(made.get("items"), dict):
        made["items"] = assertion_schema(made["items"])
    return made


def _unlisted(argument: ArgumentSpec) -> ArgumentSpec:
    """Returns the argument with its enumeration checked but not announced."""
    schema = {keyword: value for keyword, value in argument.schema.items() if keyword != "enum"}
    if isinstance(schema.get("items"), dict):
        schema["items"] = {key: each for key, each in schema["items"].items() if key != "enum"}
    check = assertion_schema(argument.schema) if argument.check is None else argument.check
    return replace(argument, schema=schema, check=check)


_KEPT = {
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
_FORMATS = {
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

_LOOKING_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
_MOST_PROPERTIES = 5_000
_LONG = 250
_MOST_LONG_CHARACTERS = 15_000
_MOST_CHARACTERS = 120_000


def strict(tool: ToolSpec, diagnostics: Diagnostics) -> ToolSpec:
    """Returns the tool in strict mode; scenarios pass null for absent arguments."""
    dropped = _too_many(tool.accepted)
    for name in dropped:
        diagnostics.add(codes.UNANNOUNCED_VALUES, tool.at, name=name, operation=tool.name)
    arguments = tuple(
        one if one.hidden else _argument(one, one.name in dropped) for one in tool.arguments
    )
    names = [argument.name for argument in arguments if not argument.hidden]
    if tool.page and tool.page.cursor:
        names.append(tool.page.cursor)
    made = replace(
        tool,
        strict=True,
        arguments=arguments,
        scenarios=tuple(
            replace(one, arguments={name: one.arguments.get(name) for name in names})
            for one in tool.scenarios
        ),
    )
    if reason := _excess(made):
        diagnostics.add(codes.NOT_STRICT, tool.at, operation=tool.name, reason=reason)
    return made


def _argument(argument: ArgumentSpec, without_values: bool) -> ArgumentSpec:
    schema = _strict_keywords(argument.schema, without_values)
    check = argument.check
    if check is None and argument.text is None and not argument.nulls:
        lost = {k for k, v in argument.schema.items() if k in _ASSERTING and schema.get(k) != v}
        # What a host's items cannot say is a matter of the flat schema that had it.
        if lost - {"items"} or _asserts_more(argument.schema.get("items"), schema.get("items")):
            check = assertion_schema(argument.schema)
    if not argument.required:
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    return replace(argument, schema=schema, check=check)


def _strict_keywords(schema: Mapping[str, Json], without_values: bool) -> dict[str, Json]:
    """Returns the keywords that strict mode supports."""
    made = {keyword: value for keyword, value in schema.items() if keyword in _KEPT}
    if made.get("format") not in _FORMATS:
        made.pop("format", None)
    if any(sign in made.get("pattern", "") for sign in _LOOKING_AROUND):
        del made["pattern"]
    if without_values:
        made.pop("enum", None)
    if "items" in made:
        made["items"] = _strict_keywords(made["items"], without_values)
    return made


def _asserts_more(flat: Json, known: Json) -> bool:
    return any(flat.get(key) != known.get(key) for key in _ASSERTING) if flat else False


def _too_many(arguments: tuple[ArgumentSpec, ...]) -> list[str]:
    """Returns the names of arguments with too long enumerations, then of the largest ones."""
    too_long = [
        one.name
        for one in arguments
        if len(values(one)) > _LONG and sum(map(len, values(one))) > _MOST_LONG_CHARACTERS
    ]
    return beyond_limit(arguments, too_long)


def _excess(tool: ToolSpec) -> str:
    """Returns the exceeded limit of strict mode in words, or `""`."""
    count = len(tool.accepted)
    if count > _MOST_PROPERTIES:
        return f"it has {count} arguments, {_MOST_PROPERTIES} are allowed"
    strings = sum(len(one.name) + sum(len(v or "") for v in values(one)) for one in tool.accepted)
    if strings > _MOST_CHARACTERS:
        return f"its names and values have {strings} characters, {_MOST_CHARACTERS} are allowed"
    return ""
