"""Every broken server, and the correct ones that differ in what the specification leaves open."""

from __future__ import annotations

import zoo_calls
import zoo_hosts
import zoo_jsonrpc
import zoo_lifecycle
import zoo_lists
import zoo_modern
import zoo_security
import zoo_transport
from zoo_kit import ANIMALS, Animal
from zoo_server import ZooServer

PAGES = (
    zoo_lifecycle,
    zoo_modern,
    zoo_transport,
    zoo_jsonrpc,
    zoo_lists,
    zoo_hosts,
    zoo_calls,
    zoo_security,
)
"""The modules whose import registers the animals, as the pages of checks."""

CORRECT: tuple[type[ZooServer], ...] = (
    ZooServer,
    zoo_transport.Streaming,
    zoo_lifecycle.Sessions,
    zoo_lists.Paged,
)
"""Servers that differ in what the specification leaves open."""

__all__ = ["ANIMALS", "CORRECT", "PAGES", "Animal"]
