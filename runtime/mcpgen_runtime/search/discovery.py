"""Discovery mode: a tool that finds tools, a tool that describes them, and tools that call them.

A call through these tools is unwrapped before any rule of the policy sees the call, so a call is allowed,
counted and checked as if called directly. Reading and writing calls have separate tools, because hosts
ask for confirmation by tool and cannot look into the arguments."""

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

ANSWER_BYTES = 3000
"""Maximum bytes of an answer."""

_LINE = 240
"""Maximum characters of a tool's line."""

_GROUPS = 1200
"""Maximum characters of the list of groups."""


def format_results(tools: Iterable[Tool], count: int) -> str:
    """Lists tools, best first, with required arguments; `count` is the number of tools searched."""
    lines = [f"Best of {count} tools; `!` marks those that change something:"]
    size = len(lines[0].encode())
    for tool in tools:
        line = _catalog_line(tool)
        size += len(line.encode()) + 1
        if size > ANSWER_BYTES:
            break
        lines.append(line)
    return "\n".join(lines)


def format_no_results(
    head: str, matches: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> str:
    """The answer to a search without results: near matches and the available groups."""
    hint = f" Did you mean {', '.join(f'`{name}`' for name in matches)}?" if matches else ""
    return f"{head}{hint}\n{groups_line(groups)}" if groups else f"{head}{hint}"


def groups_line(groups: Mapping[str, Sequence[str]]) -> str:
    """All groups with the number of tools; the largest first if the list must be shortened."""
    entries = [f"{group} ({len(names)})" for group, names in groups.items()]
    if len(", ".join(entries)) > _GROUPS:
        largest = sorted(groups, key=lambda group: -len(groups[group]))
        entries = [f"{group} ({len(groups[group])})" for group in largest]
    parts, size = [], 0
    for entry in entries:
        size += len(entry) + 2
        if size > _GROUPS:
            parts.append("…")
            break
        parts.append(entry)
    return f"Groups: {', '.join(parts)}"


def _catalog_line(tool: Tool) -> str:
    needed = ", ".join(argument.name for argument in tool.arguments if argument.required)
    mark = "" if tool.hints.read_only else "!"
    line = f"- {tool.name}({needed}){mark}: {tool.title or tool.description}"
    return line if len(line) <= _LINE else f"{line[:_LINE - 1].rstrip()}…"


_MAX_TOOLS = 10
"""Maximum number of tools in an answer."""

_QUESTION = 400
"""Maximum characters of a question; the rest is ignored."""


class Discovery(ToolView):
    """Lists a few tools in place of `tools`. `groups` maps tags to tool names, `about` maps tags to
    descriptions; `pinned` tools are listed unchanged. `reading` or `writing` is None if no tool
    would need it."""

    def __init__(
        self,
        tools: Sequence[Tool],
        groups: Mapping[str, Sequence[str]],
        *,
        search: Tool,
        describe: Tool,
        reading: Tool | None = None,
        writing: Tool | None = None,
        about: Mapping[str, str] = MappingProxyType({}),
        pinned: Sequence[str] = (),
    ) -> None:
        self._tools_by_name = {tool.name: tool for tool in tools}
        self._numbered = tuple(tools)
        self._groups, self._about = groups, about
        self._find, self._describe = search, describe
        self._reading, self._writing = reading, writing
        self._pinned = frozenset(pinned)
        self.tools = tuple(tool for tool in (search, describe, reading, writing) if tool)
        self._search: ToolSearch | None = None
        self._index_lock = Lock()

    def list_tools(self, tools: Sequence[Tool]) -> Sequence[Tool]:
        """The discovery tools and the pinned tools."""
        return [*self.tools, *(tool for tool in tools if tool.name in self._pinned)]

    def resolve_call(
        self, name: str, arguments: Mapping[str, Json], is_known: Callable[[str], bool]
    ) -> tuple[str, Mapping[str, Json]]:
        """Unwraps a call of a calling tool. A call that cannot be unwrapped is left for `answer` to
        explain, with object arguments converted to text."""
        caller = self._caller(name)
        if caller is None:
            return name, arguments
        tool = self._tools_by_name.get(str(arguments.get("name")))
        wrapped = _wrapped_arguments(arguments)
        is_complete = isinstance(wrapped, dict) and arguments.keys() <= {"name", "arguments"}
        if tool and is_complete and self.caller_of(tool) is caller and is_known(tool.name):
            return tool.name, wrapped
        if isinstance(arguments.get("arguments"), dict):
            return name, {**arguments, "arguments": json.dumps(arguments["arguments"])}
        return name, arguments

    async def answer(self, call: Call, server: ServerContext) -> Result:
        """The result of a search or description; for the calling tools, the reason why the call was
        not made."""
        tools = server.visible_tools(call.caller)
        if call.tool is self._find:
            return await self._find_tools(call.arguments, tools)
        name = str(call.arguments["name"])
        tool = next((tool for tool in tools if tool.name == name), None)
        if tool is None and name not in self._tools_by_name and server.find_tool(call.caller, name):
            return Result.error(f"`{name}` is in the list of tools itself; call it by its name.")
        if tool is None:
            return Result.error(await self._unknown_tool_message(name, tools))
        if call.tool is self._describe:
            return Result.json({**tool_entry(tool), "callWith": self.caller_of(tool).name})
        return Result.error(self._rejection_message(call, tool))

    def _caller(self, name: str) -> Tool | None:
        """The calling tool of a name, or None."""
        callers = (self._reading, self._writing)
        return next((caller for caller in callers if caller and caller.name == name), None)

    def caller_of(self, tool: Tool) -> Tool:
        """The calling tool for a tool: `reading` for read-only tools, otherwise `writing`."""
        caller = self._reading if tool.hints.read_only else self._writing
        if caller is None:
            raise ValueError(f"nothing is declared that calls `{tool.name}`")
        return caller

    async def _find_tools(self, arguments: Mapping[str, Json], tools: Sequence[Tool]) -> Result:
        """The best tools for a question, within a group if `tag` is given."""
        question, tag = arguments["query"][:_QUESTION], arguments.get("tag", "")
        names = {tool.name for tool in tools}
        if tag:
            groups = self._visible_groups(names)
            group = next((name for name in groups if name.lower() == tag.lower()), None)
            if group is None:
                near = get_close_matches(tag, groups, 3)
                return Result.error(
                    format_no_results(f"There is no group `{tag[:80]}`.", near, groups)
                )
            names = set(groups[group])
        search = await self._index()
        best = search.best(question, _MAX_TOOLS, lambda n: self._numbered[n].name in names)
        if not best and tag:
            best = [n for n, tool in enumerate(self._numbered) if tool.name in names][:_MAX_TOOLS]
        if not best:
            groups = self._visible_groups(names)
            return Result.text(format_no_results("No tool fits these words.", (), groups))
        return Result.text(format_results([self._numbered[number] for number in best], len(names)))

    def _visible_groups(self, names: Collection[str]) -> dict[str, list[str]]:
        """The groups reduced to visible tools; empty groups are left out."""
        groups = {
            group: [name for name in members if name in names]
            for group, members in self._groups.items()
        }
        return {group: members for group, members in groups.items() if members}

    async def _unknown_tool_message(self, name: str, tools: Sequence[Tool]) -> str:
        """The message for an unknown name, with similar names and tools of similar meaning."""
        names = {tool.name for tool in tools}
        alike = get_close_matches(name, sorted(names), 3)
        search = await self._index()
        best = search.best(name[:_QUESTION], 5, lambda n: self._numbered[n].name in names)
        near = list(dict.fromkeys([*alike, *(self._numbered[n].name for n in best)]))[:5]
        head = f"There is no tool `{name[:80]}`"
        if not near:
            return f"{head}; ask `{self._find.name}`."
        return bullet_list(f"{head}; nearest are:", near)

    def _rejection_message(self, call: Call, tool: Tool) -> str:
        """The reason why an existing tool was not called."""
        caller = self.caller_of(tool)
        head = f"`{tool.name}` was not called, and nothing was sent: "
        if caller is not call.tool:
            does = "only reads" if tool.hints.read_only else "changes something"
            return f"{head}it {does}; call it with `{caller.name}`."
        try:
            _parse_strict_json(call.arguments.get("arguments", ""))
        except ValueError as fault:
            return f"{head}`arguments` is no JSON: {fault}"[:500]
        return f'{head}`arguments` must be a JSON object, such as {{"id": 1}}.'

    async def _index(self) -> ToolSearch:
        """The index, built in a thread on first use, so that other calls do not wait."""
        if self._search is None:
            return await asyncio.to_thread(self._get_or_build_index)
        return self._search

    def _get_or_build_index(self) -> ToolSearch:
        """The index, built once under a lock."""
        with self._index_lock:
            if self._search is None:
                self._search = self._build_index()
            return self._search

    def _build_index(self) -> ToolSearch:
        tags: dict[str, list[str]] = {}
        for tag, names in self._groups.items():
            for name in names:
                tags.setdefault(name, []).append(tag)
        return ToolSearch(
            _search_entry(tool, tuple(tags.get(tool.name, ())), self._about)
            for tool in self._numbered
        )


def _search_entry(tool: Tool, tags: tuple[str, ...], about: Mapping[str, str]) -> SearchEntry:
    return SearchEntry(
        tool.name,
        tool.title,
        tool.description,
        tool.route.method if tool.route else "",
        tool.route.path if tool.route else "",
        tags,
        tuple(_describe_argument(argument.name, argument.schema) for argument in tool.arguments),
        " ".join(about.get(tag, "") for tag in tags),
    )


def _describe_argument(name: str, schema: Mapping[str, Json]) -> str:
    """Name, description and enum values of an argument."""
    values = " ".join(str(value) for value in schema.get("enum", ()))
    return f"{name} {schema.get('description', '')} {values}"


def _wrapped_arguments(arguments: Mapping[str, Json]) -> Json:
    """The arguments for the wrapped tool: an object or JSON text of an object; `{}` if absent or
    null, None for invalid JSON."""
    wrapped = arguments.get("arguments")
    if wrapped is None:
        return {}
    if not isinstance(wrapped, str):
        return wrapped
    try:
        return _parse_strict_json(wrapped)
    except ValueError:
        return None


def _parse_strict_json(text: str) -> Json:
    """Parses JSON; an empty text is `{}`. Raises `ValueError` for NaN, infinity and too deep
    nesting."""
    try:
        return loads(text or "{}", parse_constant=_refused)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refused(constant: str) -> Json:
    raise ValueError(f"{constant} is no number of JSON")
