"""Limits on rate, concurrency and duration of calls, and the treatment of a failing API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config.key_spec import (
    KeyType,
    key,
    keys_of,
    within,
)
from mcpgen.config.validators import ValueRule

_is_rate = ValueRule(pattern=r"[1-9][0-9]{0,5}/([1-9][0-9]{0,3} )?(second|minute|hour|day)s?")
_RATES = "a rate such as `3/second`, `100/minute` or `1000/12 hours`"
_MAX_VALUE = 1_000_000_000
_CODES = "a number that JSON-RPC and MCP leave to servers, or 0"


class RateCounting(StrEnum):
    """The requests counted against a rate."""

    CALLS = "calls"
    MESSAGES = "messages"


class UnknownCallers(StrEnum):
    """The counting of anonymous callers."""

    TOGETHER = "together"
    ADDRESS = "address"


class CountStore(StrEnum):
    """The store of the counts."""

    MEMORY = "memory"
    REDIS = "redis"


class UnreachablePolicy(StrEnum):
    """The treatment of calls while the store is unreachable."""

    REFUSE = "refuse"
    ALLOW = "allow"


_RESERVED = range(-32768, -31999)
_is_code = ValueRule(
    minimum=-99_999,
    maximum=99_999,
    also=lambda code: code in (-32001, -32002) or code not in _RESERVED,
)
"""The code of an error. Codes from -32768 to -32000 are reserved by JSON-RPC; -32001 and -32002 are
permitted, since older servers use both codes."""


def _limit_key(
    name: str,
    variable: str,
    default: int,
    meaning: str,
    maximum: int = _MAX_VALUE,
    minimum: int = 0,
) -> Any:
    """A key for a number that an environment variable replaces."""
    rule = within(minimum, maximum)
    return key(f"limits.{name}", default, meaning, f"from {minimum} to {maximum}", rule, variable)


def _tool_rates_key(name: str, meaning: str, example: str) -> Any:
    """A key for rates by tool."""
    return key(
        f"limits.{name}",
        {},
        meaning,
        _RATES,
        _is_rate,
        f"limit_{name}",
        kind=KeyType.CHOICES,
        example=example,
    )


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    """The limits of a server. A rate of `""` and a number of 0 set no limit; `tools` and
    `subject_tools` are rates by tool name. `error_code` is 0 for the HTTP status."""

    all: str = key("limits.all", "", "Rate of all callers together.", _RATES, _is_rate, "limit_all")
    subject: str = key(
        "limits.subject", "", "Rate of each caller.", _RATES, _is_rate, "limit_subject"
    )
    count: RateCounting = key(
        "limits.count", RateCounting, "Whether calls of tools are counted, or all messages."
    )
    anonymous: UnknownCallers = key(
        "limits.anonymous",
        UnknownCallers,
        "Whether anonymous callers are counted together, or by address.",
    )
    store: CountStore = key(
        "limits.store",
        CountStore,
        "Where calls are counted and state is kept: in the memory of each process, or in Redis for all of them.",
    )
    unreachable: UnreachablePolicy = key(
        "limits.unreachable",
        UnreachablePolicy,
        "Treatment of calls while Redis cannot be reached.",
    )
    error_code: int = key(
        "limits.error_code",
        0,
        "The JSON-RPC code of a call over its rate; 0 for the HTTP status, 429.",
        _CODES,
        _is_code,
    )
    concurrent: int = _limit_key(
        "concurrent",
        "limit_concurrent",
        0,
        "Concurrent calls in a process; 0 for any number.",
    )
    concurrent_subject: int = _limit_key(
        "concurrent_subject",
        "limit_concurrent_subject",
        0,
        "Concurrent calls of one caller in a process; 0 for any number.",
    )
    call_seconds: int = _limit_key(
        "call_seconds",
        "limit_call_seconds",
        0,
        "Longest duration of a call, in seconds; 0 for any.",
        86_400,
    )
    result_bytes: int = _limit_key(
        "result_bytes", "limit_result_bytes", 0, "Largest size of a result, in bytes; 0 for any."
    )
    retries: int = _limit_key(
        "retries", "retries", 0, "Repetitions of a request that is safe to repeat.", 10
    )
    retry_wait_seconds: int = _limit_key(
        "retry_wait_seconds",
        "retry_wait_seconds",
        5,
        "Longest wait before a repetition, in seconds.",
        3600,
    )
    breaker_failures: int = _limit_key(
        "breaker_failures",
        "breaker_failures",
        0,
        "Failures in a row after which the API gets no requests; 0 for never.",
        1000,
    )
    breaker_seconds: int = _limit_key(
        "breaker_seconds",
        "breaker_seconds",
        30,
        "Time without requests after the failures, in seconds.",
        86_400,
        minimum=1,
    )
    tools: Mapping[str, str] = _tool_rates_key(
        "tools", "Rates of tools, by name.", '# "search" = "100/minute"'
    )
    subject_tools: Mapping[str, str] = _tool_rates_key(
        "subject_tools",
        "Rates of tools for each caller, by name.",
        '# "search" = "3/second"',
    )

    @property
    def has_rates(self) -> bool:
        """True if any rate is limited."""
        return bool(self.all or self.subject or self.tools or self.subject_tools)

    @property
    def is_shared(self) -> bool:
        """True if counts, circuits, used confirmations and changes are kept in Redis."""
        return self.store is CountStore.REDIS


KEYS = keys_of(LimitsConfig)
