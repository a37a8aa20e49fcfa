# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Base class of policy rules.

A policy is a tuple of rules, outermost first. Methods that a rule does not override cost nothing:
only overridden methods are called.
"""

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

from ..caller import Caller
from ..observability.redact import Redactor
from ..result import Result
from ..tool import Json, Tool
from ..upstream.request import UpstreamRequest
from ..upstream.response import UpstreamError, UpstreamResponse
from .asgi import Asgi
from .client_channel import ClientChannel

Finish = Callable[[], Awaitable[Result]]
"""Runs the rest of a call."""

Deliver = Callable[[UpstreamRequest], Awaitable[UpstreamResponse]]
"""Sends a request to the API."""


SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
"""Safe methods: RFC 9110, section 9.2.1, and QUERY of OpenAPI 3.2."""

IDEMPOTENT = SAFE | {"PUT", "DELETE"}
"""Idempotent methods; RFC 9110, section 9.2.2."""


def is_read_only(tool: Tool, request: UpstreamRequest) -> bool:
    """True if a request changes nothing: by the tool's hints for the tool's own request, by the
    method for a handler's request."""
    return request.method in SAFE if request.template else tool.hints.read_only


def may_be_repeated(tool: Tool, request: UpstreamRequest) -> bool:
    """True if a request may be sent twice.

    A tool's own request follows the tool's hints. For a handler's request the hints can only forbid
    a repetition: a handler of a read-only tool may send a POST.
    """
    hints = tool.hints
    declared = hints.idempotent or hints.read_only
    if not request.template:
        return declared
    return request.method in SAFE or (declared and request.method in IDEMPOTENT)


@dataclass
class Invocation:
    """One call of a tool in progress. `statuses` are the API's responses so far; `secrets` are
    values to redact, `deadline` is the end of the call's time in event loop time. `client` is the
    caller's client, and `changed` are URIs of resources changed by the handler. With `whole` the
    result is not for a model and not paginated. For the log: `sent` is the last request to the API,
    `fault` the error of an unanswered request, and `trace` a redacted traceback of a server
    error."""

    tool: Tool
    arguments: Mapping[str, Json]
    caller: Caller
    statuses: list[int] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list, repr=False)
    deadline: float = inf
    client: ClientChannel = field(default_factory=ClientChannel, repr=False)
    changed: list[str] = field(default_factory=list)
    whole: bool = False
    # Class attributes until set, so that most calls save the assignments.
    sent: UpstreamRequest | None = field(default=None, init=False, repr=False)
    fault: UpstreamError | None = field(default=None, init=False, repr=False)
    trace: str = field(default="", init=False, repr=False)


class Middleware:
    """One policy rule. Subclasses override the needed methods."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Opens and closes resources of the rule while the server runs."""
        yield

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """Runs in the supervisor of several processes, which answers no requests: prepares shared
        state and warns about unshared state."""
        yield

    def http_only(self) -> str:
        """The reason why the rule cannot run over stdio, with the setting; `""` if it can."""
        return ""

    def gate(self, app: Asgi) -> Asgi:
        """Wraps the application; every HTTP request passes, and every message over stdio."""
        return app

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Wraps a call; `finish` runs the rest."""
        return await finish()

    async def confirm(self, invocation: Invocation, redactor: Redactor) -> Result | None:
        """The result of a call that must not be made, None to continue. Called last, with valid
        arguments; `redactor` removes secrets."""
        return None

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Wraps a request to the API, with credentials."""
        return await deliver(request)

    def address(self, path: str) -> str:
        """The public path of a path behind the rule."""
        return path

    def refuse_unknown(self, tools: Collection[str]) -> None:
        """Raises `ValueError` if the environment names an unknown tool; called once at start."""

    def includes(self, tool: Tool) -> bool:
        """True if a tool exists at all; called once at start."""
        return True

    def knows(self, caller: Caller, tool: Tool) -> bool:
        """True if a tool exists for a caller; otherwise the tool is neither listed nor callable."""
        return True

    def allows(self, caller: Caller, tool: Tool) -> bool:
        """True if a caller has the rights for a tool; `call` enforces the rights."""
        return True

    async def ready(self) -> str:
        """The reason why the server is not ready, `""` if ready."""
        return ""

    def shows(self, caller: Caller, tool: Tool) -> bool:
        """True if a tool is listed for a caller."""
        return True


def rules_overriding(rules: Sequence[Middleware], place: str) -> tuple[Middleware, ...]:
    """The rules that override a method."""
    return tuple(
        rule for rule in rules if getattr(type(rule), place) is not getattr(Middleware, place)
    )


def around_call(rules: Sequence[Middleware], invocation: Invocation, finish: Finish) -> Finish:
    """Wraps a call in rules, the first outermost."""
    for rule in reversed(rules):
        finish = partial(rule.call, invocation, finish)
    return finish


def around_delivery(
    rules: Sequence[Middleware], invocation: Invocation, deliver: Deliver
) -> Deliver:
    """Wraps sending in rules, the first outermost."""
    for rule in reversed(rules):
        deliver = partial(_sent, rule, invocation, deliver)
    return deliver


async def _sent(
    rule: Middleware, invocation: Invocation, deliver: Deliver, request: UpstreamRequest
) -> UpstreamResponse:
    return await rule.send(invocation, request, deliver)
