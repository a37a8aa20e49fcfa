"""The handlers of the tools. A handler sends requests to the resource server with the caller's grant.

The modules in `reading` make results of the answers. The rules in `policy.py` run before a handler,
and decide which bearer tokens are accepted.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp_adapter.reading.discovery import schema
from mcp_adapter.reading.documents import fetch
from mcp_adapter.reading.records import aggregate, query_records
from mcp_adapter.reading.resource_server import failures_as_results
from mcp_adapter.reading.searching import search
from mcp_adapter.resource.embedded import ADDRESS, serve_embedded
from mcp_adapter.runtime.hooks import Hooks
from mcp_adapter.settings import Settings


@asynccontextmanager
async def run_sample_archive(settings: Settings) -> AsyncIterator[None]:
    """Serves the sample archive while the adapter runs, unless a setting names another archive."""
    if settings.upstream != ADDRESS:
        yield
        return
    async with serve_embedded():
        yield


HOOKS = Hooks(
    tools={
        "schema": failures_as_results(schema),
        "query_records": failures_as_results(query_records),
        "aggregate": failures_as_results(aggregate),
        "search": failures_as_results(search),
        "fetch": failures_as_results(fetch),
    },
    lifespan=run_sample_archive,
)
