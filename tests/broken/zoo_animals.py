"""Every broken server, and the correct ones that differ in what the specification leaves open."""

from __future__ import annotations

import zoo_auth
import zoo_calls
import zoo_features
import zoo_headers
import zoo_hosts
import zoo_jsonrpc
import zoo_lifecycle
import zoo_lists
import zoo_modern
import zoo_security
import zoo_sessions
import zoo_streams
import zoo_transport
import zoo_workspace
from zoo_kit import ANIMALS, Animal
from zoo_server import ZooServer

PAGES = (
    zoo_lifecycle,
    zoo_sessions,
    zoo_modern,
    zoo_headers,
    zoo_transport,
    zoo_streams,
    zoo_jsonrpc,
    zoo_lists,
    zoo_hosts,
    zoo_calls,
    zoo_features,
    zoo_security,
    zoo_auth,
    zoo_workspace,
)
"""The modules whose import registers the animals, as the pages of checks."""


class Whole(zoo_auth.Guarded, zoo_sessions.Sessions, zoo_streams.Resumable, zoo_features.Rich):
    """A correct server with a token, sessions, streams to resume and every capability."""


CORRECT: tuple[type[ZooServer], ...] = (
    ZooServer,
    zoo_streams.Streaming,
    zoo_streams.Resumable,
    zoo_sessions.Sessions,
    zoo_lists.Paged,
    zoo_headers.Mirroring,
    zoo_features.Rich,
    zoo_auth.Guarded,
    zoo_security.Patient,
    zoo_transport.ModernOnly,
    Whole,
)
"""Servers that differ in what the specification leaves open."""

__all__ = ["ANIMALS", "CORRECT", "PAGES", "Animal"]
