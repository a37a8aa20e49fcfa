"""Base class of policy rules, and the ASGI layer that runs the rules of a message.

A policy is a tuple of rules, the outermost first. A method that a rule does not override costs nothing:
only overridden methods are called."""

from __future__ import annotations

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import inf

from ..caller import Caller, caller_of
from ..elicitation.client_channel import ClientChannel
from ..observability.redact import Redactor
from ..result import Result
from ..tool import Json, Tool
from ..upstream.request import UpstreamRequest
from ..upstream.response import UpstreamError, UpstreamResponse
from .asgi import Asgi, Receive, Scope, Send, body_of, respond
from .request_states import RequestStates

Finish = Callable[[], Awaitable[Result]]
"""The rest of a call."""

Deliver = Callable[[UpstreamRequest], Awaitable[UpstreamResponse]]
"""Brings a request to the API."""


SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
"""The methods of requests that change nothing: RFC 9110, section 9.2.1, and QUERY of OpenAPI 3.2."""

IDEMPOTENT = SAFE | {"PUT", "DELETE"}
"""The methods of requests that change nothing more the second time; RFC 9110, section 9.2.2."""


def is_read_only(tool: Tool, request: UpstreamRequest) -> bool:
    """True if a request changes nothing: the hints of the tool say so of the tool's own request, the
    method of a request that a handler writes itself."""
    return request.method in SAFE if request.template else tool.hints.read_only


def may_be_repeated(tool: Tool, request: UpstreamRequest) -> bool:
    """True if a request does no harm when it is carried out twice.

    The hints of a tool tell of its own request. Of a request that a handler writes itself they can only
    forbid the repetition: a handler of a read-only tool may send a POST.
    """
    hints = tool.hints
    declared = hints.idempotent or hints.read_only
    if not request.template:
        return declared
    return request.method in SAFE or (declared and request.method in IDEMPOTENT)


@dataclass(frozen=True)
class IncomingMessage:
    """One JSON-RPC message, before the server takes it. `tool` is the name that a call asks for, and
    `allowed` whether it may be made: the tool is there for the caller, and no right is missing. One
    `within` another stands for a call that the other asked for."""

    caller: Caller
    content: Mapping[str, Json]
    allowed: bool = True
    within: bool = False

    @property
    def id(self) -> Json:
        """The id of the request, None of a notification."""
        return self.content.get("id")

    @property
    def method(self) -> str:
        """The method, `""` for what has none."""
        return str(self.content.get("method", ""))

    @property
    def tool(self) -> str:
        """The tool that is called, `""` for what is no call."""
        params = self.content.get("params")
        if self.method != "tools/call" or not isinstance(params, dict):
            return ""
        return str(params.get("name", ""))


@dataclass(frozen=True)
class MessageRefused:
    """Why a message is not taken: an HTTP status, and a JSON-RPC error."""

    status: int
    code: int
    message: str
    details: Json = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class Invocation:
    """One call of a tool on its way. `statuses` are those that the API has answered with so far;
    `secrets` is what the call carries that nobody may be shown, `deadline` when the call must have
    ended, in the time of the event loop. `client` is where it came from, and `changed` are URIs of
    resources that its handler has changed. `whole` tells that the result is no model's to read, and
    not cut into pages. For the log, `sent` is the last request to the API, `fault` why it was not
    answered, and `trace` the traceback of an error of this server, without secrets."""

    tool: Tool
    arguments: Mapping[str, Json]
    caller: Caller
    statuses: list[int] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list, repr=False)
    deadline: float = inf
    client: ClientChannel = field(default_factory=ClientChannel, repr=False)
    changed: list[str] = field(default_factory=list)
    whole: bool = False
    # Attributes of the class until they are set, so that no call pays for them.
    sent: UpstreamRequest | None = field(default=None, init=False, repr=False)
    fault: UpstreamError | None = field(default=None, init=False, repr=False)
    trace: str = field(default="", init=False, repr=False)


