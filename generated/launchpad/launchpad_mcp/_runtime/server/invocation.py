# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""One call of a tool in progress, and the policy rules around a call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any

from ..caller import Caller
from ..result import Result
from ..tool import Json, Tool
from ..upstream.exchange import UpstreamError, UpstreamRequest, UpstreamResponse
from .client_channel import ClientChannel

Rule = Any
"""A policy rule: `server.middleware.Middleware`, a module that only a server with a policy has."""

Finish = Callable[[], Awaitable[Result]]  # Runs the rest of a call
Deliver = Callable[[UpstreamRequest], Awaitable[UpstreamResponse]]  # Sends a request to the API

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
"""Safe methods: RFC 9110, section 9.2.1, and QUERY of OpenAPI 3.2."""


def is_read_only(tool: Tool, request: UpstreamRequest) -> bool:
    """True if a request changes nothing: by the tool's hints for the tool's own request, by the
    method for a handler's request."""
    return request.method in SAFE if request.template else tool.hints.read_only


@dataclass
class Invocation:
    """One call of a tool in progress. `statuses` are the API's responses so far, `secrets` values to
    redact, `deadline` is the end of the call's time in event loop time, and `changed` are URIs of
    resources changed by the handler. With `unpaginated` the result is not for a model and not
    paginated. For the log: `sent_request` is the last request to the API, `fault` the error of an
    unanswered request, and `trace` a redacted traceback of a server error."""

    tool: Tool
    arguments: Mapping[str, Json]
    caller: Caller
    statuses: list[int] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list, repr=False)
    deadline: float = inf
    client: ClientChannel = field(default_factory=ClientChannel, repr=False)
    changed: list[str] = field(default_factory=list)
    unpaginated: bool = False
    # Class attributes until set, so that most calls save the assignments.
    sent_request: UpstreamRequest | None = field(default=None, init=False, repr=False)
    fault: UpstreamError | None = field(default=None, init=False, repr=False)
    trace: str = field(default="", init=False, repr=False)


def rules_overriding(rules: Sequence[Rule], place: str) -> tuple[Rule, ...]:
    """The rules that override a method: other rules cost nothing at a call."""
    return tuple(rule for rule in rules if rule.overrides(place))


def around_call(rules: Sequence[Rule], invocation: Invocation, finish: Finish) -> Finish:
    """Wraps a call in rules, the first outermost."""
    for rule in reversed(rules):
        finish = partial(rule.call, invocation, finish)
    return finish


def around_delivery(rules: Sequence[Rule], invocation: Invocation, deliver: Deliver) -> Deliver:
    """Wraps sending in rules, the first outermost."""
    for rule in reversed(rules):
        deliver = partial(rule.send, invocation, deliver=deliver)
    return deliver
