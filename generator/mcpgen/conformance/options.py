"""The options of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from mcpgen.conformance.model import Level
from mcpgen.conformance.strict_json import Json


class CallableTools(StrEnum):
    """The tools that may be called: none, tools announced as read-only, or all."""

    NONE = "none"
    SAFE = "safe"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of one run. Durations are in seconds.

    `call`, `never_call`: callable tools. `arguments`: argument objects for tools, with which calls
    have to succeed; other tools get sampled arguments. `bad_calls`: number of tools called with
    invalid arguments. `active`: allows intrusive checks (many requests, oversize messages, hostile
    arguments).

    `profiles`: selected profiles (`()`: the default). `require`: revisions the server must support.
    `enforce`: levels with violations as failures. `only`, `skip`: check ids.

    `timeout`: per request. `call_timeout`: per call of a tool, if longer than `timeout`; progress
    notifications extend the time. `deadline`: for the whole run. `max_bytes`: limit of an answer.
    `event_bytes`: limit of an SSE event (0: unlimited). `pace` multiplies the time limits of hosts.

    `refused_tokens`: bearer tokens the server must refuse, by defect (`expired`, `of another
    server`). `trusted_domains`: domains with access to the user's token (`*.example.com` covers the
    domain and all names below). `shown`: findings reported per check and revision; the rest is
    counted. `official`: cache folder of the official suite; unset leaves the suite out.
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
    call_timeout: float = 60.0
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
