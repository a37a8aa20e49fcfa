"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {}
"""Arguments of tools that make a request."""

HANDLED: dict[str, dict[str, Any]] = {
    "schema": {},
    "query_records": {"stream": "sample"},
    "aggregate": {"stream": "sample", "function": "count"},
    "search": {"query": "sample"},
    "fetch": {"id": "sample"},
}
"""Arguments of tools that a handler answers."""
