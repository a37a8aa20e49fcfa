# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Rate limits per caller, per tool and in total.

A call is counted once. A message that calls a tool is counted before processing, so that a refusal
is an HTTP status; a call without a message is counted where the call is made.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Annotated, Any

from limits import RateLimitItem, parse
from pydantic import BeforeValidator, field_validator
from pydantic_settings import NoDecode

from ..caller import ANYBODY, Caller
from ..result import Result
from ..server.asgi import Asgi, Receive, Scope, Send
from ..server.invocation import Finish, Invocation
from ..server.message_rules import IncomingMessage, MessageRefused, MessageRule
from ..server.request_states import StoreUnavailable
from ..settings import split_names
from ..tool import Json
from .settings import LimitSettings
from .sliding_window import CallCounter, SlidingWindows

Networks = tuple[IPv4Network | IPv6Network, ...]
"""IP networks; an address is a network with one member."""

_IPV6_BITS = 64
"""Prefix length of an IPv6 subscriber: a host changes the remaining 64 bits at will."""


def address_of(scope: Scope, trusted: Networks) -> str:
    """The client's IP address, for IPv6 the /64 network; `""` if unknown.

    Follows `X-Forwarded-For` from the right, only through trusted proxies.
    """
    client = scope.get("client")
    hops = [client[0] if client else ""]
    hops += reversed([hop.strip() for hop in _forwarded(scope).split(",")])
    address = ""
    for hop in hops:
        try:
            ip = ip_address(hop)
        except ValueError:
            break
        if isinstance(ip, IPv6Address):
            ip = ip.ipv4_mapped or ip
        address = _subscriber(str(ip))
        if not _is_in(str(ip), trusted):
            break
    return address


def _forwarded(scope: Scope) -> str:
    """All `X-Forwarded-For` headers joined in order; some proxies add a header, some extend the
    last."""
    values = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return b",".join(values).decode("latin-1")


