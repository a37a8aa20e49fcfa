"""The jury, summoned once for a session."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.oracle.oracle_process import OracleProcess, jury


@pytest.fixture(scope="session")
def judges() -> Iterator[OracleProcess]:
    """openapi-core and hypothesis-jsonschema."""
    with jury() as summoned:
        yield summoned


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the tests run on."""
    return "asyncio"
