"""How a record is called where people read of it."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.runtime.hooks import Json


def title_of(record: Mapping[str, Json]) -> str:
    """The title its source gave it; else its stream, author and time, and where it is from.

    Only what the resource server told of the payload is used, so a field that was not asked for
    cannot show. The time is that of the event, and if there is none, that of its collection.
    """
    payload, roles = record["payload"], record.get("roles", {})
    title = payload.get(roles.get("title"))
    if title:
        return str(title)
    author = payload.get(roles.get("author"))
    moment = payload.get(roles.get("time")) or record["emitted_at"]
    label = record.get("display_name") or record["connection_id"]
    parts = [record["stream"], author, _readable(str(moment)), label]
    return " · ".join(str(part) for part in parts if part)


def _readable(moment: str) -> str:
    """A time to the minute."""
    return f"{moment[:10]} {moment[11:16]} UTC"
