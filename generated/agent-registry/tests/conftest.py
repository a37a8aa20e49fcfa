"""The server under test, in process, in front of a recording upstream on the loopback."""

from collections.abc import AsyncIterator

import pytest

from agent_registry_mcp._runtime.hooks import Hooks
from agent_registry_mcp.server import create
from agent_registry_mcp.settings import Settings
from tests.support import Api, serving


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop of the tests."""
    return "asyncio"


@pytest.fixture(scope="session")
async def api(anyio_backend: str) -> AsyncIterator[Api]:
    """The server with test credentials and without hooks."""
    async with serving(lambda settings: create(settings, Hooks()), Settings) as api:
        yield api
