"""Clients get valid JSON for all numbers and depths in the API's JSON."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
ANY = {"type": "object", "properties": {"result": {}}}


def tool(**more: Any) -> Tool:
    """Returns a tool that accepts JSON."""
    return Tool("t", "T", "", Route("GET", "/t"), HINTS, **more)


def raw_response(body: bytes) -> bytes:
    """Returns an answer of JSON."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def refuse(name: str) -> NoReturn:
    """Raises for a number outside JSON."""
    raise ValueError(name)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"x": NaN}', '{"x": null}'),
        (b'[-Infinity, Infinity, "NaN"]', '[null, null, "NaN"]'),
        (rb'["\"", NaN, "Infinity \\"]', r'["\"", null, "Infinity \\"]'),
        (b'{"x": 1e999}', '{"x": 1e999}'),
        (b'{"x": %s}' % (b"7" * 5000), '{"x": %s}' % ("7" * 5000)),
        (b"12345678901234567890123", "12345678901234567890123"),
        (b'{"a": 1, "a": 2}', '{"a":2}'),
    ],
)
async def test_text_is_legal_json(
    upstream: WireUpstream, serving: Serving, body: bytes, text: str
) -> None:
    upstream.answer = lambda _: raw_response(body)

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert not result["isError"]
    assert result["content"][0]["text"] == text
    json.loads(text, parse_constant=refuse, parse_int=float)


async def test_number_that_json_does_not_have_is_told(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"[NaN, 1, Infinity]")

    async with serving(tool(), upstream=upstream.url) as client:
        result = await client.call("t")

    assert "2 numbers are null here" in result["content"][1]["text"]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"[NaN, 1]", [None, 1]),
        (b'{"x": -1e999}', {"x": None}),
        (b"[123456789012345678901234]", [123456789012345678901234]),
    ],
)
async def test_structured_form_is_legal_json(
    upstream: WireUpstream, serving: Serving, body: bytes, value: Any
) -> None:
    upstream.answer = lambda _: raw_response(body)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}}

    async with serving(tool(output=ANY, wrapped=True), upstream=upstream.url) as client:
        response = await client.post(message)

    result = json.loads(response.text, parse_constant=refuse)["result"]
    assert result["structuredContent"] == {"result": value}


@pytest.mark.parametrize("depth", [200, 700, 2_000, 100_000])
@pytest.mark.parametrize("output", [None, ANY])
async def test_deep_json_comes_whole_or_is_refused_in_plain_words(
    upstream: WireUpstream, serving: Serving, depth: int, output: Any
) -> None:
    body = b"[" * depth + b"]" * depth
    upstream.answer = lambda _: raw_response(body)

    async with serving(tool(output=output, wrapped=bool(output)), upstream=upstream.url) as client:
        result = await client.call("t")

    text = result["content"][0]["text"]
    assert text == body.decode() or (result["isError"] and "nested too deeply" in text)
