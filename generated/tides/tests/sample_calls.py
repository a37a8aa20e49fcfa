"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {
    "list_harbours": {},
    "get_tides": {"harbour": "sample", "date": "2026-01-15"},
    "create_alert": {
        "harbour": "sample",
        "metres": 3.5,
        "notify_email": "harbour.master@tides.example",
    },
}
