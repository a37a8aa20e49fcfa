"""The keys that identify the source of a row, a record or a hit."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.runtime.hooks import Json

SOURCE = ("connection_id", "connector_key", "grant_id", "display_name")
"""Keys of the connection. A connection need not have a display name."""

RECORD = ("id", "record_id", "stream", *SOURCE)
"""Keys of a record."""


def select_keys(record: Mapping[str, Json], keys: tuple[str, ...]) -> dict[str, Json]:
    """Returns these keys of a record, without missing keys."""
    return {key: record[key] for key in keys if key in record}


def label(record: Mapping[str, Json]) -> str:
    """Returns the id and the display name of a connection."""
    named = f" {record['display_name']!r}" if "display_name" in record else ""
    return f"{record['connection_id']}{named}"
