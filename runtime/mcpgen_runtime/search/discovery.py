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
from ..server.tool_list import tool_entry
from ..tool import Json, Tool
from ..validation.nesting import loads
from .index import SearchEntry, ToolSearch

ANSWER_BYTES = 3000
"""The most that an answer weighs."""

_LINE = 240
"""The most characters of the line of one tool."""

_GROUPS = 1200
"""The most characters of a list of groups."""


def format_results(tools: Iterable[Tool], count: int) -> str:
    """The tools, best first, with the arguments they need; `count` are those among which they were
    looked for."""
    lines = [f"Best of {count} tools; `!` marks those that change something:"]
    size = len(lines[0].encode())
    for tool in tools:
        line = _line(tool)
        size += len(line.encode()) + 1
        if size > ANSWER_BYTES:
            break
        lines.append(line)
    return "\n".join(lines)


def format_no_results(head: str, near: Sequence[str], groups: Mapping[str, Sequence[str]]) -> str:
    """What is said when nothing was found: what comes near, and which groups there are."""
    hint = f" Did you mean {', '.join(f'`{one}`' for one in near)}?" if near else ""
    return f"{head}{hint}\n{groups_line(groups)}" if groups else f"{head}{hint}"


def groups_line(groups: Mapping[str, Sequence[str]]) -> str:
    """All groups with the number of their tools, the largest first where not all find room."""
    said = [f"{group} ({len(names)})" for group, names in groups.items()]
    if len(", ".join(said)) > _GROUPS:
        largest = sorted(groups, key=lambda group: -len(groups[group]))
        said = [f"{group} ({len(groups[group])})" for group in largest]
    kept, size = [], 0
    for one in said:
        size += len(one) + 2
        if size > _GROUPS:
            kept.append("…")
            break
        kept.append(one)
    return f"Groups: {', '.join(kept)}"


def _line(tool: Tool) -> str:
    needed = ", ".join(argument.name for argument in tool.arguments if argument.required)
    mark = "" if tool.hints.read_only else "!"
    line = f"- {tool.name}({needed}){mark}: {tool.title or tool.description}"
    return line if len(line) <= _LINE else f"{line[:_LINE - 1].rstrip()}…"


_MOST = 10
"""How many tools an answer names."""

_QUESTION = 400
"""How many characters of a question are read."""


