"""Full-text search in all sources of a reader, with a common ranking and a common limit."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from typing import Any

from mcp_adapter.resource.bookmarks import decode_bookmark, encode_bookmark
from mcp_adapter.resource.conditions import Value
from mcp_adapter.resource.grants import Reader
from mcp_adapter.resource.problems import invalid_argument
from mcp_adapter.resource.records import record_envelope

SHOWN = 24
"""Words of a record in a snippet."""

# Private-use code points, which no word of the archive has.
_BEGIN, _END = "\ue000", "\ue001"

_SQL = """
SELECT records.*, snippet(words, 0, '{begin}', '{end}', '…', {shown}) AS found
FROM words JOIN records ON records.version = words.rowid
WHERE words MATCH ? AND connection_id IN ({sources}) AND (? = '' OR stream = ?)
ORDER BY words.rank, records.version LIMIT ? OFFSET ?
"""


def search_records(
    archive: sqlite3.Connection,
    reader: Reader,
    query: str,
    *,
    connection_id: str = "",
    stream: str = "",
    limit: int,
    cursor: str = "",
) -> dict[str, Any]:
    """Returns the best hits in all sources, or in a source. A hit is a record with a snippet:
    `text`, and `marks`, the begin and the end of each match in the text. Raises `Problem`."""
    sources = {
        source.connection_id: source
        for source in ([reader.source_with_id(connection_id)] if connection_id else reader.sources)
    }
    offset = _offset(cursor)
    sql = _SQL.format(begin=_BEGIN, end=_END, shown=SHOWN, sources=", ".join("?" * len(sources)))
    values: Sequence[Value] = (
        _match_expression(query),
        *sources,
        stream,
        stream,
        limit + 1,
        offset,
    )
    rows = archive.execute(sql, values).fetchall()
    hits = []
    for row in rows[:limit]:
        source = sources[row["connection_id"]]
        known = next(stream for stream in source.streams if stream.name == row["stream"])
        hit = record_envelope(source, known, row, list(known.roles.values()))
        hits.append({**hit, "roles": known.roles, "snippet": _snippet(row["found"])})
    more = {"next_cursor": encode_bookmark("hits", offset + limit)} if len(rows) > limit else {}
    return {"data": hits, "has_more": bool(more), **more}


def _offset(cursor: str) -> int:
    """Returns the number of hits on the pages before a cursor."""
    if not cursor:
        return 0
    (offset,) = decode_bookmark("hits", cursor, 1)
    if not isinstance(offset, int) or offset < 0:
        raise invalid_argument("the cursor is not from a search")
    return min(offset, 1_000_000)


def _match_expression(query: str) -> str:
    """Returns an FTS5 query for all words of a text. Quotes keep FTS5 from reading a word as an
    operator."""
    words = re.findall(r"\w+", query)
    if not words:
        raise invalid_argument("query has no word to look for")
    return " ".join(json.dumps(word, ensure_ascii=False) for word in words)


def _snippet(found: str) -> dict[str, Any]:
    """Returns the plain text of a snippet, and the positions of the matches."""
    text, marks = "", []
    for part in re.split(f"({_BEGIN}.*?{_END})", found, flags=re.DOTALL):
        plain = part.strip(_BEGIN + _END)
        if part.startswith(_BEGIN):
            marks.append([len(text), len(text) + len(plain)])
        text += plain
    return {"text": text, "marks": marks}
