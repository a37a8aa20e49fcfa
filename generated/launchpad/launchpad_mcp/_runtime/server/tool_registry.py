# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Tools by caller: listing, lookup and calls."""

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
    """The tool in MCP format."""
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
    """The annotations; brief hints omit default values, and hints without meaning for read-only
    tools. https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations"""
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
    """The `tools` of a page, and the cursor of the next page, None for the last page."""

    tools: Sequence[Tool]
    following: str | None


MakeCaller = Callable[[Mapping[str, Handler], Sequence[Rule]], ToolCaller]
"""Makes the `ToolCaller` with handlers of a server and rules."""


class ToolRegistry:
    """The tools of one server. `own` are listed before the API's tools and answered by `handlers`;
    `make_caller` creates the `ToolCaller`. Raises `NotInstalled` for a rule that checks messages,
    which only the registry of `server.feature` applies."""

    checks_messages = False
    server_class: type[Server[Any]] = Server

    def __init__(
        self,
        tools: Sequence[Tool],
        rules: Sequence[Rule],
        make_caller: MakeCaller,
        package: str = "",
        own: Sequence[Tool] = (),
        handlers: Mapping[str, Handler] | None = None,
    ) -> None:
        if not self.checks_messages and any(hasattr(rule, "screen") for rule in rules):
            raise NotInstalled("server.feature")
        self.rules = rules
        self._hiding = rules_overriding(rules, "shows")
        self._withholding = rules_overriding(rules, "knows")
        self.varies = bool(self._hiding or self._withholding)
        self._api_tools = [tool for tool in tools if all(rule.includes(tool) for rule in rules)]
        self.tools = {tool.name: tool for tool in (*own, *self._api_tools)}
        self._pages = INSTALLED.list_pages() if INSTALLED.list_pages else None
        self.calls = make_caller(handlers or {}, rules)

    @property
    def needs_upstream(self) -> bool:
        """True if some tool sends requests, so that the API's base URL is required."""
        return any(tool.route for tool in self._api_tools)

    def with_message_rules(self, app: Asgi) -> Asgi:
        """Wraps an SDK application in the rules that check messages."""
        return app

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Opens and closes resources of the tools."""
        yield

    def end_streams(self) -> None:
        """Ends open streams."""

    def wants_log(self, context: Context, level: Level) -> bool:
        """True if the sender of a request wants log messages of a level."""
        return True

    def add_handlers(
        self, server: Server[Any], channels: ClientChannels, *, has_sessions: bool
    ) -> None:
        """Adds further protocol methods to an SDK server."""

    def list_tools(self, caller: Caller) -> Sequence[Tool]:
        """The tools listed for a caller."""
        return self._visible_tools(caller)

    def page(self, caller: Caller, cursor: str | None) -> ListPage:
        """The page of the caller's list at a cursor, the first page without a cursor. Raises
        `MCPError` for an unknown cursor."""
        tools = self.list_tools(caller)
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
        """Makes a call. Without a client, as in nested calls, the call cannot ask. With `unpaginated`
        the result is not paginated."""
        tool = self._find_tool(caller, name)
        if tool is None:
            log_unknown_tool(name)
            await self._unknown(caller, name)
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name[:128]}")
        return await self.calls.call(tool, arguments, caller, client, unpaginated=unpaginated)

    def _find_tool(self, caller: Caller, name: str) -> Tool | None:
        """The tool of a name, None if it does not exist for the caller."""
        tool = self.tools.get(name)
        return tool if tool and self._knows(caller, tool) else None

    def _visible_tools(self, caller: Caller) -> Sequence[Tool]:
        if not self.varies:
            return self._api_tools
        return [tool for tool in self._api_tools if self._shows(caller, tool)]

    def _shows(self, caller: Caller, tool: Tool) -> bool:
        return self._knows(caller, tool) and all(rule.shows(caller, tool) for rule in self._hiding)

    def _knows(self, caller: Caller, tool: Tool) -> bool:
        return not self._withholding or all(rule.knows(caller, tool) for rule in self._withholding)

    async def _unknown(self, caller: Caller, name: str) -> None:
        """Observes a call of a tool that does not exist for the caller."""


OpenRegistry = Callable[[Sequence[Tool], Sequence[Rule], MakeCaller, str], ToolRegistry]
"""Makes the registry of a server from tools, rules, the maker of calls, and the package."""
