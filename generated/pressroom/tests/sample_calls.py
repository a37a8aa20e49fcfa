"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {
    "list_pages": {},
    "get_page": {"page": "a"},
    "save_page": {"page": "a", "title": "Spring fair", "text": "Come and see."},
    "start_publication": {"section": "news"},
    "get_publication": {"publication": "p-0"},
}
