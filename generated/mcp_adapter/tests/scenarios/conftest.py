"""The server of each scenario, started with the fixtures of the scenario."""

from collections.abc import AsyncIterator

import pytest

from mcp_adapter.server import create
from mcp_adapter.settings import Settings
from tests.auth_fixture import ENTRANCE
from tests.scenario_engine.scenario import Scene
from tests.scenario_engine.server_fixture import performing
from tests.scenarios.fixtures import GIVEN


@pytest.fixture
async def scene(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncIterator[Scene]:
    """The server with its hooks, in front of an upstream that records requests."""
    async with performing(request.node, GIVEN, create, Settings, ENTRANCE) as scene:
        yield scene
