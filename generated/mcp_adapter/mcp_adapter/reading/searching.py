"""The tool `search`: the best hits in all granted connections, or in one connection."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from mcp_adapter.reading.resource_server import request_json
from mcp_adapter.reading.results import object_result
from mcp_adapter.reading.sources import RECORD, label, select_keys
from mcp_adapter.reading.titles import title_of
from mcp_adapter.runtime.hooks import Call, Json, Result

_TAG = re.compile(r"</?mark>")


async def search(call: Call) -> Result:
    """Returns at most `limit` hits, ranked over all connections that were searched."""
    given = dict(call.arguments)
    query = given.pop("query")
    body = await request_json(call, "/v1/search", q=query, **given)
    hits = [_hit(record) for record in body["data"]]
    lines = [f"Hits for {query!r}: {len(hits)}", *_sources(hits)]
    if "next_cursor" in body:
        lines.append(f"next_cursor: {body['next_cursor']} (call again with cursor for more)")
    return object_result({"results": hits, **select_keys(body, ("next_cursor",))}, *lines)


def _hit(record: Mapping[str, Json]) -> dict[str, Json]:
    """Returns a hit for clients: keys of the record, title, and a snippet with marked words."""
    snippet = record["snippet"]
    return {
        **select_keys(record, RECORD),
        "title": title_of(record),
        "snippet": mark_matches(snippet["text"], snippet["marks"]),
        "url": record["url"],
    }


def mark_matches(text: str, marks: Sequence[Sequence[int]]) -> str:
    """Returns a snippet on one line with `<mark>` tags around the matches. Such tags in the text
    itself are removed, so that every opening tag is closed."""
    pieces, at = [], 0
    for begin, end in marks:
        pieces += [_plain(text[at:begin]), f"<mark>{_plain(text[begin:end])}</mark>"]
        at = end
    return "".join([*pieces, _plain(text[at:])])


def _plain(text: str) -> str:
    return _TAG.sub("", text).replace("\n", " / ")


def _sources(hits: Sequence[Mapping[str, Json]]) -> list[str]:
    """Returns a line with the number of hits of each connection, if there are several."""
    mix = Counter(f"{label(hit)} of {hit['connector_key']}" for hit in hits)
    if len(mix) < 2:
        return []
    return ["Sources: " + ", ".join(f"{count} from {source}" for source, count in mix.items())]
