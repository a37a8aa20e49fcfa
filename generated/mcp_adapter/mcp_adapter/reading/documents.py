"""The tool `fetch`: a record as a document.

The shape is the one of the tools `search` and `fetch` in https://platform.openai.com/docs/mcp:
`id`, `title`, `text`, `url` and `metadata`, as structured content and as the same JSON in text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from mcp_adapter.reading.resource_server import error_result, request_json
from mcp_adapter.reading.sources import SOURCE, select_keys
from mcp_adapter.reading.titles import title_of
from mcp_adapter.runtime.hooks import Call, Json, Result


async def fetch(call: Call) -> Result:
    """Returns the document of an id. The resource server selects the fields of the record."""
    parts = str(call.arguments["id"]).split("/")
    stated = call.arguments.get("connection_id")
    if len(parts) not in (2, 3) or not all(parts):
        return error_result("invalid_id", "an id is the one that search returned, or stream/record")
    *named, stream, record_id = parts
    connection_id = named[0] if named else stated
    if stated and stated != connection_id:
        return error_result("invalid_id", "the id is of another connection than connection_id says")
    values = {"stream": stream, "record_id": record_id}
    asked = {"connection_id": connection_id, "fields": call.arguments.get("fields")}
    body = await request_json(call, "/v1/streams/{stream}/records/{record_id}", values, **asked)
    return Result.of(document(body["data"]))


def document(record: Mapping[str, Json]) -> dict[str, Json]:
    """Returns a record as a document; the text has the fields of the payload that were
    requested."""
    payload: Mapping[str, Json] = record["payload"]
    return {
        "id": record["id"],
        "title": title_of(record),
        "text": "\n".join(f"{name}: {_format_value(value)}" for name, value in payload.items()),
        "url": record["url"],
        "metadata": select_keys(record, ("stream", "record_id", *SOURCE, "emitted_at")),
    }


def _format_value(value: Json) -> str:
    return (
        value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )
