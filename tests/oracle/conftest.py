"""The oracle process, one per session."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.oracle.oracle_process import OracleProcess, start_oracle


@pytest.fixture(scope="session")
def oracle() -> Iterator[OracleProcess]:
    """The process with openapi-core and hypothesis-jsonschema."""
    with start_oracle() as process:
        yield process


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the tests run on."""
    return "asyncio"
