"""Full-text search over everything that a reader may read; one ranking, and one limit, for all."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from typing import Any

from mcp_adapter.resource.bookmarks import opened, sealed
from mcp_adapter.resource.conditions import Value
from mcp_adapter.resource.grants import Reader
from mcp_adapter.resource.problems import invalid
from mcp_adapter.resource.records import described

SHOWN = 24
"""How many words of a record a snippet shows."""

# Code points that are assigned to nothing, so no word is taken for them.
_BEGIN, _END = "\ue000", "\ue001"

_SQL = """
SELECT records.*, snippet(words, 0, '{begin}', '{end}', '…', {shown}) AS found
FROM words JOIN records ON records.version = words.rowid
WHERE words MATCH ? AND connection_id IN ({sources}) AND (? = '' OR stream = ?)
ORDER BY words.rank, records.version LIMIT ? OFFSET ?
"""


def hits(
    archive: sqlite3.Connection,
    reader: Reader,
    query: str,
    *,
    connection_id: str = "",
    stream: str = "",
    limit: int,
    cursor: str = "",
) -> dict[str, Any]:
    """The best hits of all sources, or of one. Each is a record with the snippet that was found in
    it: `text`, and the `marks` in it, each a begin and an end. Raises `Problem`."""
    sources = {
        one.connection_id: one
        for one in ([reader.named(connection_id)] if connection_id else reader.sources)
    }
    skipped = _skipped(cursor)
    sql = _SQL.format(begin=_BEGIN, end=_END, shown=SHOWN, sources=", ".join("?" * len(sources)))
    values: Sequence[Value] = (_match(query), *sources, stream, stream, limit + 1, skipped)
    rows = archive.execute(sql, values).fetchall()
    found = []
    for row in rows[:limit]:
        source = sources[row["connection_id"]]
        known = next(one for one in source.streams if one.name == row["stream"])
        hit = described(source, known, row, list(known.roles.values()))
        found.append({**hit, "roles": known.roles, "snippet": _snippet(row["found"])})
    more = {"next_cursor": sealed("hits", skipped + limit)} if len(rows) > limit else {}
    return {"data": found, "has_more": bool(more), **more}


def _skipped(cursor: str) -> int:
    """How many hits a cursor says were seen already."""
    if not cursor:
        return 0
    (skipped,) = opened("hits", cursor, 1)
    if not isinstance(skipped, int) or skipped < 0:
        raise invalid("the cursor is none of a search")
    return min(skipped, 1_000_000)


def _match(query: str) -> str:
    """A query of FTS5 that looks for all words of a text; nothing in it is an operator."""
    words = re.findall(r"\w+", query)
    if not words:
        raise invalid("query has no word to look for")
    return " ".join(json.dumps(word, ensure_ascii=False) for word in words)


def _snippet(found: str) -> dict[str, Any]:
    """Plain text and the places in it that match."""
    text, marks = "", []
    for part in re.split(f"({_BEGIN}.*?{_END})", found, flags=re.DOTALL):
        plain = part.strip(_BEGIN + _END)
        if part.startswith(_BEGIN):
            marks.append([len(text), len(text) + len(plain)])
        text += plain
    return {"text": text, "marks": marks}
