"""Which tools show their results in pages, and how large these are."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.config import Config
from mcpgen.ir.api import Operation
from mcpgen.ir.server import PageSpec, ToolSpec
from mcpgen.ir.source import Json
from mcpgen.lower.name_words import unique
from mcpgen.lower.overrides import choice_of

_CURSOR = "result_cursor"
_LONGEST = 64


def apply_pagination(tool: ToolSpec, operation: Operation, config: Config) -> ToolSpec:
    """The tool with the page that is configured for it or for all.

    Only a tool that reads has a handle to go on with: the call is made again for each page.
    """
    choice = choice_of(operation, config)
    most, items = config.results.limit_bytes, config.results.limit_items
    most = most if choice.limit_bytes is None else choice.limit_bytes
    items = items if choice.limit_items is None else choice.limit_items
    if not most and not items:
        return tool
    taken = {argument.name for argument in tool.arguments}
    cursor = unique(_CURSOR, _LONGEST, taken.__contains__) if tool.hints.read_only else ""
    return replace(tool, page=PageSpec(most, items, cursor), output=_loosened(tool.output))


def _loosened(schema: Json) -> Json:
    """The schema of a part of a result: lists may be shorter than the API makes them."""
    if isinstance(schema, list):
        return [_loosened(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: value for key, value in schema.items() if key != "minItems"}
    for key in ("items", "anyOf", "additionalProperties"):
        if key in made:
            made[key] = _loosened(made[key])
    if "properties" in made:
        made["properties"] = {name: _loosened(each) for name, each in made["properties"].items()}
    return made
