"""The title of a record in search results and documents."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.runtime.hooks import Json


def title_of(record: Mapping[str, Json]) -> str:
    """Returns the title that the source gave the record, else stream, author, time and connection.

    The title uses only fields in the payload of the answer, so a field that was not requested does
    not appear. The time is the time of the event, or else the time of collection.
    """
    payload, roles = record["payload"], record.get("roles", {})
    title = payload.get(roles.get("title"))
    if title:
        return str(title)
    author = payload.get(roles.get("author"))
    moment = payload.get(roles.get("time")) or record["emitted_at"]
    label = record.get("display_name") or record["connection_id"]
    parts = [record["stream"], author, _format_minute(str(moment)), label]
    return " · ".join(str(part) for part in parts if part)


def _format_minute(moment: str) -> str:
    """Returns an ISO 8601 time to the minute."""
    return f"{moment[:10]} {moment[11:16]} UTC"
