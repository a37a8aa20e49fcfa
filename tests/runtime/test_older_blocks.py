"""Clients of older revisions get blocks of types that their revision has."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen_runtime.server.mcp_server import _older_blocks

AUDIO = {"type": "audio", "data": "AA==", "mimeType": "audio/wav"}
LINK = {"type": "resource_link", "name": "log", "uri": "file:///log"}
TEXT = {"type": "text", "text": "done"}


@pytest.mark.parametrize(
    ("revision", "types"),
    [
        ("2024-11-05", ["text", "resource", "text"]),
        ("2025-03-26", ["text", "audio", "text"]),
        ("2025-06-18", ["text", "audio", "resource_link"]),
        ("2026-07-28", ["text", "audio", "resource_link"]),
    ],
)
def test_later_blocks_are_replaced(revision: str, types: list[str]) -> None:
    answer: dict[str, Any] = {"isError": False, "content": [TEXT, AUDIO, LINK]}

    result = _older_blocks(answer, revision)

    assert [block["type"] for block in result["content"]] == types


def test_nothing_of_a_later_block_is_lost() -> None:
    audio, link = _older_blocks({"content": [AUDIO, LINK]}, "2024-11-05")["content"]

    assert audio["resource"] == {"uri": "audio:result", "mimeType": "audio/wav", "blob": "AA=="}
    assert link["text"] == "log: file:///log"
