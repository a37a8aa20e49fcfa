"""Cursors and bookmarks of changes: values that a client gives back as they are."""

from __future__ import annotations

import base64
import json

from mcp_adapter.resource.conditions import Value
from mcp_adapter.resource.problems import invalid


def sealed(kind: str, *values: Value) -> str:
    """A bookmark of some kind that holds these values."""
    return base64.urlsafe_b64encode(json.dumps([kind, *values]).encode()).decode().rstrip("=")


def opened(kind: str, bookmark: str, count: int) -> list[Value]:
    """The values of a bookmark. Raises `Problem` for one that was not made here."""
    try:
        found = json.loads(base64.urlsafe_b64decode(bookmark + "=" * (-len(bookmark) % 4)))
    except ValueError:
        found = None
    if not isinstance(found, list) or len(found) != count + 1 or found[0] != kind:
        raise invalid(f"{bookmark!r} is no bookmark of the kind `{kind}`")
    if not all(value is None or isinstance(value, str | int | float) for value in found):
        raise invalid(f"{bookmark!r} holds what no bookmark does")
    return found[1:]
