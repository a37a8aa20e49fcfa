"""The server under test, in process, in front of a recording upstream on the loopback."""

from collections.abc import AsyncIterator

import pytest

from tests.support import Api, serving
from tides_mcp._runtime.hooks import Hooks
from tides_mcp.server import create
from tides_mcp.settings import Settings


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop of the tests."""
    return "asyncio"


@pytest.fixture(scope="session")
async def api(anyio_backend: str) -> AsyncIterator[Api]:
    """The server with test credentials and without hooks."""
    async with serving(lambda settings: create(settings, Hooks()), Settings) as api:
        yield api
