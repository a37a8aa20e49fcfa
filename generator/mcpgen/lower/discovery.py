"""Discovery mode: search, describe and call tools replace the list; the instructions index the
groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcpgen.config import Config, DiscoveryMode
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import ApiDescription, Operation
from mcpgen.ir.server import ArgumentSpec, DiscoverySpec, HintsSpec, ToolSpec
from mcpgen.lower.builtin_tools import (
    DESCRIBE,
    READING,
    SEARCH,
    WRITING,
    builtin_argument,
    builtin_tool,
)
from mcpgen.lower.descriptions import MAX_INSTRUCTIONS
from mcpgen.lower.sanitize_text import sanitize, truncate

_MAX_GROUP_NAME = 60
"""The most characters of a group's name."""

_MAX_ABOUT = 500
"""Characters of the API's description kept in the instructions."""

_GROUP_ABOUTS = (160, 100, 60, 0)
"""Characters of a group's description: first for the search index, then tried in the
instructions until all groups fit."""

_TOOLS: Mapping[str, tuple[str, str]] = {
    SEARCH: (
        "Search tools",
        "Finds tools by what they do, best first: each with the arguments it requires and a line "
        "about it. Ask in a few words, such as `close an issue`; ask again in other words if the "
        "right one is not there.",
    ),
    DESCRIBE: (
        "Describe a tool",
        "The whole definition of one tool: what it does, and the schema of its arguments.",
    ),
    READING: (
        "Call a tool that reads",
        "Calls a tool that only reads, with its own arguments. Tools that may change something are "
        "refused here.",
    ),
    WRITING: (
        "Call a tool that writes",
        "Calls a tool that may change something, with its own arguments. Tools that only read are "
        "refused here.",
    ),
}
"""Title and description of each discovery tool."""


def discovery(
    api: ApiDescription,
    operations: Sequence[Operation],
    tools: Sequence[ToolSpec],
    config: Config,
    diagnostics: Diagnostics,
) -> DiscoverySpec | None:
    """Returns the discovery tools, None if discovery mode is off. Adds UNMATCHED_PIN."""
    if config.finding.mode is DiscoveryMode.OFF:
        return None
    readers = [tool.hints for tool in tools if tool.hints.read_only]
    writers = [tool.hints for tool in tools if not tool.hints.read_only]
    groups = _tools_by_tag(operations, tools, diagnostics)
    return DiscoverySpec(
        search=_search_tool(api.at),
        describe=_discovery_tool(DESCRIBE, _INWARD, (_name_argument(api.at),), api.at),
        reading=_call_tool(READING, readers, api.at) if readers else None,
        writing=_call_tool(WRITING, writers, api.at) if writers else None,
        groups=groups,
        tag_descriptions=_describe_groups_of_api(api, groups, diagnostics),
        pinned=_pinned_tools(api, operations, tools, config, diagnostics),
    )


def build_index(
    instructions: str,
    spec: DiscoverySpec | None,
    tools: Sequence[ToolSpec],
    unlisted: frozenset[str],
) -> str:
    """Returns the instructions with a guide to discovery and an index of groups.

    All clients read the same text, so unlisted tools are not mentioned.
    """
    if spec is None:
        return instructions
    callers = " or ".join(f"`{caller.name}`" for caller in (spec.reading, spec.writing) if caller)
    count = "" if unlisted else f"{len(tools)} "
    how = (
        f"The {count}tools of this server are not listed one by one: find them with "
        f"`{SEARCH}`, read their arguments with `{DESCRIBE}`, call them with {callers}."
    )
    about = truncate(instructions, _MAX_ABOUT)
    groups = {
        group: listed
        for group, names in spec.groups.items()
        if (listed := tuple(name for name in names if name not in unlisted))
    }
    index = _group_index(
        groups, spec.tag_descriptions, MAX_INSTRUCTIONS - len(about) - len(how) - 2
    )
    return " ".join(part for part in (about, how, index) if part)


def _group_index(groups: Mapping[str, tuple[str, ...]], about: Mapping[str, str], room: int) -> str:
    """Returns the groups with tool counts and descriptions, as many as fit; the largest groups
    first if names alone are too long."""
    for most in _GROUP_ABOUTS if groups else ():
        lines = [
            f"{group} ({len(names)}){_describe_groups(about.get(group, ''), most)}"
            for group, names in groups.items()
        ]
        whole = f"Groups, for the argument `tag`: {'; '.join(lines)}."
        if len(whole) <= room:
            return whole
    sizes = sorted(groups.items(), key=lambda group: -len(group[1]))
    while sizes:
        sizes.pop()
        omitted = len(groups) - len(sizes)
        lines = [f"{group} ({len(names)})" for group, names in sizes]
        short = (
            f"The largest groups, for the argument `tag`: {'; '.join(lines)}; and {omitted} more."
        )
        if len(short) <= room:
            return short
    return ""


