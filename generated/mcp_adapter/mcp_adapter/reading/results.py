"""Results with the same content for every client, also for clients that hide structured content."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.runtime.hooks import Json, Result


def object_result(value: Mapping[str, Json], *lines: str, failed: bool = False) -> Result:
    """Returns a result with `lines` as text for the model, `value` as JSON in text, and `value` as
    structured content.

    https://modelcontextprotocol.io/specification/2025-11-25/server/tools#structured-content
    """
    blocks = (*Result.text("\n".join(lines)).content, *Result.json(value).content)
    return Result(blocks, structured=dict(value), failed=failed)
