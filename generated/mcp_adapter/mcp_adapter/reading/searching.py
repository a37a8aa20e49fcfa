"""The tool `search`: the best hits of everything that is granted, or of one connection."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from mcp_adapter.reading.asking import ask
from mcp_adapter.reading.results import told
from mcp_adapter.reading.sources import RECORD, label, picked
from mcp_adapter.reading.titles import title_of
from mcp_adapter.runtime.hooks import Call, Json, Result

_TAG = re.compile(r"</?mark>")


async def search(call: Call) -> Result:
    """At most `limit` hits, ranked over all connections that were searched."""
    given = dict(call.arguments)
    query = given.pop("query")
    body = await ask(call, "/v1/search", q=query, **given)
    hits = [_hit(one) for one in body["data"]]
    lines = [f"Hits for {query!r}: {len(hits)}", *_sources(hits)]
    if "next_cursor" in body:
        lines.append(f"next_cursor: {body['next_cursor']} (call again with cursor for more)")
    return told({"results": hits, **picked(body, ("next_cursor",))}, *lines)


def _hit(record: Mapping[str, Json]) -> dict[str, Json]:
    """A hit as clients see it: the record, what it is called, and what was found in it."""
    snippet = record["snippet"]
    return {
        **picked(record, RECORD),
        "title": title_of(record),
        "snippet": marked(snippet["text"], snippet["marks"]),
        "url": record["url"],
    }


def marked(text: str, marks: Sequence[Sequence[int]]) -> str:
    """A snippet on one line with tags around what was found. Tags that stand in the text itself are
    taken out, so that every tag that opens is closed."""
    pieces, at = [], 0
    for begin, end in marks:
        pieces += [_plain(text[at:begin]), f"<mark>{_plain(text[begin:end])}</mark>"]
        at = end
    return "".join([*pieces, _plain(text[at:])])


def _plain(text: str) -> str:
    return _TAG.sub("", text).replace("\n", " / ")


def _sources(hits: Sequence[Mapping[str, Json]]) -> list[str]:
    """Where hits are from, if that is more than one place."""
    mix = Counter(f"{label(hit)} of {hit['connector_key']}" for hit in hits)
    if len(mix) < 2:
        return []
    return ["Sources: " + ", ".join(f"{count} from {source}" for source, count in mix.items())]