def _describe_groups(about: str, max_characters: int) -> str:
    return f": {truncate(about, max_characters).rstrip('.')}" if about and max_characters else ""


def _describe_groups_of_api(
    api: ApiDescription, groups: Mapping[str, tuple[str, ...]], diagnostics: Diagnostics
) -> dict[str, str]:
    """Returns one line about each group, without lines that only repeat the group's name."""
    about: dict[str, str] = {}
    for tag in api.tags:
        name = _group_name(tag.name, tag.at, diagnostics)
        text = truncate(
            sanitize(tag.description or tag.summary, tag.at, diagnostics), _GROUP_ABOUTS[0]
        )
        if name in groups and text and text.casefold().rstrip(".") != name.casefold():
            about[name] = text
    return about


def _group_name(tag: str, at: Location, diagnostics: Diagnostics) -> str:
    """The name of the group of a tag."""
    return truncate(sanitize(tag, at, diagnostics), _MAX_GROUP_NAME)


def _tools_by_tag(
    operations: Sequence[Operation], tools: Sequence[ToolSpec], diagnostics: Diagnostics
) -> dict[str, tuple[str, ...]]:
    """Returns the tool names of each tag, in document order."""
    tags = {operation.key: operation for operation in operations}
    groups: dict[str, dict[str, None]] = {}
    for tool in tools:
        operation = tags[tool.operation]
        for tag in operation.tags:
            if group := _group_name(tag, operation.at, diagnostics):
                groups.setdefault(group, {})[tool.name] = None
    return {group: tuple(names) for group, names in groups.items()}


def _pinned_tools(
    api: ApiDescription,
    operations: Sequence[Operation],
    tools: Sequence[ToolSpec],
    config: Config,
    diagnostics: Diagnostics,
) -> tuple[str, ...]:
    """Returns the tools that stay listed, in document order: configured ones, and connector
    tools, which ChatGPT expects in the list."""
    name_of = {tool.operation: tool.name for tool in tools}
    keys = {operation.id: operation.key for operation in operations if operation.id}
    names = {tool.name for tool in tools if tool.contract}
    for index, pin in enumerate(config.finding.pinned):
        name = name_of.get(keys.get(pin, pin))
        if name is None:
            hint = closest_match(pin, [*keys, *name_of]) or "see the operations of the document"
            at = config.at("discovery", "pinned", str(index)) or api.at
            diagnostics.add(codes.UNMATCHED_PIN, at, operation=pin, nearest=hint)
        else:
            names.add(name)
    return tuple(tool.name for tool in tools if tool.name in names)


_INWARD = HintsSpec(read_only=True, destructive=False, idempotent=True, open_world=False)
"""Hints of a tool that only reads the server's own data."""


def _search_tool(at: Location) -> ToolSpec:
    query = "What the tool should do, in a few words."
    tag = "Look among the tools of this group only."
    return _discovery_tool(
        SEARCH,
        _INWARD,
        (_discovery_argument("query", query, True, at), _discovery_argument("tag", tag, False, at)),
        at,
    )


def _call_tool(name: str, called: Sequence[HintsSpec], at: Location) -> ToolSpec:
    """Returns the tool that calls `called`; a hint holds if every called tool has the hint."""
    hints = HintsSpec(
        read_only=all(tool.read_only for tool in called),
        destructive=any(tool.destructive for tool in called),
        idempotent=all(tool.idempotent for tool in called),
        open_world=any(tool.open_world for tool in called),
        additive=any(tool.additive for tool in called)
        and not any(tool.changes_existing_data for tool in called),
    )
    text = 'The arguments of that tool as the JSON text of one object, such as `{"id": 7}`.'
    return _discovery_tool(
        name, hints, (_name_argument(at), _discovery_argument("arguments", text, False, at)), at
    )


def _name_argument(at: Location) -> ArgumentSpec:
    return _discovery_argument("name", f"The name of a tool, as `{SEARCH}` gives it.", True, at)


def _discovery_argument(name: str, description: str, required: bool, at: Location) -> ArgumentSpec:
    schema = {"type": "string", "description": description}
    return builtin_argument(name, schema, at, required=required)


def _discovery_tool(
    name: str, hints: HintsSpec, arguments: tuple[ArgumentSpec, ...], at: Location
) -> ToolSpec:
    return builtin_tool(name, *_TOOLS[name], hints, arguments, at)