class Discovery(ToolView):
    """What stands for `tools`. `groups` are their names by tag, `about` is what is said of tags; those
    `pinned` are listed as they are. `reading` or `writing` is None where no tool would be called by
    it."""

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
        self._known = {tool.name: tool for tool in tools}
        self._numbered = tuple(tools)
        self._groups, self._about = groups, about
        self._find, self._describe = search, describe
        self._reading, self._writing = reading, writing
        self._pinned = frozenset(pinned)
        self.tools = tuple(tool for tool in (search, describe, reading, writing) if tool)
        self._search: ToolSearch | None = None
        self._making = Lock()

    def listed(self, shown: Sequence[Tool]) -> Sequence[Tool]:
        """Its own tools, and those that are pinned."""
        return [*self.tools, *(tool for tool in shown if tool.name in self._pinned)]

    def meant(
        self, name: str, arguments: Mapping[str, Json], known: Callable[[str], bool]
    ) -> tuple[str, Mapping[str, Json]]:
        """The call of the tool that is named. One that cannot be made like that stays what it is,
        for `answer` to say why, with an object for its arguments written as text."""
        caller = self._caller(name)
        if caller is None:
            return name, arguments
        tool = self._known.get(str(arguments.get("name")))
        given = _given(arguments)
        whole = isinstance(given, dict) and arguments.keys() <= {"name", "arguments"}
        if tool and whole and self.caller_of(tool) is caller and known(tool.name):
            return tool.name, given
        if isinstance(arguments.get("arguments"), dict):
            return name, {**arguments, "arguments": json.dumps(arguments["arguments"])}
        return name, arguments

    async def answer(self, call: Call, inside: ServerContext) -> Result:
        """The result of one of its own tools; of those that call, why they do not."""
        shown = inside.shown(call.caller)
        if call.tool is self._find:
            return await self._found(call.arguments, shown)
        name = str(call.arguments["name"])
        tool = next((tool for tool in shown if tool.name == name), None)
        if tool is None and name not in self._known and inside.found(call.caller, name):
            return Result.error(f"`{name}` is in the list of tools itself; call it by its name.")
        if tool is None:
            return Result.error(await self._unknown(name, shown))
        if call.tool is self._describe:
            return Result.json({**tool_entry(tool), "callWith": self.caller_of(tool).name})
        return Result.error(self._mistaken(call, tool))

    def _caller(self, name: str) -> Tool | None:
        """The tool of this name that calls others."""
        callers = (self._reading, self._writing)
        return next((caller for caller in callers if caller and caller.name == name), None)

    def caller_of(self, tool: Tool) -> Tool:
        """The tool that calls another."""
        caller = self._reading if tool.hints.read_only else self._writing
        if caller is None:
            raise ValueError(f"nothing is declared that calls `{tool.name}`")
        return caller

    async def _found(self, arguments: Mapping[str, Json], shown: Sequence[Tool]) -> Result:
        """The tools that fit a question best, within a group if one is named."""
        question, tag = arguments["query"][:_QUESTION], arguments.get("tag", "")
        names = {tool.name for tool in shown}
        if tag:
            groups = self._shown_groups(names)
            group = next((one for one in groups if one.lower() == tag.lower()), None)
            if group is None:
                near = get_close_matches(tag, groups, 3)
                return Result.error(
                    format_no_results(f"There is no group `{tag[:80]}`.", near, groups)
                )
            names = set(groups[group])
        search = await self._index()
        best = search.best(question, _MOST, lambda n: self._numbered[n].name in names)
        if not best and tag:
            best = [n for n, tool in enumerate(self._numbered) if tool.name in names][:_MOST]
        if not best:
            groups = self._shown_groups(names)
            return Result.text(format_no_results("No tool fits these words.", (), groups))
        return Result.text(format_results([self._numbered[number] for number in best], len(names)))

    def _shown_groups(self, names: Collection[str]) -> dict[str, list[str]]:
        """The groups with those of the tools that they have; none that has none of them."""
        kept = {
            group: [name for name in members if name in names]
            for group, members in self._groups.items()
        }
        return {group: members for group, members in kept.items() if members}

    async def _unknown(self, name: str, shown: Sequence[Tool]) -> str:
        """What is said of a name that no tool has: which ones look like it, or mean the same."""
        names = {tool.name for tool in shown}
        alike = get_close_matches(name, sorted(names), 3)
        search = await self._index()
        best = search.best(name[:_QUESTION], 5, lambda n: self._numbered[n].name in names)
        near = list(dict.fromkeys([*alike, *(self._numbered[n].name for n in best)]))[:5]
        head = f"There is no tool `{name[:80]}`"
        if not near:
            return f"{head}; ask `{self._find.name}`."
        return bullet_list(f"{head}; nearest are:", near)

    def _mistaken(self, call: Call, tool: Tool) -> str:
        """Why a tool that exists was not called."""
        caller = self.caller_of(tool)
        head = f"`{tool.name}` was not called, and nothing was sent: "
        if caller is not call.tool:
            does = "only reads" if tool.hints.read_only else "changes something"
            return f"{head}it {does}; call it with `{caller.name}`."
        try:
            _read(call.arguments.get("arguments", ""))
        except ValueError as fault:
            return f"{head}`arguments` is no JSON: {fault}"[:500]
        return f'{head}`arguments` must be a JSON object, such as {{"id": 1}}.'

    async def _index(self) -> ToolSearch:
        """The index, made by the first question in a thread, so that other calls need not wait."""
        if self._search is None:
            return await asyncio.to_thread(self._once)
        return self._search

    def _once(self) -> ToolSearch:
        """The index, made once for all who ask for it at the same time."""
        with self._making:
            if self._search is None:
                self._search = self._made_index()
            return self._search

    def _made_index(self) -> ToolSearch:
        tags: dict[str, list[str]] = {}
        for tag, names in self._groups.items():
            for name in names:
                tags.setdefault(name, []).append(tag)
        return ToolSearch(
            _entry(tool, tuple(tags.get(tool.name, ())), self._about) for tool in self._numbered
        )


def _entry(tool: Tool, tags: tuple[str, ...], about: Mapping[str, str]) -> SearchEntry:
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
    """An argument in words: its name, what it is, and the values it may have."""
    values = " ".join(str(value) for value in schema.get("enum", ()))
    return f"{name} {schema.get('description', '')} {values}"


def _given(arguments: Mapping[str, Json]) -> Json:
    """The arguments for the tool that is meant: an object, or JSON text of one; `{}` if they are left
    out or null, None for text that is no JSON."""
    given = arguments.get("arguments")
    if given is None:
        return {}
    if not isinstance(given, str):
        return given
    try:
        return _read(given)
    except ValueError:
        return None


def _read(text: str) -> Json:
    """The value of a JSON text, `{}` of none. Raises `ValueError` for what a message cannot hold."""
    try:
        return loads(text or "{}", parse_constant=_refused)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refused(constant: str) -> Json:
    raise ValueError(f"{constant} is no number of JSON")
