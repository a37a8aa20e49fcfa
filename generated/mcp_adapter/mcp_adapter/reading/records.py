"""The tools `query_records` and `aggregate`.

Handles are the values for a later call: the cursor of the next page, and the bookmark of changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_adapter.reading.resource_server import request_json
from mcp_adapter.reading.results import object_result
from mcp_adapter.reading.sources import RECORD, label, select_keys
from mcp_adapter.runtime.hooks import Call, Json, Result

_RECORD_KEYS = (*RECORD, "payload", "expanded")


async def query_records(call: Call) -> Result:
    """Returns a page of records of a connection, or of records changed since a bookmark."""
    given = dict(call.arguments)
    stream = given.pop("stream")
    count = "exact" if given.pop("count", False) else None
    path = "/v1/streams/{stream}/records"
    body = await request_json(call, path, {"stream": stream}, count=count, **given)
    records = [_record(record) for record in body["data"]]
    document = {"data": records, **_page_handles(body)}
    return object_result(document, _head(stream, records), *_handle_lines(body))


async def aggregate(call: Call) -> Result:
    """Returns a value, or a value for each group."""
    given = dict(call.arguments)
    stream = given.pop("stream")
    body = await request_json(call, "/v1/streams/{stream}/aggregate", {"stream": stream}, **given)
    heading = f"{given['function']} of {given.get('field', 'records')} in {stream}"
    return object_result(
        {"data": body["data"], **_page_handles(body)}, heading, *_handle_lines(body)
    )


def _record(record: Mapping[str, Json]) -> dict[str, Json]:
    """Returns the parts of a record for clients: the keys that identify the record, and the
    payload. The payload has only the requested fields, which the resource server selected."""
    shown = select_keys(record, _RECORD_KEYS)
    if "expanded" in shown:
        related = shown["expanded"].items()
        shown["expanded"] = {
            name: [_record(nested) for nested in records] for name, records in related
        }
    return shown


def _head(stream: str, records: Sequence[Mapping[str, Json]]) -> str:
    source = f" of {label(records[0])}, {records[0]['connector_key']}" if records else ""
    return f"Records from {stream}{source}: {len(records)}"


def _page_handles(body: Mapping[str, Json]) -> dict[str, Json]:
    """Returns the handles and the count of a page, for structured content."""
    handles = select_keys(body, ("has_more", "next_cursor", "next_changes_since"))
    count = body.get("meta", {}).get("count")
    return {**handles, "count": count} if count else handles


def _handle_lines(body: Mapping[str, Json]) -> Iterator[str]:
    """Yields the handles and the count as text, for clients that ignore structured content."""
    shown = _page_handles(body)
    if "count" in shown:
        yield f"count: {shown['count']['value']} ({shown['count']['kind']})"
    if "next_cursor" in shown:
        yield f"next_cursor: {shown['next_cursor']} (call again with cursor for the next page)"
    if "next_changes_since" in shown:
        bookmark = shown["next_changes_since"]
        yield f"next_changes_since: {bookmark} (call later with changes_since for what is new)"
