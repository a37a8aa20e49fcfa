"""The tools as each caller finds them, and calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from ..caller import Caller
from ..elicitation.client_channel import ClientChannel
from ..hooks import Call, Handler
from ..result import Result
from ..tool import Json, Tool
from .calls import ToolCaller, log_unknown_tool
from .feature import Feature, ServerContext, ToolView
from .middleware import IncomingMessage, MessageRefused, MessageRules, Middleware, rules_overriding
from .tool_list import ListPage, ListPages

_PLAIN = ToolView()


class ToolRegistry:
    """The tools of one server, its own among them. `making` makes what calls them, of the handlers of
    its own tools."""

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
        """Whether some tool sends requests by itself, and so cannot do without an address of the API."""
        return any(tool.route for tool in (*self._offered, *self._withheld.values()))

    def listed(self, caller: Caller) -> Sequence[Tool]:
        """What stands in the list for a caller."""
        shown = self._seen(caller).listed(self._shown(caller))
        if not self._beside or caller.toolset:
            return shown
        return [*shown, *(tool for tool in self._beside if self._shows(caller, tool))]

    def page(self, caller: Caller, cursor: str | None) -> ListPage:
        """The page of that list at a cursor, the first one without. Raises `MCPError` where there is
        none."""
        return self._pages.page(self.listed(caller), cursor)

    def allows(self, caller: Caller, name: str) -> bool:
        """Whether a caller may call the tool of a name."""
        return self._permits(caller, self.tools.get(name))

    def read_message(self, caller: Caller, content: Mapping[str, Json]) -> IncomingMessage:
        """What rules are told of a message: the call that is meant, and whether it may be made."""
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
        """The result of a call by the name that a caller sees; without a client of its own, as of a
        call inside another, it can ask nobody. A `whole` one is not cut into pages."""

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
        """The tool of a name, None if it is not there for a caller."""
        tool = self.tools.get(name)
        return tool if tool and self._knows(caller, tool) else None

    def _found(self, caller: Caller, name: str) -> Tool | None:
        """The tool of a name if a caller finds it, or would if it were not withheld."""
        tool = self._withheld.get(name) or self.tools.get(name)
        return tool if tool and self._shows(caller, tool) else None

    def _may(self, caller: Caller, name: str) -> bool:
        """Whether a caller may reach the tool of a name, if only through what the server offers."""
        return self._permits(caller, self._withheld.get(name) or self.tools.get(name))

    def _permits(self, caller: Caller, tool: Tool | None) -> bool:
        if tool is None or not self._knows(caller, tool):
            return False
        return all(rule.allows(caller, tool) for rule in self._permitting)

    def _seen(self, caller: Caller) -> ToolView:
        """What a caller sees of the tools; at the endpoint of a set, the tools themselves."""
        return _PLAIN if caller.toolset else self.surface

    def _shown(self, caller: Caller) -> Sequence[Tool]:
        """The tools of the API that a caller finds."""
        if not self.varies:
            return self._offered
        return [tool for tool in self._offered if self._shows(caller, tool)]

    def _shows(self, caller: Caller, tool: Tool) -> bool:
        return self._knows(caller, tool) and all(rule.shows(caller, tool) for rule in self._hiding)

    def _knows(self, caller: Caller, tool: Tool) -> bool:
        """Whether a tool is there for a caller; the server's own are at its main endpoint."""
        if tool.name in self._owners:
            return not caller.toolset
        return not self._withholding or all(rule.knows(caller, tool) for rule in self._withholding)

    async def _answered(self, call: Call) -> Result:
        """The result of a tool that is none of the API."""
        return await self._owners[call.tool.name].answer(call, self.inside)

    async def _screened(self, caller: Caller, name: str, arguments: Mapping[str, Json]) -> Result:
        """The result of a call that no message has asked for: the rules that look at messages are
        asked about the message it stands for."""
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
        """Tells the rules that take notice of it of a call of a tool that is not there for a caller."""
        told = IncomingMessage(caller, _message(name, {}), allowed=False)
        await self.screening.tell(told, MessageRefused(200, INVALID_PARAMS, "Unknown tool"))


def _message(name: str, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    """The message that asks for a call."""
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}
