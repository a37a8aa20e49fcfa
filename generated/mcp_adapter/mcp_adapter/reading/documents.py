"""The tool `fetch`: one record as a document.

The shape is that of search and fetch in https://platform.openai.com/docs/mcp: `id`, `title`, `text`,
`url` and `metadata`, as structured content and as the same JSON in text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from mcp_adapter.reading.asking import ask, typed
from mcp_adapter.reading.sources import SOURCE, picked
from mcp_adapter.reading.titles import title_of
from mcp_adapter.runtime.hooks import Call, Json, Result


async def fetch(call: Call) -> Result:
    """The document of an id; its fields are chosen where the record is, before it is a document."""
    parts = str(call.arguments["id"]).split("/")
    stated = call.arguments.get("connection_id")
    if len(parts) not in (2, 3) or not all(parts):
        return typed("invalid_id", "an id is the one that search returned, or stream/record")
    *named, stream, record_id = parts
    connection_id = named[0] if named else stated
    if stated and stated != connection_id:
        return typed("invalid_id", "the id is of another connection than connection_id says")
    values = {"stream": stream, "record_id": record_id}
    asked = {"connection_id": connection_id, "fields": call.arguments.get("fields")}
    body = await ask(call, "/v1/streams/{stream}/records/{record_id}", values, **asked)
    return Result.of(document(body["data"]))


def document(record: Mapping[str, Json]) -> dict[str, Json]:
    """A record as a document; of its payload, the text has what it was narrowed to."""
    payload: Mapping[str, Json] = record["payload"]
    return {
        "id": record["id"],
        "title": title_of(record),
        "text": "\n".join(f"{name}: {_written(value)}" for name, value in payload.items()),
        "url": record["url"],
        "metadata": picked(record, ("stream", "record_id", *SOURCE, "emitted_at")),
    }


def _written(value: Json) -> str:
    return (
        value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )
