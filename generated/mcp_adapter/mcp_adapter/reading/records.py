"""The tools `query_records` and `aggregate`: records and what they amount to, with their handles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_adapter.reading.asking import ask
from mcp_adapter.reading.results import told
from mcp_adapter.reading.sources import RECORD, label, picked
from mcp_adapter.runtime.hooks import Call, Json, Result

_TOLD = (*RECORD, "payload", "expanded")


async def query_records(call: Call) -> Result:
    """A page of records, or those that changed, from one connection."""
    given = dict(call.arguments)
    stream = given.pop("stream")
    count = "exact" if given.pop("count", False) else None
    path = "/v1/streams/{stream}/records"
    body = await ask(call, path, {"stream": stream}, count=count, **given)
    records = [_record(one) for one in body["data"]]
    document = {"data": records, **_shown(body)}
    return told(document, _head(stream, records), *_handles(body))


async def aggregate(call: Call) -> Result:
    """One value, or one for each group."""
    given = dict(call.arguments)
    stream = given.pop("stream")
    body = await ask(call, "/v1/streams/{stream}/aggregate", {"stream": stream}, **given)
    what = f"{given['function']} of {given.get('field', 'records')} in {stream}"
    return told({"data": body["data"], **_shown(body)}, what, *_handles(body))


def _record(record: Mapping[str, Json]) -> dict[str, Json]:
    """A record as clients see it: what identifies it, and its payload, which was narrowed where it
    is from."""
    shown = picked(record, _TOLD)
    if "expanded" in shown:
        related = shown["expanded"].items()
        shown["expanded"] = {name: [_record(one) for one in records] for name, records in related}
    return shown


def _head(stream: str, records: Sequence[Mapping[str, Json]]) -> str:
    source = f" of {label(records[0])}, {records[0]['connector_key']}" if records else ""
    return f"Records from {stream}{source}: {len(records)}"


def _shown(body: Mapping[str, Json]) -> dict[str, Json]:
    """The handles beside the records."""
    handles = picked(body, ("has_more", "next_cursor", "next_changes_since"))
    count = body.get("meta", {}).get("count")
    return {**handles, "count": count} if count else handles


def _handles(body: Mapping[str, Json]) -> Iterator[str]:
    """The same for clients that read text alone."""
    shown = _shown(body)
    if "count" in shown:
        yield f"count: {shown['count']['value']} ({shown['count']['kind']})"
    if "next_cursor" in shown:
        yield f"next_cursor: {shown['next_cursor']} (call again with cursor for the next page)"
    if "next_changes_since" in shown:
        bookmark = shown["next_changes_since"]
        yield f"next_changes_since: {bookmark} (call later with changes_since for what is new)"
