"""Results that say the same to every client, also to those that hide structured content."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.runtime.hooks import Json, Result


def told(value: Mapping[str, Json], *lines: str, failed: bool = False) -> Result:
    """A result of one object: in words what a model has to know to go on, then the object as JSON.

    https://modelcontextprotocol.io/specification/2025-11-25/server/tools#structured-content
    """
    blocks = (*Result.text("\n".join(lines)).content, *Result.json(value).content)
    return Result(blocks, structured=dict(value), failed=failed)
