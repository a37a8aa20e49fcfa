# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The tools of a server: lists, finds and calls the tools that exist for a caller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from ..caller import Caller
from ..extensions import INSTALLED, NotInstalled
from ..hooks import Handler
from ..result import Result
from ..tool import Hints, Json, Tool
from .asgi import Asgi
from .calls import ToolCaller, log_unknown_tool
from .client_channel import ClientChannel, ClientChannels, Context, Level
from .invocation import Rule, rules_overriding


def tool_entry(tool: Tool) -> dict[str, Any]:
    """The tool in MCP format, as listed by `tools/list`."""
    wire: dict[str, Any] = {"name": tool.name}
    if tool.title:
        wire["title"] = tool.title
    if tool.description:
        wire["description"] = tool.description
    wire["inputSchema"] = tool.input_schema
    if tool.output is not None:
        wire["outputSchema"] = tool.output
    wire["annotations"] = _annotations(tool.hints)
    return wire


def _annotations(hints: Hints) -> dict[str, bool]:
    """The annotations. Brief hints omit `openWorldHint: true` and `idempotentHint: false`, the default
    values, and for a read-only tool `destructiveHint` and `idempotentHint`, which have no meaning there.
    https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations"""
    annotations = {"readOnlyHint": hints.read_only}
    if not (hints.brief and hints.read_only):
        annotations["destructiveHint"] = hints.destructive
    if not hints.brief or (hints.idempotent and not hints.read_only):
        annotations["idempotentHint"] = hints.idempotent
    if not (hints.brief and hints.open_world):
        annotations["openWorldHint"] = hints.open_world
    return annotations


@dataclass(frozen=True, slots=True)
class ListPage:
    """The `tools` of a page, and the cursor of the next page; `next_cursor` is None for the last page."""

    tools: Sequence[Tool]
    next_cursor: str | None


MakeToolCaller = Callable[[Mapping[str, Handler], Sequence[Rule]], ToolCaller]
"""Makes the `ToolCaller` of a server from handlers by tool name, and rules."""


class ToolRegistry:
    """The tools of one server: `tools` are those of the API, and `own` those of features, answered by
    `handlers`. `varies_by_caller`: the list depends on the caller. `server.feature.FeatureRegistry` lists
    the tools in `own`, needs the project's `package`, and overrides the methods that do nothing here.
    Raises `NotInstalled` for a rule that checks messages, which only `FeatureRegistry` applies."""

    checks_messages = False
    server_class: type[Server[Any]] = Server

    def __init__(
        self,
        tools: Sequence[Tool],
        rules: Sequence[Rule],
        make_tool_caller: MakeToolCaller,
        package: str = "",
        own: Sequence[Tool] = (),
        handlers: Mapping[str, Handler] | None = None,
    ) -> None:
        if not self.checks_messages and any(hasattr(rule, "screen") for rule in rules):
            raise NotInstalled("server.feature")
        self.rules = rules
        self._listing_rules = rules_overriding(rules, "shows")
        self._existence_rules = rules_overriding(rules, "knows")
        self.varies_by_caller = bool(self._listing_rules or self._existence_rules)
        self._api_tools = [tool for tool in tools if all(rule.includes(tool) for rule in rules)]
        self.tools = {tool.name: tool for tool in (*own, *self._api_tools)}
        self._pages = INSTALLED.list_pages() if INSTALLED.list_pages else None
        self.calls = make_tool_caller(handlers or {}, rules)

    @property
    def needs_upstream(self) -> bool:
        """True if some tool sends requests, so that the API's base URL is required."""
        return any(tool.route for tool in self._api_tools)

    def with_message_rules(self, app: Asgi) -> Asgi:
        """The SDK application `app` inside the rules that check messages; here unchanged."""
        return app

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Opens and closes resources of the features; does nothing here."""
        yield

    def end_streams(self) -> None:
        """Ends open streams of the features; does nothing here."""

    def wants_log(self, context: Context, level: Level) -> bool:
        """True if the sender of a request wants log messages of a level; here always."""
        return True

    def add_handlers(
        self, server: Server[Any], channels: ClientChannels, *, has_sessions: bool
    ) -> None:
        """Adds the protocol methods of the features to an SDK server; does nothing here."""

    def list_tools(self, caller: Caller) -> Sequence[Tool]:
        """The tools listed for a caller."""
        return self._visible_tools(caller)

    def page(self, caller: Caller, cursor: str | None) -> ListPage:
        """The page of the caller's list at a cursor, the first page without a cursor. Raises
        `MCPError` for an unknown cursor."""
        tools = self.list_tools(caller)
        # `ListPages` accepts "1" as the cursor of the first page, too.
        if not self._pages and cursor not in (None, "1"):
            raise MCPError(INVALID_PARAMS, "There is no such page of the list")
        page: ListPage = self._pages.page(tools, cursor) if self._pages else ListPage(tools, None)
        return page

    async def result(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Json],
        client: ClientChannel | None = None,
        *,
        unpaginated: bool = False,
    ) -> Result:
        """Makes a call. Without a `client`, as in nested calls, the call cannot ask the user. With
        `unpaginated` the result is not paginated. Raises `MCPError` for an unknown tool."""
        tool = self._find_tool(caller, name)
        if tool is None:
            log_unknown_tool(name)
            await self._report_unknown_tool(caller, name)
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name[:128]}")
        return await self.calls.call(tool, arguments, caller, client, unpaginated=unpaginated)

    def _find_tool(self, caller: Caller, name: str) -> Tool | None:
        """The tool of a name, None if it does not exist for the caller."""
        tool = self.tools.get(name)
        return tool if tool and self._knows(caller, tool) else None

    def _visible_tools(self, caller: Caller) -> Sequence[Tool]:
        """The API's tools that are listed for the caller."""
        if not self.varies_by_caller:
            return self._api_tools
        return [tool for tool in self._api_tools if self._shows(caller, tool)]

    def _shows(self, caller: Caller, tool: Tool) -> bool:
        """True if a tool is listed for the caller."""
        return self._knows(caller, tool) and all(
            rule.shows(caller, tool) for rule in self._listing_rules
        )

    def _knows(self, caller: Caller, tool: Tool) -> bool:
        """True if a tool exists for the caller, listed or not."""
        return not self._existence_rules or all(
            rule.knows(caller, tool) for rule in self._existence_rules
        )

    async def _report_unknown_tool(self, caller: Caller, name: str) -> None:
        """Reports a call of an unknown tool to the rules that observe messages; does nothing here."""


OpenRegistry = Callable[[Sequence[Tool], Sequence[Rule], MakeToolCaller, str], ToolRegistry]
"""Makes the registry of a server from tools, rules, the factory of the `ToolCaller`, and the name of the
project's package."""
