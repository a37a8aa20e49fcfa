"""The limit that hosts set to the enumerated values of a tool.

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
"""The most values that hosts take in the enumerations of a tool."""


def within_limit(tool: ToolSpec, diagnostics: Diagnostics) -> ToolSpec:
    """The tool with at most `MOST_VALUES` announced; the server checks the values of the largest
    enumerations instead, whose first values stand in the descriptions."""
    dropped = beyond_limit([argument for argument in tool.accepted if not argument.fills])
    if not dropped:
        return tool
    for name in dropped:
        diagnostics.add(codes.UNANNOUNCED_VALUES, tool.at, name=name, operation=tool.name)
    arguments = tuple(_unlisted(one) if one.name in dropped else one for one in tool.arguments)
    return replace(tool, arguments=arguments)


def values(argument: ArgumentSpec) -> list[str]:
    """The enumerated values of an argument, or of each of a list."""
    items = argument.schema.get("items")
    of_items = items.get("enum", []) if isinstance(items, dict) else []
    found: list[str] = argument.schema.get("enum") or of_items
    return found


def beyond_limit(arguments: Sequence[ArgumentSpec], dropped: Sequence[str] = ()) -> list[str]:
    """The names of the arguments whose values are too many beside the others: those `dropped` already,
    then the largest ones."""
    sizes = {one.name: len(values(one)) for one in arguments}
    found = list(dropped)
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if sum(size for one, size in sizes.items() if one not in found) <= MOST_VALUES:
            break
        if name not in found:
            found.append(name)
    return found


def assertion_schema(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The flat schema as the server checks it: without what only tells."""
    told = ("description", "default", "format", "contentEncoding")
    made = {keyword: value for keyword, value in schema.items() if keyword not in told}
    if isinstance(made.get("items"), dict):
        made["items"] = assertion_schema(made["items"])
    return made


def _unlisted(argument: ArgumentSpec) -> ArgumentSpec:
    """The argument whose values are checked and not announced."""
    schema = {keyword: value for keyword, value in argument.schema.items() if keyword != "enum"}
    if isinstance(schema.get("items"), dict):
        schema["items"] = {key: each for key, each in schema["items"].items() if key != "enum"}
    check = assertion_schema(argument.schema) if argument.check is None else argument.check
    return replace(argument, schema=schema, check=check)
