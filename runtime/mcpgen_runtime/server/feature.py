"""Features that add tools or protocol methods, the tools view of clients, and rules for messages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams, RequestParams, ServerCapabilities

from ..caller import Caller
from ..hooks import Call
from ..result import Result
from ..tool import Json, Tool
from .asgi import Asgi
from .client_channel import ClientChannel, ClientChannels, Context, Level
from .invocation import rules_overriding
from .message_rules import IncomingMessage, MessageMiddleware, MessageRefused, MessageRules
from .middleware import Middleware
from .tool_registry import MakeToolCaller, OpenRegistry, ToolRegistry


@dataclass(frozen=True)
class FeatureMethod:
    """A protocol method: the SDK's model of the parameters, and the function that answers in MCP
    format. With `needs_session`, registered only with sessions. With `asks`, the function gets the
    client as an additional argument."""

    params: type[RequestParams]
    answer: Callable[..., Awaitable[dict[str, Any]]]
    needs_session: bool = False
    asks: bool = False


@dataclass(frozen=True)
class ServerContext:
    """The server as seen by a feature: `visible_tools` returns the API's tools that a caller sees,
    `find_tool` the tool of a name or None, including withheld tools, and `allows` whether a caller
    may use a tool; `call` makes a call as a caller, through all rules and without pagination.
    `package` is the project's package with `files.json`."""

    visible_tools: Callable[[Caller], Sequence[Tool]]
    find_tool: Callable[[Caller, str], Tool | None]
    allows: Callable[[Caller, str], bool]
    call: Callable[[Caller, str, Mapping[str, Json]], Awaitable[Result]]
    package: str = ""


class ListServer(Server[Any]):
    """The SDK's server, announcing that lists never change unless `notifies_changes`: the SDK
    announces changes of all lists for a server with resource subscriptions."""

    notifies_changes = False

    def get_capabilities(self, *arguments: Any, **options: Any) -> ServerCapabilities:
        """The server's capabilities."""
        capabilities = super().get_capabilities(*arguments, **options)
        for family in (capabilities.tools, capabilities.resources, capabilities.prompts):
            if family is not None and not self.notifies_changes:
                family.list_changed = False
        return capabilities


def refuse_pages(params: PaginatedRequestParams) -> None:
    """Raises `MCPError` for a cursor: lists of features have a single page."""
    if params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "There is no such page: the list has one")


class Feature:
    """A feature of a server. `tools` are listed after the API's tools at the main endpoint, and
    answered by `answer`; the policy applies. `withheld` are API tools that clients cannot see or
    call, for internal use. `rules` run around calls, inside the policy."""

    tools: Sequence[Tool] = ()
    withheld: Sequence[str] = ()
    rules: Sequence[Middleware] = ()

    async def answer(self, call: Call, server: ServerContext) -> Result:
        """Answers a call of one of the feature's tools."""
        raise LookupError(f"`{call.tool.name}` is not a tool of its own")

    def methods(self, server: ServerContext) -> Mapping[str, FeatureMethod]:
        """The protocol methods of the feature, by name."""
        return {}

    @asynccontextmanager
    async def running(self, server: ServerContext) -> AsyncIterator[None]:
        """Opens and closes resources of the feature."""
        yield

    def wants_log(self, context: Context, level: Level) -> bool:
        """True if the sender of a request wants log messages of a level."""
        return True

    def end_streams(self) -> None:
        """Ends open streams before shutdown."""


def session_of(context: Context) -> str:
    """The session id of a request, `""` without a session."""
    return str(context.request.headers.get("mcp-session-id", "")) if context.request else ""


class ToolView(Feature):
    """Shows every tool under its own name. Subclasses may show other tools instead."""

    def list_tools(self, visible: Sequence[Tool]) -> Sequence[Tool]:
        """The listed tools, given the tools visible to a caller."""
        return visible

    def resolve_call(
        self, name: str, arguments: Mapping[str, Json], is_known: Callable[[str], bool]
    ) -> tuple[str, Mapping[str, Json]]:
        """The name and arguments of the actual call behind a call; unchanged if there is none."""
        return name, arguments

    def message(self, content: Mapping[str, Json]) -> Mapping[str, Json]:
        """The message with the actual call in place of the given call."""
        params = content.get("params")
        if content.get("method") != "tools/call" or not isinstance(params, dict):
            return content
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return content
        name, call_arguments = self.resolve_call(name, arguments, lambda _: True)
        return {**content, "params": {**params, "name": name, "arguments": call_arguments}}


_PLAIN = ToolView()


def feature_registry(
    *, surface: ToolView | None = None, offers: Sequence[Feature] = ()
) -> OpenRegistry:
    """The registry of a server with a tools view, features, or rules for messages."""

    def open_registry(
        tools: Sequence[Tool],
        rules: Sequence[Middleware],
        make_tool_caller: MakeToolCaller,
        package: str,
    ) -> ToolRegistry:
        return FeatureRegistry(tools, rules, make_tool_caller, package, surface, offers)

    return open_registry


