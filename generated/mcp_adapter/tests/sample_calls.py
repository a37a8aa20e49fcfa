"""The least that each tool accepts, as far as it is known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {}
"""Of tools that make a request by themselves."""

HANDLED: dict[str, dict[str, Any]] = {
    "schema": {},
    "query_records": {"stream": "sample"},
    "aggregate": {"stream": "sample", "function": "count"},
    "search": {"query": "sample"},
    "fetch": {"id": "sample"},
}
"""Of tools that a handler answers."""