def _is_in(address: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return any(ip_address(address) in network for network in networks)


def _subscriber(address: str) -> str:
    return str(ip_network(f"{address}/{_IPV6_BITS}", strict=False)) if ":" in address else address


NOTATION = re.compile(r"[1-9][0-9]{0,5}/([1-9][0-9]{0,3} )?(second|minute|hour|day)s?")
"""Format of a rate: `3/second`, `100/minute`, `1000/12 hours`."""

OFF = "off"
"""The value that disables a rate."""

UNREACHABLE = -32603
"""JSON-RPC code "Internal error", for an unreachable store."""

logger = logging.getLogger(__name__)

_unspent: ContextVar[set[tuple[str, ...]] | None] = ContextVar("unspent", default=None)
"""Keys a message was counted for and no call has consumed yet."""

_address: ContextVar[str] = ContextVar("address", default="")

RatesByTool = Annotated[dict[str, str] | None, NoDecode]
"""Rates by tool, in the environment written as `search=3/second,report=5/hour`."""


class RateSettings(LimitSettings):
    """Rates set by the environment in place of the project's; `off` disables a rate."""

    limit_all: str | None = None
    """Rate of all calls of all callers."""
    limit_subject: str | None = None
    """Rate of all calls per caller."""
    limit_tools: RatesByTool = None
    """Rates by tool, for all callers together."""
    limit_subject_tools: RatesByTool = None
    """Rates by tool, per caller."""
    trusted_proxies: Annotated[Networks, NoDecode, BeforeValidator(split_names)] = ()
    """Addresses and networks of proxies whose `X-Forwarded-For` is trusted."""

    @field_validator("limit_tools", "limit_subject_tools", mode="before")
    @classmethod
    def _pairs(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        pairs = (pair.partition("=") for pair in value.split(",") if pair.strip())
        return {name.strip(): rate.strip() for name, _, rate in pairs}

    @field_validator("limit_all", "limit_subject", "limit_tools", "limit_subject_tools")
    @classmethod
    def _check(cls, value: Any) -> Any:
        for text in value.values() if isinstance(value, dict) else [value or OFF]:
            if text != OFF and not NOTATION.fullmatch(text):
                raise ValueError("must be a rate such as 100/minute, or off")
        return value


@dataclass(frozen=True)
class Rates:
    """Rates declared by the project; `""` or absent for no limit."""

    all: str = ""
    subject: str = ""
    tools: Mapping[str, str] | None = None
    subject_tools: Mapping[str, str] | None = None

    def with_overrides(self, settings: RateSettings) -> Rates:
        """These rates, overridden by the environment's."""
        return Rates(
            self.all if settings.limit_all is None else settings.limit_all,
            self.subject if settings.limit_subject is None else settings.limit_subject,
            {**(self.tools or {}), **(settings.limit_tools or {})},
            {**(self.subject_tools or {}), **(settings.limit_subject_tools or {})},
        )


@dataclass(frozen=True)
class _Excess:
    """An exceeded rate. `wait` is in seconds; `rate` is None if the store is unreachable."""

    wait: int
    rate: RateLimitItem | None = None

    @property
    def message(self) -> str:
        if self.rate is None:
            return "The rate limits cannot be checked now; try again later"
        window = self.rate.get_expiry()
        allowed = f"{self.rate.amount} in {window} second{'s' if window > 1 else ''}"
        again = f"{self.wait} second{'s' if self.wait > 1 else ''}"
        return f"Rate limit exceeded: {allowed}; try again in {again}"


class RateLimits(MessageRule):
    """Enforces rate limits.

    `code` is the JSON-RPC error code. `messages` counts every message, not only calls. `by_address`
    counts anonymous callers by IP address, otherwise all anonymous callers count as a single
    caller. `open` allows calls while the store is unreachable; otherwise calls are refused.
    """

    def __init__(
        self,
        settings: RateSettings,
        rates: Rates,
        store: CallCounter | None = None,
        *,
        code: int,
        messages: bool = False,
        by_address: bool = False,
        open: bool = False,
    ) -> None:
        self._settings = settings
        rates = rates.with_overrides(settings) if settings.limits else Rates()
        self._all, self._subject = _parse_rate(rates.all), _parse_rate(rates.subject)
        self._tools = _rate_limit_items(rates.tools)
        self._subject_tools = _rate_limit_items(rates.subject_tools)
        self._store = store or SlidingWindows()
        self._code, self._messages, self._open = code, messages, open
        self._by_address, self._proxies = by_address, settings.trusted_proxies
        self._server, self._processes = settings.variable(""), settings.workers
        self._reachable = True
        self._idle = not (self._all or self._subject or self._tools or self._subject_tools)

    def refuse_unknown(self, tools: Collection[str]) -> None:
        """Raises `ValueError` for a rate in the environment of an unknown tool."""
        for field in ("limit_tools", "limit_subject_tools"):
            for name in getattr(self._settings, field) or ():
                if name not in tools:
                    suggestions = get_close_matches(name, tools, 1)
                    hint = f"; did you mean `{suggestions[0]}`?" if suggestions else ""
                    variable = self._settings.variable(field)
                    raise ValueError(f"{variable} names `{name}`, which is no tool{hint}")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Checks the store at the start and logs a failure; closes the store at the end."""
        if not self._idle and (failure := await self._store.failure()):
            self._log_reachability(False, failure)
        yield
        await self._store.close()

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """Warns if several processes each count alone."""
        if self._store.alone and not self._idle:
            logger.warning(
                "Each of the %d processes counts calls by itself, so that together they let through up"
                " to %d times what the rates say; limits in Redis hold for all of them",
                self._processes,
                self._processes,
            )
        yield

    async def ready(self) -> str:
        """The reason why calls cannot be counted and are therefore refused, `""` otherwise."""
        failure = "" if self._idle or self._open else await self._store.failure()
        return f"the store of the limits cannot be used: {failure}" if failure else ""

    def gate(self, app: Asgi) -> Asgi:
        """Records the client's address if anonymous callers are counted by address."""
        if not self._by_address:
            return app

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            _address.set(address_of(scope, self._proxies))
            await app(scope, receive, send)

        return gated

    async def screen(self, message: IncomingMessage) -> MessageRefused | None:
        """Counts a message; refuses the message above a rate."""
        counted = _unspent.get() if message.is_nested else None
        unspent: set[tuple[str, ...]] = set()
        _unspent.set(unspent)
        # A repeated call with `requestState` was counted at the first attempt. `call` counts it
        # again if the state proves invalid.
        tool = "" if _has_request_state(message.content) else message.tool
        if not (tool or self._messages):
            return None
        excess = await self._excess(
            message.caller, tool, unspent, allowed=message.allowed, counted=counted
        )
        if excess is None:
            return None
        headers = [("Retry-After", str(excess.wait))]
        if excess.rate is None:
            return MessageRefused(503, UNREACHABLE, excess.message, headers=tuple(headers))
        limit, window = excess.rate.amount, excess.rate.get_expiry()
        headers += [("X-RateLimit-Limit", str(limit)), ("X-RateLimit-Window", str(window))]
        details = {"limit": limit, "window": window, "retryAfter": excess.wait}
        return MessageRefused(429, self._code, excess.message, details, tuple(headers))

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Counts a call not yet counted with a message: a nested call, or a repeated call without
        an answer to its question."""
        if invocation.client.is_repeated:
            return await finish()
        excess = await self._excess(invocation.caller, invocation.tool.name)
        if excess is not None:
            return Result.denied(
                {
                    "outcome": "denied",
                    "code": "rate_limited",
                    "message": excess.message,
                    "retryAfter": excess.wait,
                }
            )
        return await finish()

    async def _excess(
        self,
        caller: Caller,
        tool: str,
        unspent_keys: set[tuple[str, ...]] | None = None,
        *,
        allowed: bool = True,
        counted: set[tuple[str, ...]] | None = None,
    ) -> _Excess | None:
        """The first rate that a call exceeds, or None. Checks the narrowest rate first, so that
        refused calls of a caller do not use up the shared rates. Keys in `counted` were counted
        with the message and are not counted again."""
        earlier = _unspent.get() or set() if unspent_keys is None else counted or set()
        is_down = False
        for rate, key in self._applicable_rates(caller, tool, allowed):
            if key in earlier:
                earlier.discard(key)
                if unspent_keys is not None:
                    unspent_keys.add(key)
                continue
            wait = 0
            try:
                if not is_down:
                    wait = await self._store.take(rate, *key)
                    self._log_reachability(True)
            except StoreUnavailable as fault:
                # After a timeout of the store, the remaining rates are not asked: the caller waits
                # once only.
                is_down = True
                self._log_reachability(False, str(fault))
                if not self._open:
                    return _Excess(1)
            if wait:
                return _Excess(wait, rate)
            if unspent_keys is not None:
                unspent_keys.add(key)
        return None

    def _applicable_rates(
        self, caller: Caller, tool: str, allowed: bool
    ) -> Iterator[tuple[RateLimitItem, tuple[str, ...]]]:
        """The rates that apply to a call, with keys. Forbidden calls count only against the
        caller's own limit, so a limit never reveals a hidden tool."""
        if self._idle:
            return
        server = self._server
        subject_key = self._subject_key(caller) if self._subject or self._subject_tools else ""
        if allowed and tool in self._subject_tools:
            yield self._subject_tools[tool], (server, "subject", subject_key, tool)
        if self._subject:
            yield self._subject, (server, "subject", subject_key)
        if not allowed:
            return
        if tool in self._tools:
            yield self._tools[tool], (server, "tool", tool)
        if self._all:
            yield self._all, (server, "all")

    def _subject_key(self, caller: Caller) -> str:
        """The key of a caller: a hash, so that the store holds no names."""
        is_anonymous = not caller.credential and caller.subject == ANYBODY.subject
        name = f"address {_address.get()}" if is_anonymous else f"subject {caller.subject}"
        return hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=12).hexdigest()

    def _log_reachability(self, reachable: bool, fault: str = "") -> None:
        """Logs once when the store fails, and once when the store is back."""
        if reachable == self._reachable:
            return
        self._reachable = reachable
        if reachable:
            logger.warning("The store of the rate limits is back; calls are counted again")
        else:
            effect = "let through uncounted" if self._open else "refused"
            logger.error("The store of the rate limits fails (%s): calls are %s", fault, effect)


def _has_request_state(content: Mapping[str, Json]) -> bool:
    """True for a repeated call with `requestState`."""
    params = content.get("params")
    return isinstance(params, dict) and isinstance(params.get("requestState"), str)


def _parse_rate(text: str) -> RateLimitItem | None:
    return None if text in ("", OFF) else parse(text)


def _rate_limit_items(texts: Mapping[str, str] | None) -> dict[str, RateLimitItem]:
    items = {name: _parse_rate(text) for name, text in (texts or {}).items()}
    return {name: item for name, item in items.items() if item}
