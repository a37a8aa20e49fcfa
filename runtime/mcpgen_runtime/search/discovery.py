"""Discovery mode: a tool that searches tools, a tool that describes a tool, and tools that call
tools.

A call through a calling tool is replaced by the call of the named tool before any rule of the
policy sees the call, so the call is allowed, counted and checked like a direct call. Reading and
writing have separate calling tools, because hosts ask the user for confirmation by tool, not by
argument."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from threading import Lock
from types import MappingProxyType

from ..hooks import Call
from ..result import Result, bullet_list
from ..server.feature import ServerContext, ToolView
from ..server.tool_registry import tool_entry
from ..tool import Json, Tool
from ..validation.nesting import loads
from .index import SearchEntry, ToolSearch

MAX_RESULTS_BYTES = 3000
"""Maximum bytes of a list of search results."""

_MAX_LINE_CHARACTERS = 240
"""Maximum characters of the line of a tool in a list of search results."""

_MAX_GROUPS_CHARACTERS = 1200
"""Maximum characters of a list of groups."""

_MAX_RESULTS = 10
"""Maximum number of tools in a list of search results."""

_MAX_SUGGESTIONS = 5
"""Maximum number of tools suggested in place of an unknown tool."""

_MAX_QUERY_CHARACTERS = 400
"""Maximum characters of a query; the rest is ignored."""


def _format_results(tools: Iterable[Tool], count: int) -> str:
    """Lists tools, best first, as many as fit; `count` is the number of tools searched."""
    lines = [f"Best of {count} tools; `!` marks those that change something:"]
    size = len(lines[0].encode())
    for tool in tools:
        line = _result_line(tool)
        size += len(line.encode()) + 1
        if size > MAX_RESULTS_BYTES:
            break
        lines.append(line)
    return "\n".join(lines)


def _result_line(tool: Tool) -> str:
    """A tool with the required arguments, `!` if the tool may change something, and the title."""
    required = ", ".join(argument.name for argument in tool.arguments if argument.required)
    mark = "" if tool.hints.read_only else "!"
    line = f"- {tool.name}({required}){mark}: {tool.title or tool.description}"
    if len(line) <= _MAX_LINE_CHARACTERS:
        return line
    return f"{line[:_MAX_LINE_CHARACTERS - 1].rstrip()}…"


def _format_no_results(
    head: str, similar: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> str:
    """A message with names of `similar` groups and the list of all groups."""
    hint = f" Did you mean {', '.join(f'`{name}`' for name in similar)}?" if similar else ""
    return f"{head}{hint}\n{_groups_line(groups)}" if groups else f"{head}{hint}"


def _groups_line(groups: Mapping[str, Sequence[str]]) -> str:
    """The groups with the number of tools. A list that is too long has the largest groups first and
    ends with `…`."""
    entries = [f"{group} ({len(names)})" for group, names in groups.items()]
    if len(", ".join(entries)) > _MAX_GROUPS_CHARACTERS:
        largest = sorted(groups, key=lambda group: -len(groups[group]))
        entries = [f"{group} ({len(groups[group])})" for group in largest]
    parts, size = [], 0
    for entry in entries:
        size += len(entry) + 2
        if size > _MAX_GROUPS_CHARACTERS:
            parts.append("…")
            break
        parts.append(entry)
    return f"Groups: {', '.join(parts)}"


class Discovery(ToolView):
    """Lists the discovery tools in place of `tools`; `pinned` tools stay listed. `search`,
    `describe`, `reading` and `writing` are the discovery tools: `reading` calls read-only tools,
    `writing` calls the other tools, and each is None if there is no such tool to call. A group has
    the tools of a tag: `groups` are names of tools by tag, and `tag_descriptions` the descriptions
    of tags."""

    def __init__(
        self,
        tools: Sequence[Tool],
        groups: Mapping[str, Sequence[str]],
        *,
        search: Tool,
        describe: Tool,
        reading: Tool | None = None,
        writing: Tool | None = None,
        tag_descriptions: Mapping[str, str] = MappingProxyType({}),
        pinned: Sequence[str] = (),
    ) -> None:
        self._tools_by_name = {tool.name: tool for tool in tools}
        self._indexed_tools = tuple(tools)
        self._groups, self._tag_descriptions = groups, tag_descriptions
        self._search_tool, self._describe_tool = search, describe
        self._reading_tool, self._writing_tool = reading, writing
        self._pinned = frozenset(pinned)
        self.tools = tuple(tool for tool in (search, describe, reading, writing) if tool)
        self._index: ToolSearch | None = None
        self._index_lock = Lock()

    def list_tools(self, tools: Sequence[Tool]) -> Sequence[Tool]:
        """The discovery tools and the pinned tools."""
        return [*self.tools, *(tool for tool in tools if tool.name in self._pinned)]

    def resolve_call(
        self, name: str, arguments: Mapping[str, Json], is_known: Callable[[str], bool]
    ) -> tuple[str, Mapping[str, Json]]:
        """The name and arguments of the call that a calling tool has to make. Other calls are
        unchanged. For a call that cannot be made, `answer` returns the reason."""
        calling_tool = self._calling_tool_named(name)
        if calling_tool is None:
            return name, arguments
        tool = self._tools_by_name.get(str(arguments.get("name")))
        tool_arguments = _tool_arguments(arguments)
        is_valid = isinstance(tool_arguments, dict) and arguments.keys() <= {"name", "arguments"}
        if tool and is_valid and self.calling_tool(tool) is calling_tool and is_known(tool.name):
            return tool.name, tool_arguments
        if isinstance(arguments.get("arguments"), dict):
            # The schema only accepts text: validation would reject an object before `answer` can
            # give the reason.
            return name, {**arguments, "arguments": json.dumps(arguments["arguments"])}
        return name, arguments

    async def answer(self, call: Call, server: ServerContext) -> Result:
        """The result of a search or description; for a calling tool, the reason why the call was
        not made."""
        tools = server.visible_tools(call.caller)
        if call.tool is self._search_tool:
            return await self._find_tools(call.arguments, tools)
        name = str(call.arguments["name"])
        tool = next((tool for tool in tools if tool.name == name), None)
        if tool is None and name not in self._tools_by_name and server.find_tool(call.caller, name):
            # A discovery tool, or a tool of another feature such as the script tool.
            return Result.error(f"`{name}` is in the list of tools itself; call it by its name.")
        if tool is None:
            return Result.error(await self._unknown_tool_message(name, tools))
        if call.tool is self._describe_tool:
            return Result.json({**tool_entry(tool), "callWith": self.calling_tool(tool).name})
        return Result.error(self._rejection_message(call, tool))

    def _calling_tool_named(self, name: str) -> Tool | None:
        """The calling tool of a name, None for other tools."""
        calling_tools = (self._reading_tool, self._writing_tool)
        return next((tool for tool in calling_tools if tool and tool.name == name), None)

    def calling_tool(self, tool: Tool) -> Tool:
        """The calling tool that calls `tool`. Raises `ValueError` if the project declares none."""
        calling_tool = self._reading_tool if tool.hints.read_only else self._writing_tool
        if calling_tool is None:
            raise ValueError(f"nothing is declared that calls `{tool.name}`")
        return calling_tool

    async def _find_tools(self, arguments: Mapping[str, Json], tools: Sequence[Tool]) -> Result:
        """The best of the visible `tools` for a query, within a group if `tag` is given."""
        query, tag = arguments["query"][:_MAX_QUERY_CHARACTERS], arguments.get("tag", "")
        names = {tool.name for tool in tools}
        if tag:
            groups = self._visible_groups(names)
            group = next((name for name in groups if name.lower() == tag.lower()), None)
            if group is None:
                similar = get_close_matches(tag, groups, 3)
                return Result.error(
                    _format_no_results(f"There is no group `{tag[:80]}`.", similar, groups)
                )
            names = set(groups[group])
        best = await self._best(query, _MAX_RESULTS, names)
        if not best and tag:
            # No tool of the group matches: any tools of the group help more than an empty list.
            best = [tool for tool in self._indexed_tools if tool.name in names][:_MAX_RESULTS]
        if not best:
            groups = self._visible_groups(names)
            return Result.text(_format_no_results("No tool fits these words.", (), groups))
        return Result.text(_format_results(best, len(names)))

    async def _best(self, query: str, limit: int, names: Collection[str]) -> list[Tool]:
        """The best of the named tools for a query."""
        index = await self._get_index()
        numbers = index.best(query, limit, lambda n: self._indexed_tools[n].name in names)
        return [self._indexed_tools[number] for number in numbers]

    def _visible_groups(self, names: Collection[str]) -> dict[str, list[str]]:
        """The groups reduced to visible tools; empty groups are left out."""
        groups = {
            group: [name for name in members if name in names]
            for group, members in self._groups.items()
        }
        return {group: members for group, members in groups.items() if members}

    async def _unknown_tool_message(self, name: str, tools: Sequence[Tool]) -> str:
        """The message for an unknown tool: tools with similar names, and tools found by the
        name."""
        names = {tool.name for tool in tools}
        similar = get_close_matches(name, sorted(names), 3)
        best = await self._best(name[:_MAX_QUERY_CHARACTERS], _MAX_SUGGESTIONS, names)
        suggestions = list(dict.fromkeys([*similar, *(tool.name for tool in best)]))
        head = f"There is no tool `{name[:80]}`"
        if not suggestions:
            return f"{head}; ask `{self._search_tool.name}`."
        return bullet_list(f"{head}; nearest are:", suggestions[:_MAX_SUGGESTIONS])

    def _rejection_message(self, call: Call, tool: Tool) -> str:
        """The reason why a calling tool did not call a visible tool."""
        calling_tool = self.calling_tool(tool)
        head = f"`{tool.name}` was not called, and nothing was sent: "
        if calling_tool is not call.tool:
            effect = "only reads" if tool.hints.read_only else "changes something"
            return f"{head}it {effect}; call it with `{calling_tool.name}`."
        try:
            _parse_strict_json(call.arguments.get("arguments", ""))
        except ValueError as fault:
            return f"{head}`arguments` is no JSON: {fault}"[:500]
        return f'{head}`arguments` must be a JSON object, such as {{"id": 1}}.'

    async def _get_index(self) -> ToolSearch:
        """The index, built in a thread on first use, so that other calls do not wait."""
        if self._index is None:
            return await asyncio.to_thread(self._get_or_build_index)
        return self._index

    def _get_or_build_index(self) -> ToolSearch:
        """The index. The lock keeps concurrent first searches from building the index twice."""
        with self._index_lock:
            if self._index is None:
                self._index = self._build_index()
            return self._index

    def _build_index(self) -> ToolSearch:
        tags: dict[str, list[str]] = {}
        for tag, names in self._groups.items():
            for name in names:
                tags.setdefault(name, []).append(tag)
        return ToolSearch(
            _search_entry(tool, tuple(tags.get(tool.name, ())), self._tag_descriptions)
            for tool in self._indexed_tools
        )


def _search_entry(
    tool: Tool, tags: tuple[str, ...], tag_descriptions: Mapping[str, str]
) -> SearchEntry:
    """The searched texts of a tool with its tags."""
    return SearchEntry(
        tool.name,
        tool.title,
        tool.description,
        tool.route.method if tool.route else "",
        tool.route.path if tool.route else "",
        tags,
        tuple(_argument_text(argument.name, argument.schema) for argument in tool.arguments),
        " ".join(tag_descriptions.get(tag, "") for tag in tags),
    )


def _argument_text(name: str, schema: Mapping[str, Json]) -> str:
    """Name, description and enum values of an argument."""
    values = " ".join(str(value) for value in schema.get("enum", ()))
    return f"{name} {schema.get('description', '')} {values}"


def _tool_arguments(arguments: Mapping[str, Json]) -> Json:
    """The member `arguments` of a call of a calling tool, text parsed as JSON: an object in a valid
    call, `{}` if absent or null, None for invalid JSON."""
    tool_arguments = arguments.get("arguments")
    if tool_arguments is None:
        return {}
    if not isinstance(tool_arguments, str):
        return tool_arguments
    try:
        return _parse_strict_json(tool_arguments)
    except ValueError:
        return None


def _parse_strict_json(text: str) -> Json:
    """Parses JSON; an empty text is `{}`. Raises `ValueError` for invalid JSON, NaN, infinity and
    too deep nesting."""
    try:
        return loads(text or "{}", parse_constant=_reject_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _reject_constant(constant: str) -> Json:
    raise ValueError(f"{constant} is no number of JSON")
