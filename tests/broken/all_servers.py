"""Every broken server, and the correct ones that differ in what the specification leaves open."""

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
import streams
import tool_calls
import transport
from base_server import BrokenServer
from builder import ANIMALS, Animal

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
)
"""The modules whose import registers the animals, as the pages of checks."""


class Whole(auth.Guarded, sessions.Sessions, streams.Resumable, features.Rich):
    """A correct server with a token, sessions, streams to resume and every capability."""


CORRECT: tuple[type[BrokenServer], ...] = (
    BrokenServer,
    streams.Streaming,
    streams.Resumable,
    sessions.Sessions,
    lists.Paged,
    headers.Mirroring,
    features.Rich,
    auth.Guarded,
    security.Patient,
    transport.ModernOnly,
    Whole,
)
"""Servers that differ in what the specification leaves open."""

__all__ = ["ANIMALS", "CORRECT", "PAGES", "Animal"]
