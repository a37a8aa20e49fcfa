"""What identifies the source of a row, a record or a hit."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_adapter.runtime.hooks import Json

SOURCE = ("connection_id", "connector_key", "grant_id", "display_name")
"""Keys that say where something is from. A connection need not have a display name."""

RECORD = ("id", "record_id", "stream", *SOURCE)
"""Keys that say which record something is."""


def picked(told: Mapping[str, Json], keys: tuple[str, ...]) -> dict[str, Json]:
    """What is told of these keys, as far as it is."""
    return {key: told[key] for key in keys if key in told}


def label(told: Mapping[str, Json]) -> str:
    """A connection in words."""
    named = f" {told['display_name']!r}" if "display_name" in told else ""
    return f"{told['connection_id']}{named}"
