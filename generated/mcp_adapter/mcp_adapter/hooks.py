"""What the tools of the adapter do: each asks the resource server with the caller's own grant.

The modules in `reading` say what becomes of its answers. Which bearers are let in is decided before any
of this, by the policy.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp_adapter.reading.asking import failing
from mcp_adapter.reading.discovery import schema
from mcp_adapter.reading.documents import fetch
from mcp_adapter.reading.records import aggregate, query_records
from mcp_adapter.reading.searching import search
from mcp_adapter.resource.embedded import ADDRESS, embedded
from mcp_adapter.runtime.hooks import Hooks
from mcp_adapter.settings import Settings


@asynccontextmanager
async def beside(settings: Settings) -> AsyncIterator[None]:
    """The time in which the sample archive is served, unless the adapter is told of another."""
    if settings.upstream != ADDRESS:
        yield
        return
    async with embedded():
        yield


HOOKS = Hooks(
    tools={
        "schema": failing(schema),
        "query_records": failing(query_records),
        "aggregate": failing(aggregate),
        "search": failing(search),
        "fetch": failing(fetch),
    },
    lifespan=beside,
)
