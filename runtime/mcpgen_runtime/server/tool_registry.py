"""Tools by caller: listing, lookup and calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from ..caller import Caller
from ..hooks import Call, Handler
from ..result import Result
from ..tool import Json, Tool
from .calls import ToolCaller, log_unknown_tool
from .client_channel import ClientChannel
from .feature import Feature, ServerContext, ToolView
from .middleware import IncomingMessage, MessageRefused, MessageRules, Middleware, rules_overriding
from .tool_list import ListPage, ListPages

_PLAIN = ToolView()


class ToolRegistry:
    """The tools of one server, including tools of features. `making` creates the `ToolCaller` with
    handlers for these tools."""

    def __init__(
        self,
        tools: Sequence[Tool],
        surface: ToolView | None,
        offers: Sequence[Feature],
        rules: Sequence[Middleware],
        making: Callable[[Mapping[str, Handler]], ToolCaller],
        package: str = "",
    ) -> None:
        self.surface = surface or _PLAIN
        self.screening = MessageRules(rules)
        self.inside = ServerContext(self._shown, self._found, self._may, self._screened, package)
        self._beside = tuple(tool for offer in offers for tool in offer.tools)
        self._owners = {tool.name: each for each in (self.surface, *offers) for tool in each.tools}
        self._hiding = rules_overriding(rules, "shows")
        self._withholding = rules_overriding(rules, "knows")
        self._permitting = rules_overriding(rules, "allows")
        self.varies = bool(self._hiding or self._withholding)
        withheld = {name for offer in offers for name in offer.withheld}
        offered = [tool for tool in tools if all(rule.includes(tool) for rule in rules)]
        self._offered = [tool for tool in offered if tool.name not in withheld]
        self._withheld = {tool.name: tool for tool in offered if tool.name in withheld}
        self._own = (*self.surface.tools, *self._beside)
        self.tools = {tool.name: tool for tool in (*self._own, *self._offered)}
        self._pages = ListPages()
        self.calls = making(dict.fromkeys(self._owners, self._answered))

    @property
    def needs_upstream(self) -> bool:
        """True if some tool sends requests, so that the API's base URL is required."""
        return any(tool.route for tool in (*self._offered, *self._withheld.values()))

    def listed(self, caller: Caller) -> Sequence[Tool]:
        """The tools listed for a caller."""
        shown = self._seen(caller).listed(self._shown(caller))
        if not self._beside or caller.toolset:
            return shown
        return [*shown, *(tool for tool in self._beside if self._shows(caller, tool))]

    def page(self, caller: Caller, cursor: str | None) -> ListPage:
        """The page of the caller's list at a cursor, the first page without a cursor. Raises
        `MCPError` for an unknown cursor."""
        return self._pages.page(self.listed(caller), cursor)

    def allows(self, caller: Caller, name: str) -> bool:
        """True if a caller may call a tool."""
        return self._permits(caller, self.tools.get(name))

    def read_message(self, caller: Caller, content: Mapping[str, Json]) -> IncomingMessage:
        """The message as rules see it: the actual call, and whether the call is allowed."""
        told = IncomingMessage(caller, self.surface.message(content))
        if told.tool and not self.allows(caller, told.tool):
            return replace(told, allowed=False)
        return told

    async def result(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Json],
        client: ClientChannel | None = None,
        *,
        whole: bool = False,
    ) -> Result:
        """Makes a call by the name that the caller sees. Without a client, as in nested calls, the
        call cannot ask. With `whole` the result is not paginated."""

        def known(name: str) -> bool:
            return self._known(caller, name) is not None

        name, arguments = self._seen(caller).meant(name, arguments, known)
        tool = self._known(caller, name)
        if tool is None:
            log_unknown_tool(name)
            await self._tell_refused(caller, name)
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name[:128]}")
        return await self.calls.call(tool, arguments, caller, client, whole=whole)

    def _known(self, caller: Caller, name: str) -> Tool | None:
        """The tool of a name, None if it does not exist for the caller."""
        tool = self.tools.get(name)
        return tool if tool and self._knows(caller, tool) else None

    def _found(self, caller: Caller, name: str) -> Tool | None:
        """The tool of a name, including withheld tools, if visible to the caller."""
        tool = self._withheld.get(name) or self.tools.get(name)
        return tool if tool and self._shows(caller, tool) else None

    def _may(self, caller: Caller, name: str) -> bool:
        """True if a caller may use a tool, directly or through a feature."""
        return self._permits(caller, self._withheld.get(name) or self.tools.get(name))

    def _permits(self, caller: Caller, tool: Tool | None) -> bool:
        if tool is None or not self._knows(caller, tool):
            return False
        return all(rule.allows(caller, tool) for rule in self._permitting)

    def _seen(self, caller: Caller) -> ToolView:
        """The tools view of a caller; plain at the endpoint of a toolset."""
        return _PLAIN if caller.toolset else self.surface

    def _shown(self, caller: Caller) -> Sequence[Tool]:
        """The API's tools visible to a caller."""
        if not self.varies:
            return self._offered
        return [tool for tool in self._offered if self._shows(caller, tool)]

    def _shows(self, caller: Caller, tool: Tool) -> bool:
        return self._knows(caller, tool) and all(rule.shows(caller, tool) for rule in self._hiding)

    def _knows(self, caller: Caller, tool: Tool) -> bool:
        """True if a tool exists for a caller; tools of features exist at the main endpoint only."""
        if tool.name in self._owners:
            return not caller.toolset
        return not self._withholding or all(rule.knows(caller, tool) for rule in self._withholding)

    async def _answered(self, call: Call) -> Result:
        """The result of a tool of a feature."""
        return await self._owners[call.tool.name].answer(call, self.inside)

    async def _screened(self, caller: Caller, name: str, arguments: Mapping[str, Json]) -> Result:
        """The result of a call without a message: the rules for messages check an equivalent
        message."""
        told = IncomingMessage(
            caller, _message(name, arguments), self._may(caller, name), within=True
        )
        if refusal := await self.screening.refusal(told):
            details = refusal.details if isinstance(refusal.details, dict) else {}
            envelope = {"outcome": "denied", "code": refusal.code, "message": refusal.message}
            return Result.denied({**envelope, **details})
        tool = self._withheld.get(name)
        if tool is None or not self._knows(caller, tool):
            return await self.result(caller, name, arguments, whole=True)
        return await self.calls.call(tool, arguments, caller, whole=True)

    async def _tell_refused(self, caller: Caller, name: str) -> None:
        """Reports a call of a nonexistent tool to the observing rules."""
        told = IncomingMessage(caller, _message(name, {}), allowed=False)
        await self.screening.tell(told, MessageRefused(200, INVALID_PARAMS, "Unknown tool"))


def _message(name: str, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    """The JSON-RPC content of a call."""
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}