class Middleware:
    """One rule. A subclass overrides the places that it takes. `states` remembers which states of calls
    came back, None where the memory of the process does."""

    states: RequestStates | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The time in which the server answers, for what a rule has to open and close."""
        yield

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """The time in which several processes answer, for the one that watches over them and does not:
        here a rule makes what they share, and says what they do not."""
        yield

    def gate(self, app: Asgi) -> Asgi:
        """The application with the rule around it: every HTTP request passes here."""
        return app

    async def screen(self, told: IncomingMessage) -> MessageRefused | None:
        """Why a message is not taken, None if it is. Every message of a batch is asked for."""

    async def refused(self, told: IncomingMessage, refusal: MessageRefused) -> None:
        """Takes notice of a message that a rule has refused."""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The result of a call, of which `finish` is the rest."""
        return await finish()

    async def confirm(self, invocation: Invocation, redactor: Redactor) -> Result | None:
        """What a call results in that must not be made, None if it may. It is asked last, of calls
        whose arguments are good; `redactor` knows what nobody may be shown."""
        return None

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """The answer of the API to a request with its credentials."""
        return await deliver(request)

    def address(self, path: str) -> str:
        """The path at which clients reach what lies at a path behind the rule."""
        return path

    def refuse_unknown(self, tools: Collection[str]) -> None:
        """Raises `ValueError` if the environment says something of a tool that is none of these;
        asked once, at the start."""

    def includes(self, tool: Tool) -> bool:
        """Whether a tool is there at all; asked once, at the start."""
        return True

    def knows(self, caller: Caller, tool: Tool) -> bool:
        """Whether a tool is there for a caller; for others it is neither listed nor called."""
        return True

    def allows(self, caller: Caller, tool: Tool) -> bool:
        """Whether a caller has the rights for a tool; `call` is what denies it to others."""
        return True

    async def ready(self) -> str:
        """Why the server should be sent no requests now, `""` if it may be."""
        return ""

    def shows(self, caller: Caller, tool: Tool) -> bool:
        """Whether a caller finds a tool in the list."""
        return True


def rules_overriding(rules: Sequence[Middleware], place: str) -> tuple[Middleware, ...]:
    """The rules that take a place, by the name of its method."""
    return tuple(
        rule for rule in rules if getattr(type(rule), place) is not getattr(Middleware, place)
    )


def around_call(rules: Sequence[Middleware], invocation: Invocation, finish: Finish) -> Finish:
    """A call with rules around it, the first of them outermost."""
    for rule in reversed(rules):
        finish = partial(rule.call, invocation, finish)
    return finish


def around_delivery(
    rules: Sequence[Middleware], invocation: Invocation, deliver: Deliver
) -> Deliver:
    """The way to the API with rules around it, the first of them outermost."""
    for rule in reversed(rules):
        deliver = partial(_sent, rule, invocation, deliver)
    return deliver


async def _sent(
    rule: Middleware, invocation: Invocation, deliver: Deliver, request: UpstreamRequest
) -> UpstreamResponse:
    return await rule.send(invocation, request, deliver)


class MessageRules:
    """The rules that look at messages, and those that are told of refusals."""

    def __init__(self, rules: Sequence[Middleware]) -> None:
        self._asking = rules_overriding(rules, "screen")
        self._watching = rules_overriding(rules, "refused")

    def __bool__(self) -> bool:
        """Whether any rule looks at messages."""
        return bool(self._asking)

    async def refusal(self, told: IncomingMessage) -> MessageRefused | None:
        """The first refusal of a message, None if it may be taken."""
        for rule in self._asking:
            if refusal := await rule.screen(told):
                await self.tell(told, refusal)
                return refusal
        return None

    async def tell(self, told: IncomingMessage, refusal: MessageRefused) -> None:
        """Tells the rules that take notice of it of a message that is not taken."""
        for rule in self._watching:
            await rule.refused(told, refusal)


@dataclass(frozen=True)
class MessageMiddleware:
    """An application behind the rules that look at messages; `read_message` describes a message to the rules."""

    app: Asgi
    screening: MessageRules
    read_message: Callable[[Caller, Mapping[str, Json]], IncomingMessage]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a message with the first refusal, or lets the application do it."""
        content = body_of(scope).content
        if isinstance(content, dict):
            told = self.read_message(caller_of(scope), content)
            if refusal := await self.screening.refusal(told):
                await _refuse(send, refusal, told.id)
                return
        await self.app(scope, receive, send)


async def _refuse(send: Send, refusal: MessageRefused, id: Json) -> None:
    error: dict[str, Json] = {"code": refusal.code, "message": refusal.message}
    if refusal.details is not None:
        error["data"] = refusal.details
    headers = tuple((name.encode(), value.encode()) for name, value in refusal.headers)
    await respond(send, refusal.status, {"jsonrpc": "2.0", "id": id, "error": error}, headers)
