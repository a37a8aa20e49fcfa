"""`search` and `fetch` answer with exactly the contract, in text and in structured form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.search.connector import Connector, FetchShape, SearchShape
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
OUTPUT = {"type": "object", "required": ["never"]}
TEXT = {"type": "string"}
QUERY = Argument("query", "query", TEXT, required=True, style="form")
ID = Argument("id", "path", TEXT, required=True, style="simple")
SEARCH = Tool("search", "S", "", Route("GET", "/s"), HINTS, (QUERY,), output=OUTPUT)
FETCH = Tool("fetch", "F", "", Route("GET", "/d/{id}", accept="*/*"), HINTS, (ID,), output=OUTPUT)
RULE = Connector(
    SearchShape("key", "name", "page.found", "links.html"),
    FetchShape("name", "pages", "links.html", ("author.name", "tags")),
)


def set_answer(upstream: WireUpstream, body: bytes, kind: bytes = b"application/json") -> None:
    """Lets the API answer with this body."""
    head = b"HTTP/1.1 200 OK\r\nX-Next-Page: 2\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    upstream.answer = lambda _: head % (kind, len(body)) + body


def structured_content(result: dict[str, Any]) -> Any:
    """Returns the structured content; asserts one text block with equal content."""
    assert not result["isError"], result
    (block,) = result["content"]
    assert json.loads(block["text"]) == result["structuredContent"]
    return result["structuredContent"]


async def test_search_gives_id_title_and_url_of_each(
    upstream: WireUpstream, serving: Serving
) -> None:
    items = [
        {"key": 7, "name": "A", "links": [{"html": "https://x/7"}], "secret": 1},
        {"key": "b", "name": None},
    ]
    set_answer(upstream, json.dumps({"page": {"found": items}}).encode())

    async with serving(SEARCH, FETCH, upstream=upstream.url, rules=[RULE]) as client:
        result = await client.call("search", query="x")

    assert structured_content(result) == {
        "results": [
            {"id": "7", "title": "A", "url": "https://x/7"},
            {"id": "b", "title": "b", "url": ""},
        ]
    }


async def test_search_that_finds_nothing_is_no_error(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, b'{"page": {"found": []}}')

    async with serving(SEARCH, upstream=upstream.url, rules=[RULE]) as client:
        assert structured_content(await client.call("search", query="x")) == {"results": []}


async def test_fetch_gives_the_document_under_its_id(
    upstream: WireUpstream, serving: Serving
) -> None:
    document = {"name": "A", "pages": ["one", "two"], "author": {"name": "Z"}, "tags": None}
    set_answer(upstream, json.dumps(document).encode())

    async with serving(FETCH, upstream=upstream.url, rules=[RULE]) as client:
        result = await client.call("fetch", id="7")

    assert structured_content(result) == {
        "id": "7",
        "title": "A",
        "text": "one\ntwo",
        "url": "",
        "metadata": {"author.name": "Z"},
    }


async def test_whole_answer_is_the_text_where_no_path_is_said(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, b"# Title\n\nWords", b"text/markdown")

    rules = [Connector(fetch=FetchShape("name"))]
    async with serving(FETCH, upstream=upstream.url, rules=rules) as client:
        document = structured_content(await client.call("fetch", id="7"))

    assert (document["title"], document["text"]) == ("7", "# Title\n\nWords")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"[]", "it has no list of results at `page.found`"),
        (b'{"page": {"found": {}}}', "it has no list of results at `page.found`"),
        (b'{"page": {"found": [{"key": 1}, {"name": "x"}]}}', "result 2 has no `key`"),
        (b'{"page": {"found": ["x"]}}', "result 1 has no `key`"),
    ],
)
async def test_answer_of_another_shape_is_an_error(
    upstream: WireUpstream, serving: Serving, body: bytes, reason: str
) -> None:
    set_answer(upstream, body)

    async with serving(SEARCH, upstream=upstream.url, rules=[RULE]) as client:
        assert await client.error("search", query="x") == (
            f"The API's answer cannot be shown: {reason}."
        )


async def test_failure_of_the_api_is_told_as_ever(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    async with serving(FETCH, upstream=upstream.url, rules=[RULE]) as client:
        assert await client.error("fetch", id="7") == "The API answered 404 Not Found."
