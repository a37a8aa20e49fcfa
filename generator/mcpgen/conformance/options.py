"""What the person who runs the checks may choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from mcpgen.conformance.model import Level
from mcpgen.conformance.strict_json import Json


class CallableTools(StrEnum):
    """Which tools may be called: none, those announced read-only, or all."""

    NONE = "none"
    SAFE = "safe"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The choices of one run.

    `arguments` are the argument objects to call each tool with; the person vouches that those
    calls succeed. Tools without an entry are called with arguments sampled from their schema.
    `profiles` are the words that select checks (see `mcpgen.conformance.profiles`); none are the
    default ones.
    `require` are revisions the server must speak; every other one is checked if it is spoken.
    `enforce` are the levels whose violation is a failure; the others warn. `only` and `skip` are
    check ids. `timeout` (per request) and `deadline` (in all) are seconds; `max_bytes` bounds one
    answer, and `event_bytes` one event of a stream (0: any size). `bad_calls` is the number of tools that are also called with bad arguments; tools in
    `never_call` are not called at all. `active` allows the checks that intrude: many requests,
    oversize messages, hostile arguments. `refused_tokens` are bearer tokens that the server must
    refuse, by what is wrong with them (`expired`, `of another server`). Of one check's findings in
    one revision the first `shown` are reported; the rest is counted.

    `trusted_domains` are those whose servers get the user's token (`*.example.com` is the domain and
    all below it); without any, none is expected. `pace` multiplies every time that a host allows:
    above 1 for a slow network, below 1 for more to spare.

    `official` is a folder: the official suite is asked, too, and kept there for the next time.
    """

    call: CallableTools = CallableTools.SAFE
    arguments: Mapping[str, tuple[Mapping[str, Json], ...]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    profiles: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    enforce: frozenset[Level] = frozenset({Level.MUST})
    only: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()
    timeout: float = 10.0
    deadline: float = 120.0
    max_bytes: int = 32 * 1024 * 1024
    event_bytes: int = 0
    bad_calls: int = 25
    never_call: frozenset[str] = frozenset()
    trusted_domains: tuple[str, ...] = ()
    pace: float = 1.0
    active: bool = False
    refused_tokens: Mapping[str, str] = field(default_factory=dict)
    shown: int = 20
    official: Path | None = None
