"""The rules that limit calls, and those that spare an API."""

from __future__ import annotations

from mcpgen.emit.literal import Call, Name, Value
from mcpgen.emit.policy.declared import Declared, Variable
from mcpgen.ir.server import Server

_LIMITS = "limits>=5.8,<6"
_SETTINGS = Name("settings")

_SWITCH = Variable("limits", "whether rates and numbers of calls at once are kept", "on")
_RATE_VARIABLES = (
    _SWITCH,
    Variable("limit_all", "how often all callers together may call: 1000/minute, off", ""),
    Variable("limit_subject", "how often each caller may call", ""),
    Variable("limit_tools", "how often a tool may be called: search=3/second,report=5/hour", ""),
    Variable("limit_subject_tools", "how often each caller may call a tool", ""),
    Variable("trusted_proxies", "networks of proxies whose X-Forwarded-For is believed", "none"),
)

_CAP_VARIABLES = (
    _SWITCH,
    Variable("limit_concurrent", "how many calls may be under way at once", ""),
    Variable("limit_concurrent_subject", "how many calls of one caller may be", ""),
    Variable("limit_call_seconds", "how long a call may take", ""),
    Variable("limit_result_bytes", "how large a result may be", ""),
)
_RETRY_VARIABLES = (
    Variable("retries", "how many times a request is repeated that may be", ""),
    Variable("retry_wait_seconds", "how long to wait at most before that", ""),
)
_BREAKER_VARIABLES = (
    Variable("breaker_failures", "after how many failures the API is left alone", ""),
    Variable("breaker_seconds", "for how long", ""),
)


def rate_limits(server: Server) -> Declared | None:
    """`RateLimits(settings, Rates(...), ...)`, if there are rates."""
    rates = server.limits.rates
    if not rates.some:
        return None
    texts = (("all", rates.all), ("subject", rates.subject))
    tables = (("tools", dict(rates.tools)), ("subject_tools", dict(rates.subject_tools)))
    said: tuple[tuple[str, Value], ...] = tuple(each for each in (*texts, *tables) if each[1])
    flags = ("messages", "by_address", "open")
    keywords: tuple[tuple[str, Value], ...] = (("code", rates.code),)
    keywords += tuple((name, True) for name in flags if getattr(rates, name))
    is_shared = server.limits.shared
    store = (Call("redis_windows", (_SETTINGS,)),) if is_shared else ()
    shared = {"redis_windows": ("redis_windows",)} if is_shared else {}
    return Declared(
        Call("RateLimits", (_SETTINGS, Call("Rates", (), said), *store), keywords),
        {"rates": ("RateLimits", "Rates"), **shared},
        ("rates", "RateSettings"),
        (_LIMITS,),
        _RATE_VARIABLES,
    )


def caps(server: Server) -> Declared | None:
    """`Caps(settings, ...)`, if there are caps."""
    caps = server.limits.caps
    names = ("concurrent", "concurrent_subject", "call_seconds", "result_bytes")
    keywords = tuple((name, getattr(caps, name)) for name in names if getattr(caps, name))
    if not keywords:
        return None
    return Declared(
        Call("Caps", (_SETTINGS,), keywords),
        {"caps": ("Caps",)},
        ("caps", "CapSettings"),
        variables=_CAP_VARIABLES,
    )


def retries(server: Server) -> Declared | None:
    """`Retries(settings, ...)`, if requests are repeated."""
    limits = server.limits
    if not limits.retries:
        return None
    keywords = (("attempts", limits.retries), ("wait_seconds", limits.retry_wait_seconds))
    return Declared(
        Call("Retries", (_SETTINGS,), keywords),
        {"retries": ("Retries",)},
        ("retries", "RetrySettings"),
        variables=_RETRY_VARIABLES,
    )


def breaker(server: Server) -> Declared | None:
    """`Breaker(settings, ...)`, if an API that fails is left alone."""
    limits = server.limits
    if not limits.breaker_failures:
        return None
    keywords: tuple[tuple[str, Value], ...] = (
        ("failures", limits.breaker_failures),
        ("seconds", limits.breaker_seconds),
    )
    shared = {"redis_circuits": ("redis_circuits",)} if limits.shared else {}
    if shared:
        keywords += (("share", Call("redis_circuits", (_SETTINGS,))),)
    return Declared(
        Call("Breaker", (_SETTINGS,), keywords),
        {"breaker": ("Breaker",), **shared},
        ("breaker", "BreakerSettings"),
        variables=_BREAKER_VARIABLES,
    )
