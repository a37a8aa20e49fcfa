"""The rules about calls: limits, protection of the API, pagination, confirmation and the shapes of connectors."""

from __future__ import annotations

from mcpgen.config.tables.limits import (
    LimitsConfig,
    RateCounting,
    UnknownCallers,
    UnreachablePolicy,
)
from mcpgen.emit.feature_declaration import ASKING, PolicyVariable, RuleDeclaration, key_variable
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.ir.server import ChatGptContract, Server

TOO_MANY_REQUESTS = 429
"""Default JSON-RPC error code of a call over its rate, the HTTP status 429.

JSON-RPC 2.0 reserves only -32768 to -32000.
"""

_LIMITS = "limits>=5.8,<6"
_SETTINGS = NameExpr("settings")

_SWITCH = PolicyVariable(
    "limits", "whether the limits of rates and of concurrent calls apply", "on"
)
_RATE_VARIABLES = (
    _SWITCH,
    key_variable(LimitsConfig, "all", "1000/minute, off"),
    key_variable(LimitsConfig, "subject"),
    key_variable(LimitsConfig, "tools", "search=3/second,report=5/hour"),
    key_variable(LimitsConfig, "subject_tools"),
    PolicyVariable("trusted_proxies", "networks of proxies with a trusted X-Forwarded-For", "none"),
)
_CAPS = ("concurrent", "concurrent_subject", "call_seconds", "result_bytes")
_CAP_VARIABLES = (_SWITCH, *(key_variable(LimitsConfig, name) for name in _CAPS))
_RETRY_VARIABLES = tuple(
    key_variable(LimitsConfig, name) for name in ("retries", "retry_wait_seconds")
)
_BREAKER_VARIABLES = tuple(
    key_variable(LimitsConfig, name) for name in ("breaker_failures", "breaker_seconds")
)


def rate_limits(server: Server) -> RuleDeclaration | None:
    """`RateLimits(settings, Rates(...), ...)`; None without rates."""
    limits = server.limits
    if not limits.has_rates:
        return None
    texts = (("all", limits.all), ("subject", limits.subject))
    tables = (("tools", dict(limits.tools)), ("subject_tools", dict(limits.subject_tools)))
    rates: tuple[tuple[str, Value], ...] = tuple(rate for rate in (*texts, *tables) if rate[1])
    flags = (
        ("messages", limits.count is RateCounting.MESSAGES),
        ("by_address", limits.anonymous is UnknownCallers.ADDRESS),
        ("open", limits.unreachable is UnreachablePolicy.ALLOW),
    )
    keywords: tuple[tuple[str, Value], ...] = (("code", limits.error_code or TOO_MANY_REQUESTS),)
    keywords += tuple(flag for flag in flags if flag[1])
    is_shared = server.limits.is_shared
    store = (CallExpr("redis_windows", (_SETTINGS,)),) if is_shared else ()
    shared = {"limits.sliding_window_redis": ("redis_windows",)} if is_shared else {}
    return RuleDeclaration(
        CallExpr("RateLimits", (_SETTINGS, CallExpr("Rates", (), rates), *store), keywords),
        {"limits.rate_limits": ("RateLimits", "Rates"), **shared},
        ("limits.rate_limits", "RateSettings"),
        (_LIMITS,),
        _RATE_VARIABLES,
    )


def caps(server: Server) -> RuleDeclaration | None:
    """`Caps(settings, ...)`; None if no cap is set."""
    numbers = ((name, getattr(server.limits, name)) for name in _CAPS)
    keywords = tuple(number for number in numbers if number[1])
    if not keywords:
        return None
    return RuleDeclaration(
        CallExpr("Caps", (_SETTINGS,), keywords),
        {"limits.concurrency": ("Caps",)},
        ("limits.concurrency", "CapSettings"),
        variables=_CAP_VARIABLES,
    )


def retries(server: Server) -> RuleDeclaration | None:
    """`Retries(settings, ...)`; None if no request is repeated."""
    limits = server.limits
    if not limits.retries:
        return None
    keywords = (("attempts", limits.retries), ("wait_seconds", limits.retry_wait_seconds))
    return RuleDeclaration(
        CallExpr("Retries", (_SETTINGS,), keywords),
        {"limits.retries": ("Retries",)},
        ("limits.retries", "RetrySettings"),
        variables=_RETRY_VARIABLES,
    )


def breaker(server: Server) -> RuleDeclaration | None:
    """`CircuitBreaker(settings, ...)`; None if requests go on while the API fails."""
    limits = server.limits
    if not limits.breaker_failures:
        return None
    keywords: tuple[tuple[str, Value], ...] = (
        ("failures", limits.breaker_failures),
        ("seconds", limits.breaker_seconds),
    )
    shared = {"limits.circuit_breaker_redis": ("redis_circuits",)} if limits.is_shared else {}
    if shared:
        keywords += (("share", CallExpr("redis_circuits", (_SETTINGS,))),)
    return RuleDeclaration(
        CallExpr("CircuitBreaker", (_SETTINGS,), keywords),
        {"limits.circuit_breaker": ("CircuitBreaker",), **shared},
        ("limits.circuit_breaker", "CircuitBreakerSettings"),
        variables=_BREAKER_VARIABLES,
    )


def pages(server: Server) -> RuleDeclaration | None:
    """`ResultPager()`, or None if no tool pages its results; each tool declares the size of its
    pages."""
    if not any(tool.page for tool in server.tools):
        return None
    return RuleDeclaration(CallExpr("ResultPager"), {"server.pagination": ("ResultPager",)})


_VARIABLES = (
    *ASKING,
    PolicyVariable(
        "confirm_calls", "whether users confirm the calls that need confirmation", "true"
    ),
)


def confirmation(server: Server) -> RuleDeclaration | None:
    """`Confirmation(settings, tools, ...)`; None if no call needs a confirmation."""
    spec = server.confirmation
    if spec is None:
        return None
    is_shared = server.limits.is_shared
    states = (CallExpr("redis_states", (NameExpr("settings"),)),) if is_shared else ()
    shared = {"elicitation.request_states_redis": ("redis_states",)} if is_shared else {}
    keywords: tuple[tuple[str, Value], ...] = (("open", True),) if spec.allows_unconfirmed else ()
    return RuleDeclaration(
        CallExpr("Confirmation", (NameExpr("settings"), spec.tools, *states), keywords),
        {"elicitation.confirm": ("Confirmation",), **shared},
        ("elicitation.confirm", "ConfirmSettings"),
        variables=_VARIABLES,
    )


_CALLEES = {"search": "SearchShape", "fetch": "FetchShape"}


def connector(server: Server) -> RuleDeclaration | None:
    """`Connector(search=SearchShape(…), fetch=FetchShape(…))`; None without a tool `search` or
    `fetch`."""
    contracts = {tool.contract.name: tool.contract for tool in server.tools if tool.contract}
    if not contracts:
        return None
    kept = [contracts[name] for name in _CALLEES if name in contracts]
    calls = tuple((contract.name, _shape_call(contract)) for contract in kept)
    names = ("Connector", *(_CALLEES[contract.name] for contract in kept))
    return RuleDeclaration(CallExpr("Connector", (), calls), {"search.connector": names})


def _shape_call(contract: ChatGptContract) -> CallExpr:
    """`SearchShape(…)` or `FetchShape(…)`, with the configured paths."""
    keywords = tuple((key, path) for key, path in contract.paths.items() if path)
    more = (("metadata", contract.metadata),) if contract.metadata else ()
    return CallExpr(_CALLEES[contract.name], (), (*keywords, *more))
