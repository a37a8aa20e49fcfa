"""All broken servers, and conforming servers that differ where the specification leaves a choice."""

from __future__ import annotations

import auth
import experience_workspace
import features
import headers
import host_limits
import jsonrpc
import lifecycle
import lists
import revision_2026_07_28
import security
import sessions
import stdio
import streams
import tool_calls
import transport
from base_server import ConformingServer
from builder import BROKEN_CASES, BrokenCase

PAGES = (
    lifecycle,
    sessions,
    revision_2026_07_28,
    headers,
    transport,
    streams,
    jsonrpc,
    lists,
    host_limits,
    tool_calls,
    features,
    security,
    auth,
    experience_workspace,
    stdio,
)
"""The modules whose import registers the broken servers, in the order of the modules of checks."""

# A module may import another, so the order of registration depends on the order of imports.
_ORDER = {page.__name__: number for number, page in enumerate(PAGES)}
BROKEN_CASES.sort(key=lambda case: _ORDER.get(case.make.__module__, len(PAGES)))


class Whole(auth.Guarded, sessions.Sessions, streams.Resumable, features.Rich):
    """A conforming server with a token, sessions, resumable streams and every capability."""


CONFORMING: tuple[type[ConformingServer], ...] = (
    ConformingServer,
    streams.Streaming,
    streams.Resumable,
    streams.Replaying,
    sessions.Sessions,
    lists.Paged,
    headers.Mirroring,
    features.Rich,
    auth.Guarded,
    security.Patient,
    transport.ModernOnly,
    Whole,
    stdio.OverStdio,
)
"""Conforming servers that differ where the specification leaves a choice."""

__all__ = ["BROKEN_CASES", "CONFORMING", "PAGES", "BrokenCase"]