class FeatureRegistry(ToolRegistry):
    """The tools of one server with the tools of features; the rules for messages apply to all
    calls."""

    checks_messages = True
    server_class = ListServer

    def __init__(
        self,
        tools: Sequence[Tool],
        rules: Sequence[Middleware],
        make_tool_caller: MakeToolCaller,
        package: str,
        surface: ToolView | None,
        offers: Sequence[Feature],
    ) -> None:
        self._surface = surface or _PLAIN
        self._offers = offers
        rules = (*rules, *(rule for offer in offers for rule in offer.rules))
        self._message_rules = MessageRules(rules)
        self._permission_rules = rules_overriding(rules, "allows")
        self._context = ServerContext(
            self._visible_tools, self._find_visible_tool, self._allows, self._call, package
        )
        self._feature_tools = tuple(tool for offer in offers for tool in offer.tools)
        self._owners = {
            tool.name: owner for owner in (self._surface, *offers) for tool in owner.tools
        }
        names = {name for offer in offers for name in offer.withheld}
        offered = [tool for tool in tools if all(rule.includes(tool) for rule in rules)]
        self._withheld = {tool.name: tool for tool in offered if tool.name in names}
        super().__init__(
            [tool for tool in offered if tool.name not in names],
            rules,
            make_tool_caller,
            package,
            (*self._surface.tools, *self._feature_tools),
            dict.fromkeys(self._owners, self._answer_feature_tool),
        )

    @property
    def needs_upstream(self) -> bool:
        """True if some tool sends requests, so that the API's base URL is required."""
        return super().needs_upstream or any(tool.route for tool in self._withheld.values())

    def with_message_rules(self, app: Asgi) -> Asgi:
        """Wraps an SDK application in the rules that check messages."""
        screening = self._message_rules
        return MessageMiddleware(app, screening, self.read_message) if screening else app

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Opens and closes resources of the features."""
        async with AsyncExitStack() as stack:
            for offer in self._offers:
                await stack.enter_async_context(offer.running(self._context))
            yield

    def end_streams(self) -> None:
        """Ends open streams of the features."""
        for offer in self._offers:
            offer.end_streams()

    def wants_log(self, context: Context, level: Level) -> bool:
        """True if the sender of a request wants log messages of a level."""
        return all(offer.wants_log(context, level) for offer in self._offers)

    def add_handlers(
        self, server: Server[Any], channels: ClientChannels, *, has_sessions: bool
    ) -> None:
        """Adds the protocol methods of the features to an SDK server."""

        def asking(answer: Callable[..., Awaitable[dict[str, Any]]]) -> Callable[..., Any]:
            async def ask(context: Context, params: Any) -> dict[str, Any]:
                return await channels.respond(context, partial(answer, context, params))

            return ask

        for offer in self._offers:
            for name, method in offer.methods(self._context).items():
                if has_sessions or not method.needs_session:
                    answer = asking(method.answer) if method.asks else method.answer
                    server.add_request_handler(name, method.params, answer)

    def list_tools(self, caller: Caller) -> Sequence[Tool]:
        """The tools listed for a caller."""
        tools = self._view(caller).list_tools(self._visible_tools(caller))
        if not self._feature_tools or caller.toolset:
            return tools
        return [*tools, *(tool for tool in self._feature_tools if self._shows(caller, tool))]

    def read_message(self, caller: Caller, content: Mapping[str, Json]) -> IncomingMessage:
        """The message as rules see it: the actual call, and whether the call is allowed."""
        message = IncomingMessage(caller, self._surface.message(content))
        if message.tool and not self._permits(caller, self.tools.get(message.tool)):
            return replace(message, allowed=False)
        return message

    async def result(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Json],
        client: ClientChannel | None = None,
        *,
        unpaginated: bool = False,
    ) -> Result:
        """Makes a call by the name that the caller sees."""

        def is_visible(name: str) -> bool:
            return self._find_tool(caller, name) is not None

        name, arguments = self._view(caller).resolve_call(name, arguments, is_visible)
        return await super().result(caller, name, arguments, client, unpaginated=unpaginated)

    def _find_visible_tool(self, caller: Caller, name: str) -> Tool | None:
        """The tool of a name, including withheld tools, if visible to the caller."""
        tool = self._withheld.get(name) or self.tools.get(name)
        return tool if tool and self._shows(caller, tool) else None

    def _allows(self, caller: Caller, name: str) -> bool:
        """True if a caller may use a tool, directly or through a feature."""
        return self._permits(caller, self._withheld.get(name) or self.tools.get(name))

    def _permits(self, caller: Caller, tool: Tool | None) -> bool:
        if tool is None or not self._knows(caller, tool):
            return False
        return all(rule.allows(caller, tool) for rule in self._permission_rules)

    def _view(self, caller: Caller) -> ToolView:
        """The tools view of a caller; plain at the endpoint of a toolset."""
        return _PLAIN if caller.toolset else self._surface

    def _knows(self, caller: Caller, tool: Tool) -> bool:
        """True if a tool exists for a caller; tools of features exist at the main endpoint only."""
        if tool.name in self._owners:
            return not caller.toolset
        return super()._knows(caller, tool)

    async def _answer_feature_tool(self, call: Call) -> Result:
        """The result of a tool of a feature."""
        return await self._owners[call.tool.name].answer(call, self._context)

    async def _call(self, caller: Caller, name: str, arguments: Mapping[str, Json]) -> Result:
        """The result of a call without a message: the rules for messages check an equivalent
        message."""
        message = IncomingMessage(
            caller, _message(name, arguments), self._allows(caller, name), is_nested=True
        )
        if refusal := await self._message_rules.refusal(message):
            details = refusal.details if isinstance(refusal.details, dict) else {}
            envelope = {"outcome": "denied", "code": refusal.code, "message": refusal.message}
            return Result.denied({**envelope, **details})
        tool = self._withheld.get(name)
        if tool is None or not self._knows(caller, tool):
            return await self.result(caller, name, arguments, unpaginated=True)
        return await self.calls.call(tool, arguments, caller, unpaginated=True)

    async def _report_unknown_tool(self, caller: Caller, name: str) -> None:
        """Reports a call of a tool that does not exist for the caller to the observing rules."""
        message = IncomingMessage(caller, _message(name, {}), allowed=False)
        await self._message_rules.report(
            message, MessageRefused(200, INVALID_PARAMS, "Unknown tool")
        )


def _message(name: str, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    """The JSON-RPC content of a call."""
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}
