"""What a server does with its process while it serves."""

from __future__ import annotations

import gc

import pytest
from tests.runtime.offering import served

pytestmark = pytest.mark.anyio


async def test_what_a_server_starts_with_is_not_looked_through_for_garbage() -> None:
    gc.unfreeze()

    async with served("http://127.0.0.1:9", ()):
        spared = gc.get_freeze_count()

    assert spared > 0
    assert gc.get_freeze_count() == 0
