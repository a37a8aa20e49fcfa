"""The limits of a server, ready to be written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RatesSpec:
    """How often tools may be called, `""` where nothing is said; `tools` and `subject_tools` by the
    name of a tool.

    `code` is that of the JSON-RPC error. `messages` counts every message, `by_address` unknown
    callers by their address; `open` lets calls through while the store is away.
    """

    all: str = ""
    subject: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    subject_tools: Mapping[str, str] = field(default_factory=dict)
    code: int = 429
    messages: bool = False
    by_address: bool = False
    open: bool = False

    @property
    def some(self) -> bool:
        """Whether anything is limited."""
        return bool(self.all or self.subject or self.tools or self.subject_tools)


@dataclass(frozen=True, slots=True)
class CapsSpec:
    """How many calls at once, for how long and with how large a result; 0 for any."""

    concurrent: int = 0
    concurrent_subject: int = 0
    call_seconds: int = 0
    result_bytes: int = 0


@dataclass(frozen=True, slots=True)
class LimitsSpec:
    """The limits of a server. `retries` and `breaker_failures` are 0 where a request is never
    repeated, and where the API is never left alone. `shared` tells that all processes and machines share
    counts, circuits, used confirmations and changes in Redis."""

    rates: RatesSpec = field(default_factory=RatesSpec)
    caps: CapsSpec = field(default_factory=CapsSpec)
    retries: int = 0
    retry_wait_seconds: int = 0
    breaker_failures: int = 0
    breaker_seconds: int = 0
    shared: bool = False
