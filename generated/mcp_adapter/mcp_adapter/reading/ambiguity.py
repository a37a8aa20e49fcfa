"""The error of a read that does not say which of several sources it means."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.reading.results import told
from mcp_adapter.runtime.hooks import Json, Result

AMBIGUOUS = "ambiguous_connection"

SHOWN = 8
"""How many candidates the error names; a package may hold hundreds."""

_HINT = "Call schema for the full connection index."
_TOLD = ("grant_id", "connector_key", "connection_id", "display_name")


def ambiguous(problem: Mapping[str, Json]) -> Result:
    """The error, from what the resource server says: it knows the candidates, so nobody else is
    asked."""
    every = problem.get("available_connections") or []
    total = problem.get("total_connections", len(every))
    shown = [{key: one[key] for key in _TOLD if key in one} for one in every[:SHOWN]]
    error: dict[str, Json] = {
        "code": AMBIGUOUS,
        "message": problem.get("message", ""),
        "retry_with": "connection_id",
        "available_connections": shown,
        "total_connections": total,
        "truncated": total > len(shown),
    }
    lines = [
        f"{AMBIGUOUS}: {error['message']}",
        f"retry_with: connection_id; one of {', '.join(one['connection_id'] for one in shown)}",
    ]
    if error["truncated"]:
        error["hint"] = _HINT
        lines.append(f"These are {len(shown)} of {total}. {_HINT}")
    return told(error, *lines, failed=True)
