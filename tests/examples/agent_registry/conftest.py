"""The registry, and the MCP server that was built for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.examples.agent_registry.registry_thread import RunningRegistry, registry
from tests.examples.project_process import ServerEndpoint, serving


@pytest.fixture
def counterpart() -> Iterator[RunningRegistry]:
    """An empty registry."""
    with registry() as running:
        yield running


@pytest.fixture(scope="module")
def shared() -> Iterator[RunningRegistry]:
    """One registry for all tests of a module."""
    with registry() as running:
        yield running


@pytest.fixture(scope="module")
def front(shared: RunningRegistry) -> Iterator[ServerEndpoint]:
    """The MCP server in front of the shared registry."""
    with serving("agent-registry", shared.url) as front:
        yield front
