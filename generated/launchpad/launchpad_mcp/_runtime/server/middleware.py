# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Base class of policy rules.

A policy is a tuple of rules, outermost first. Methods that a rule does not override cost nothing:
only overridden methods are called.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager

from ..caller import Caller
from ..observability.redact import Redactor
from ..result import Result
from ..tool import Tool
from ..upstream.exchange import UpstreamRequest, UpstreamResponse
from .asgi import Asgi
from .invocation import SAFE, Deliver, Finish, Invocation

IDEMPOTENT = SAFE | {"PUT", "DELETE"}
"""Idempotent methods; RFC 9110, section 9.2.2."""


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


class Middleware:
    """One policy rule. Subclasses override the needed methods."""

    def overrides(self, place: str) -> bool:
        """True if the rule overrides a method."""
        return getattr(type(self), place) is not getattr(Middleware, place)

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
