"""The error of a read without `connection_id` if several connections have the stream."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.reading.results import object_result
from mcp_adapter.reading.sources import select_keys
from mcp_adapter.runtime.hooks import Json, Result

AMBIGUOUS = "ambiguous_connection"

SHOWN = 8
"""The most connections that the error lists; a package may have hundreds."""

_HINT = "Call schema for the full connection index."
_CONNECTION_KEYS = ("grant_id", "connector_key", "connection_id", "display_name")


def ambiguity_result(problem: Mapping[str, Json]) -> Result:
    """Returns the error result. `problem` is the error of the resource server, with the connections
    to choose from, so no further request is needed."""
    connections = problem.get("available_connections") or []
    total = problem.get("total_connections", len(connections))
    shown = [select_keys(connection, _CONNECTION_KEYS) for connection in connections[:SHOWN]]
    error: dict[str, Json] = {
        "code": AMBIGUOUS,
        "message": problem.get("message", ""),
        "retry_with": "connection_id",
        "available_connections": shown,
        "total_connections": total,
        "truncated": total > len(shown),
    }
    ids = ", ".join(connection["connection_id"] for connection in shown)
    lines = [
        f"{AMBIGUOUS}: {error['message']}",
        f"retry_with: connection_id; one of {ids}",
    ]
    if error["truncated"]:
        error["hint"] = _HINT
        lines.append(f"These are {len(shown)} of {total}. {_HINT}")
    return object_result(error, *lines, failed=True)
