"""Long results are split into pages; each page is valid, and every item comes exactly once."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest
from tests.runtime.conftest import Client, Serving, WireUpstream

from mcpgen_runtime.server.pagination import ResultPager
from mcpgen_runtime.tool import Argument, Hints, Route, Tool
from mcpgen_runtime.tool_parts import Page

pytestmark = pytest.mark.anyio

CURSOR = "result_cursor"
READS = Hints(read_only=True, destructive=False, idempotent=True)
WRITES = Hints(read_only=False, destructive=False, idempotent=False)
ITEMS = [{"id": number, "text": "ü" * 20} for number in range(40)]
Q = Argument("q", "query", {"type": "string"}, style="form")


def tool(page: Page, hints: Hints = READS, method: str = "GET", **more: Any) -> Tool:
    """Returns a tool with paginated results."""
    return Tool("t", "T", "", Route(method, "/t", accept="*/*"), hints, (Q,), page=page, **more)


def set_answer(upstream: WireUpstream, value: Any, media_type: str = "application/json") -> None:
    """Lets the API answer every request with this value."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    head = [b"HTTP/1.1 200 OK", b"Content-Type: " + media_type.encode()]
    upstream.answer = lambda _: b"\r\n".join([*head, b"Content-Length: %d" % len(body), b"", body])


def handle_in(result: dict[str, Any]) -> str:
    """Returns the handle of the next page, `""` on the last."""
    texts = [block["text"] for block in result["content"]]
    match = re.search(rf'{CURSOR}="([^"]+)"', "\n".join(texts[1:] or texts))
    return match[1] if match else ""


async def pages(client: Client, **arguments: Any) -> list[dict[str, Any]]:
    """Returns the results of a call and of all following pages."""
    result = [await client.call("t", **arguments)]
    while handle := handle_in(result[-1]):
        assert len(result) < 100
        result.append(await client.call("t", **arguments, **{CURSOR: handle}))
    return result


def text(result: dict[str, Any]) -> str:
    """Returns the text of a result."""
    return str(result["content"][0]["text"])


@pytest.mark.parametrize("page", [Page(1000, 0, CURSOR), Page(0, 7, CURSOR), Page(900, 3, CURSOR)])
async def test_items_come_in_pages_within_the_budget_and_each_once(
    upstream: WireUpstream, serving: Serving, page: Page
) -> None:
    set_answer(upstream, ITEMS)

    async with serving(tool(page), upstream=upstream.url, rules=[ResultPager()]) as client:
        results = await pages(client, q="x")

    output = [json.loads(text(result)) for result in results]
    assert [item for part in output for item in part] == ITEMS
    assert len(results) > 1
    assert all(not page.bytes or len(text(result).encode()) <= page.bytes for result in results)
    assert all(not page.items or len(part) <= page.items for part in output)
    assert {request.target for request in upstream.requests} == {"/t?q=x"}


