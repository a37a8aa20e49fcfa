"""Pages of long tool lists.

A page has at most `PAGE_BYTES`, because the official client refuses events above 1,048,576 bytes.
https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
"""

from __future__ import annotations

from collections.abc import Sequence

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from ..extensions import Extensions
from ..tool import Tool
from .asgi import ascii_json
from .tool_registry import ListPage, tool_entry

PAGE_BYTES = 768 * 1024
"""Maximum bytes of the tools of a page, as ASCII JSON; a single tool may be larger."""

_SEPARATOR = 1


class ListPages:
    """Splits tool lists into pages. The size of a tool is cached, and so are the pages of the
    latest list."""

    def __init__(self, max_bytes: int = PAGE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._sizes: dict[str, int] = {}
        self._cache: tuple[Sequence[Tool], list[ListPage]] | None = None

    def page(self, tools: Sequence[Tool], cursor: str | None) -> ListPage:
        """The page at a cursor, the first page without a cursor. Raises `MCPError` for an unknown
        cursor."""
        if self._cache is None or self._cache[0] is not tools:
            self._cache = tools, self._split(tools)
        pages = self._cache[1]
        number = 1 if cursor is None else _page_number(cursor)
        if not 1 <= number <= len(pages):
            raise MCPError(INVALID_PARAMS, "There is no such page of the list")
        return pages[number - 1]

    def _split(self, tools: Sequence[Tool]) -> list[ListPage]:
        starts, room = [0], self._max_bytes
        for index, tool in enumerate(tools):
            size = self._size(tool)
            if size > room and index > starts[-1]:
                starts.append(index)
                room = self._max_bytes
            room -= size
        if len(starts) == 1:
            return [ListPage(tools, None)]
        ends = [*starts[1:], len(tools)]
        last = len(starts)
        return [
            ListPage(tools[start:end], str(number + 1) if number < last else None)
            for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
        ]

    def _size(self, tool: Tool) -> int:
        if tool.name not in self._sizes:
            self._sizes[tool.name] = len(ascii_json(tool_entry(tool))) + _SEPARATOR
        return self._sizes[tool.name]


def _page_number(cursor: str) -> int:
    """The page number of a cursor, 0 if invalid."""
    return int(cursor) if cursor.isascii() and cursor.isdecimal() and len(cursor) < 6 else 0


def paged_lists(installed: Extensions) -> None:
    """Installs pages of tool lists."""
    installed.list_pages = ListPages
