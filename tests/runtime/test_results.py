"""Results of API responses."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)


def tool(accept: str = "application/json", **more: Any) -> Tool:
    """Returns a tool for a single media type."""
    return Tool("t", "T", "", Route("GET", "/t", accept=accept), HINTS, **more)


def raw_response(body: bytes, media_type: str, *headers: str, status: str = "200 OK") -> bytes:
    """Returns a raw answer."""
    kind = [f"Content-Type: {media_type}"] if media_type else []
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *kind, *headers, "", ""]
    return "\r\n".join(head).encode() + body


async def test_json_comes_first_as_compact_text(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(
        '{"a": [1, 2.50, "ü"]}'.encode(), "application/hal+json"
    )

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result == {"content": [{"type": "text", "text": '{"a":[1,2.5,"ü"]}'}], "isError": False}


async def test_large_numbers_keep_their_digits(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(
        b'{"id": 12345678901234567890, "x": 1e999}', "application/json"
    )

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"][0]["text"] == '{"id": 12345678901234567890, "x": 1e999}'


OUTPUT = {"type": "object", "properties": {"result": {"type": "array"}}, "required": ["result"]}


async def test_structured_content_stands_beside_the_text_if_it_was_announced(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"[1, 2]", "application/json")

    async with serving(tool(output=OUTPUT, wrapped=True), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"] == [{"type": "text", "text": "[1,2]"}]
    assert result["structuredContent"] == {"result": [1, 2]}


@pytest.mark.parametrize(
    ("body", "media_type", "expected"),
    [
        (b"Pet deleted", "text/plain", {"result": "Pet deleted"}),
        (b"%PDF-1.7", "application/pdf", {}),
        (b"null", "application/json", {"result": None}),
        (b"", "", {"result": "Done: 200 OK."}),
    ],
)
async def test_every_response_has_structured_content_if_nothing_was_promised(
    body: bytes, media_type: str, expected: object, upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(body, media_type)
    output = {"type": "object", "properties": {"result": {}}}

    async with serving(tool("*/*", output=output, wrapped=True), upstream=upstream.url) as client:
        result = await client.call("t")

    assert (result["isError"], result["structuredContent"]) == (False, expected)
    assert result["content"]


async def test_answer_that_breaks_its_promise_is_shown_and_called_a_failure(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"7", "application/json")

    async with serving(tool(output=OUTPUT, wrapped=True), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["isError"]
    assert "structuredContent" not in result
    assert result["content"][0]["text"] == "7"
    assert "result.result: must be array, got 7" in result["content"][1]["text"]


async def test_broken_promise_says_that_the_call_was_done_and_is_counted_in_the_log(
    upstream: WireUpstream, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    upstream.answer = lambda _: raw_response(b"7", "application/json")

    async with serving(tool(output=OUTPUT, wrapped=True), upstream=upstream.url) as client:
        await client.call("t")
        result = await client.call("t")

    assert "Warning: the API did what was asked" in result["content"][1]["text"]
    assert "t: the API's answer is not what its description promises (2 so far)" in caplog.text


async def test_answer_without_content_has_an_empty_structured_form_where_that_was_announced(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 204 No Content\r\n\r\n"
    optional = {"type": "object", "properties": {"id": {"type": "string"}}}

    async with serving(tool(output=optional), upstream=upstream.url) as client:
        result = await client.call("t")

    assert not result["isError"]
    assert result["structuredContent"] == {}


async def test_answer_without_the_promised_content_is_told_with_a_warning(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 204 No Content\r\n\r\n"

    async with serving(tool(output=OUTPUT, wrapped=True), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["isError"]
    assert result["content"][0]["text"] == "Done: 204 No Content."
    assert "result.result: required, but missing" in result["content"][1]["text"]


async def test_no_content_is_told(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 204 No Content\r\n\r\n"

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"] == [{"type": "text", "text": "Done: 204 No Content."}]


@pytest.mark.parametrize("status", ["400 Bad Request", "404 Not Found", "503 Service Unavailable"])
async def test_failure_is_told_with_status_and_the_beginning_of_the_body(
    upstream: WireUpstream, serving: Serving, status: str
) -> None:
    body = b"no such \x00thing " + b"x" * 10_000
    upstream.answer = lambda _: raw_response(body, "text/plain", "Retry-After: 7", status=status)

    async with serving(tool(), upstream=upstream.url) as client:
        message = await client.error("t")

    lines = message.split("\n")
    assert lines[:2] == [f"The API answered {status}.", "Retry-After: 7"]
    assert lines[2].startswith("no such  thing xxx")
    assert len(lines[2]) == 2001


async def test_text_is_decoded_by_its_charset(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(
        "prix: 5 €".encode("cp1252"), "text/plain; charset=cp1252"
    )

    async with serving(tool("text/plain"), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"] == [{"type": "text", "text": "prix: 5 €"}]


@pytest.mark.parametrize(("media_type", "kind"), [("image/png", "image"), ("audio/ogg", "audio")])
async def test_image_and_audio_are_their_own_content(
    upstream: WireUpstream, serving: Serving, media_type: str, kind: str
) -> None:
    upstream.answer = lambda _: raw_response(b"\x89PNG", media_type)

    async with serving(tool("*/*"), upstream=upstream.url) as client:
        result = await client.call("t")

    text, content = result["content"]
    assert text["text"] == f"{media_type}, 4 bytes"
    assert content["type"] == kind
    assert content["mimeType"] == media_type
    assert base64.b64decode(content["data"]) == b"\x89PNG"


async def test_other_files_are_embedded(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b"%PDF", "application/pdf")

    async with serving(tool("application/pdf"), upstream=upstream.url) as client:
        result = await client.call("t")

    resource = result["content"][1]["resource"]
    assert resource["mimeType"] == "application/pdf"
    assert base64.b64decode(resource["blob"]) == b"%PDF"


@pytest.mark.parametrize("media_type", ["text/html", "application/pdf"])
async def test_content_of_another_type_is_a_failure(
    upstream: WireUpstream, serving: Serving, media_type: str
) -> None:
    upstream.answer = lambda _: raw_response(b"<h1>Log in</h1>", media_type)

    async with serving(tool(), upstream=upstream.url) as client:
        message = await client.error("t")

    assert f"answered with {media_type} instead of application/json" in message


async def test_json_that_does_not_say_so_is_taken(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b'{"a": 1}', "text/plain")

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"][0]["text"] == '{"a":1}'


async def test_json_that_is_none_is_a_failure(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b"{", "application/json")

    async with serving(tool(), upstream=upstream.url) as client:
        message = await client.error("t")

    assert message == "The API's answer is not the JSON it claims.\n{"


async def test_where_to_go_on_stays_visible(upstream: WireUpstream, serving: Serving) -> None:
    link = '<https://api.example/t?page=2>; rel="next"'
    upstream.answer = lambda _: raw_response(b"[]", "application/json", f"Link: {link}")

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert [block["text"] for block in result["content"]] == ["[]", f"Link: {link}"]


async def test_links_of_several_headers_are_one_list(
    upstream: WireUpstream, serving: Serving
) -> None:
    links = ['<https://api.example/t?page=2>; rel="next"', '<https://api.example/t>; rel="first"']
    upstream.answer = lambda _: raw_response(
        b"[]", "application/json", *(f"Link: {link}" for link in links)
    )

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"][1]["text"] == f"Link: {', '.join(links)}"


@pytest.mark.parametrize("media_type", ["text/plain", "image/png", "application/json"])
async def test_place_and_cursor_stay_visible_beside_every_kind_of_content(
    upstream: WireUpstream, serving: Serving, media_type: str
) -> None:
    headers = ("Location: /t/7", "X-Next-Cursor: abc", "X-Other: 1")
    upstream.answer = lambda _: raw_response(b"[]", media_type, *headers, status="201 Created")

    async with serving(tool("*/*"), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"][-1]["text"] == "Location: /t/7\nX-Next-Cursor: abc"


async def test_answer_to_head_is_its_headers(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: (
        b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\nContent-Type: image/png\r\nETag: "x"\r\n\r\n'
    )
    head = Tool("t", "T", "", Route("HEAD", "/t", accept="*/*"), HINTS)

    async with serving(head, upstream=upstream.url) as client:
        result = await client.call("t")

    assert [block["text"] for block in result["content"]] == [
        "Done: 200 OK.",
        'Content-Type: image/png\nContent-Length: 12\nETag: "x"',
    ]


async def test_answer_that_did_not_change_is_no_failure(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 304 Not Modified\r\n\r\n"

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert not result["isError"]
    assert result["content"][0]["text"] == "Done: 304 Not Modified."


@pytest.mark.parametrize(
    ("media_type", "body", "text"),
    [
        ("application/json; charset=iso-8859-1", b'"\xe9"', '"é"'),
        ("application/json", '\ufeff{"a":1}'.encode(), '{"a":1}'),
        ("application/json", '{"a":"é"}'.encode("utf-16"), '{"a":"é"}'),
        ("application/json", b'{"a":"\xff"}', '{"a":"\ufffd"}'),
        ("text/plain", "\ufeffa".encode(), "a"),
        (
            "application/xml",
            "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".encode("latin-1"),
            "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>",
        ),
    ],
)
async def test_text_is_read_in_the_encoding_it_has(
    upstream: WireUpstream, serving: Serving, media_type: str, body: bytes, text: str
) -> None:
    upstream.answer = lambda _: raw_response(body, media_type)

    async with serving(tool("*/*"), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"] == [{"type": "text", "text": text}]


async def test_result_is_one_line_of_json_rpc(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(tool(), upstream=upstream.url) as client:
        message = {"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {"name": "t"}}
        response = await client.post(message)

    assert json.loads(response.text)["id"] == "x"


async def test_text_breaks_the_promise_of_an_object(
    upstream: WireUpstream, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    upstream.answer = lambda _: raw_response(b"OK", "text/plain")
    output = {"type": "object", "properties": {"id": {"type": "string"}}}

    async with serving(tool("*/*", output=output), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["isError"]
    assert "t: the API's answer is not what its description promises" in caplog.text


async def test_response_without_content_is_no_promised_text(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"", "")
    output = {
        "type": "object",
        "properties": {"result": {"type": "string"}},
        "required": ["result"],
    }

    async with serving(tool("*/*", output=output, wrapped=True), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["isError"]
    assert result.get("structuredContent") is None