async def test_list_inside_an_object_is_cut_and_the_rest_of_it_stays(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, {"total": 40, "page": {"items": ITEMS, "next": None}})

    async with serving(
        tool(Page(1000, 0, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        results = await pages(client)

    output = [json.loads(text(result)) for result in results]
    assert [item for part in output for item in part["page"]["items"]] == ITEMS
    assert all(part["total"] == 40 and part["page"]["next"] is None for part in output)
    assert results[0]["content"][1]["text"].startswith("Items 1 to ")
    assert " of 40 of `page.items`. To go on, call again" in results[0]["content"][1]["text"]


async def test_members_of_a_large_object_are_cut_but_not_counted(
    upstream: WireUpstream, serving: Serving
) -> None:
    by_name = {f"name-{number}": "x" * 30 for number in range(50)}
    set_answer(upstream, by_name)

    async with serving(
        tool(Page(900, 2, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        results = await pages(client)

    output = [json.loads(text(result)) for result in results]
    assert {name: value for part in output for name, value in part.items()} == by_name
    assert len(output[0]) > 2


async def test_structured_form_is_cut_like_the_text(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, ITEMS)
    output = {"type": "object", "properties": {"result": {"type": "array"}}, "required": ["result"]}
    paged_tool = tool(Page(1000, 0, CURSOR), output=output, wrapped=True)

    async with serving(paged_tool, upstream=upstream.url, rules=[ResultPager()]) as client:
        results = await pages(client)

    assert all(
        result["structuredContent"] == {"result": json.loads(text(result))} for result in results
    )
    assert sum(len(result["structuredContent"]["result"]) for result in results) == 40


async def test_what_was_reduced_to_fields_stays_reduced_on_every_page(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, ITEMS)

    paged_tool = tool(Page(500, 10, CURSOR), fields=("id",))
    async with serving(paged_tool, upstream=upstream.url, rules=[ResultPager()]) as client:
        results = await pages(client)

    assert len(results) == 4
    assert "ü" not in json.dumps(results, ensure_ascii=False)


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b"".join(b'{"n":%d}\n' % number for number in range(200)), "application/x-ndjson"),
        (b"".join(b"line %d\n" % number for number in range(200)), "text/plain"),
        ("ü".encode() * 2_000, "text/plain"),
    ],
)
async def test_what_is_no_json_is_cut_between_lines(
    upstream: WireUpstream, serving: Serving, body: bytes, media_type: str
) -> None:
    set_answer(upstream, body, media_type)

    async with serving(
        tool(Page(600, 0, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        results = await pages(client)

    assert len(results) > 2
    assert all(len(text(result).encode()) <= 600 for result in results)
    separator = "\n" if b"\n" in body else ""
    assert separator.join(map(text, results)).rstrip("\n") == body.decode().rstrip("\n")


async def test_structured_text_is_cut_with_the_text(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, b"".join(b"line %d\n" % number for number in range(200)), "text/plain")
    names = {"type": "object", "properties": {"result": {}}}
    paged_tool = tool(Page(600, 0, CURSOR), output=names, wrapped=True)

    async with serving(paged_tool, upstream=upstream.url, rules=[ResultPager()]) as client:
        result = await client.call("t")

    output = result["structuredContent"]["result"]
    assert text(result).startswith(output)
    assert len(output.encode()) <= 600


async def test_short_result_is_as_it_was(upstream: WireUpstream, serving: Serving) -> None:
    set_answer(upstream, {"a": [1, 2, 3]})

    async with serving(
        tool(Page(500, 3, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        result = await client.call("t")

    assert result["content"] == [{"type": "text", "text": '{"a":[1,2,3]}'}]


async def test_item_larger_than_a_page_is_left_out_and_said(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, [1, "x" * 2000, 2])

    async with serving(
        tool(Page(500, 0, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        results = await pages(client)

    assert [text(result) for result in results] == ["[1]", "[]", "[2]"]
    assert "Item 2 of 3 is left out: it has 2003 bytes" in results[1]["content"][1]["text"]


async def test_value_that_cannot_be_cut_is_an_error_within_the_budget(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, "x" * 2000)

    async with serving(
        tool(Page(500, 0, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        message = await client.error("t")

    assert message == "The result has 2002 bytes, more than the 500 of a page, and cannot be cut."


async def test_result_of_a_call_that_writes_has_no_handle(
    upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, ITEMS)

    async with serving(
        tool(Page(500), WRITES, "POST"), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        result = await client.call("t")
        listing = (await client.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).json()

    assert result["content"][1]["text"].endswith("calling again would do it all again.")
    assert not handle_in(result)
    assert list(listing["result"]["tools"][0]["inputSchema"]["properties"]) == ["q"]


@pytest.mark.parametrize("change", ["other arguments", "tampered", "invented", "of the API"])
async def test_handle_of_something_else_is_refused_and_nothing_is_sent(
    upstream: WireUpstream, serving: Serving, change: str
) -> None:
    set_answer(upstream, ITEMS)

    async with serving(
        tool(Page(500, 0, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        handle = handle_in(await client.call("t", q="x"))
        request_count = len(upstream.requests)
        arguments = {
            "other arguments": {"q": "y", CURSOR: handle},
            "tampered": {"q": "x", CURSOR: "WzFd" + handle[handle.index(".") :]},
            "invented": {"q": "x", CURSOR: "[0]"},
            "of the API": {"q": "x", CURSOR: "Y3Vyc29yOjEwMA=="},
        }[change]
        message = await client.error("t", **arguments)

    assert f"{CURSOR}: is not from a result of this call" in message
    assert len(upstream.requests) == request_count


async def test_handle_nested_too_deeply_is_refused(
    upstream: WireUpstream, serving: Serving
) -> None:
    encoded = base64.urlsafe_b64encode(b"[" * 300_000).decode()
    digest = hashlib.sha256(json.dumps([encoded, "t", {}]).encode()).hexdigest()[:16]

    async with serving(
        tool(Page(500, 0, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        message = await client.error("t", **{CURSOR: f"{encoded}.{digest}"})

    assert f"{CURSOR}: is not from a result of this call" in message
    assert not upstream.requests


@pytest.mark.parametrize("new_value", [{"items": []}, {"items": "none"}, {}, "none"])
async def test_page_of_a_result_that_is_another_one_by_now_is_an_error(
    new_value: Any, upstream: WireUpstream, serving: Serving
) -> None:
    set_answer(upstream, {"items": ITEMS})

    async with serving(
        tool(Page(500, 0, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        handle = handle_in(await client.call("t"))
        set_answer(upstream, new_value)
        message = await client.error("t", **{CURSOR: handle})

    assert message.startswith("The result is no longer what it was")


async def test_null_is_no_handle_in_strict_mode(upstream: WireUpstream, serving: Serving) -> None:
    set_answer(upstream, ITEMS)
    result = tool(Page(500, 0, CURSOR), strict=True)
    strict_q = Argument("q", "query", {"type": ["string", "null"]}, style="form")
    result = Tool(**{**result.__dict__, "arguments": (strict_q,)})

    async with serving(result, upstream=upstream.url, rules=[ResultPager()]) as client:
        first = await client.call("t", q=None, **{CURSOR: None})
        second = await client.call("t", q=None, **{CURSOR: handle_in(first)})

    assert json.loads(text(second))[0]["id"] == len(json.loads(text(first)))


async def test_failure_of_the_api_is_told_as_ever(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    async with serving(
        tool(Page(500, 1, CURSOR)), upstream=upstream.url, rules=[ResultPager()]
    ) as client:
        assert await client.error("t") == "The API answered 404 Not Found."
