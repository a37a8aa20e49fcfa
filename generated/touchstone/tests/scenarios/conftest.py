"""The server of each scenario, started with the fixtures of the scenario."""

from collections.abc import AsyncIterator

import pytest

from tests.sample_calls import NEEDS
from tests.scenario_engine.scenario import Scene
from tests.scenario_engine.server_fixture import performing
from tests.scenarios.fixtures import GIVEN
from touchstone_mcp.server import create
from touchstone_mcp.settings import Settings


@pytest.fixture
async def scene(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncIterator[Scene]:
    """The server with its hooks, in front of an upstream that records requests."""
    async with performing(request.node, GIVEN, create, Settings, **NEEDS) as scene:
        yield scene
