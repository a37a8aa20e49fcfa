"""A result reduced to fields contains only the given fields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.general_operation import filter_fields, parse_field_paths

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
ANY = {"type": "object"}


def tool(*fields: str, **more: Any) -> Tool:
    """Returns a tool with a field filter."""
    return Tool("t", "T", "", Route("GET", "/t", accept="*/*"), HINTS, fields=fields, **more)


def raw_response(
    body: bytes, media_type: str = "application/json", status: str = "200 OK"
) -> bytes:
    """Returns a raw answer with a handle."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {media_type}", f"Content-Length: {len(body)}"]
    return "\r\n".join([*head, "X-Next-Cursor: c", "", ""]).encode() + body


@pytest.mark.parametrize(
    ("value", "paths", "expected"),
    [
        ({"id": 1, "b": 2}, ["id"], {"id": 1}),
        ([{"id": 1, "b": 2}, {"b": 3}], ["id"], [{"id": 1}, {}]),
        ({"items": [{"id": 1, "b": 2}], "n": 1}, ["items.id"], {"items": [{"id": 1}]}),
        ({"a": {"b": 1, "c": 2}}, ["a.b", "a"], {"a": {"b": 1, "c": 2}}),
        ({"a": {"b": {"c": 1, "d": 2}}}, ["a.b.c"], {"a": {"b": {"c": 1}}}),
        ({"a": None, "b": "secret"}, ["a.x", "b.x"], {"a": None}),
        ([[{"id": 1, "b": 1}], "text"], ["id"], [[{"id": 1}], None]),
        ("text", ["id"], None),
        ({"b": 1, "id": 2}, [], {"b": 1, "id": 2}),
    ],
)
def test_only_what_was_chosen_is_left(value: Any, paths: list[str], expected: Any) -> None:
    assert filter_fields(value, parse_field_paths(paths)) == expected


async def test_text_and_structured_form_are_reduced_and_handles_stay(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b'{"id": 1, "name": "x", "secret": "y"}')

    async with serving(tool("id", output=ANY), upstream=upstream.url) as client:
        result = await client.call("t")

    assert [block["text"] for block in result["content"]] == ['{"id":1}', "X-Next-Cursor: c"]
    assert result["structuredContent"] == {"id": 1}


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b"secret", "text/plain"),
        (b"secret", "image/png"),
        (b'{"secret"', "application/json"),
        (b"<p>secret</p>", "text/html"),
        (b"[" * 5_000 + b'"secret"' + b"]" * 5_000, "application/json"),
        (b"secret\n", "application/x-ndjson"),
        (b"data: secret\n\n", "text/event-stream"),
        (b'{"secret": NaN, "id": {"secret": 1e999}}', "application/json"),
    ],
)
async def test_what_has_no_such_field_is_not_shown_at_all(
    upstream: WireUpstream, serving: Serving, body: bytes, media_type: str
) -> None:
    upstream.answer = lambda _: raw_response(body, media_type)

    async with serving(tool("id.x"), upstream=upstream.url) as client:
        result = await client.call("t")

    assert "secret" not in json.dumps(result)
    assert "c2VjcmV0" not in json.dumps(result)


async def test_items_of_a_stream_are_reduced_one_by_one(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b'{"id":1,"b":2}\n{"id":3}\n', "application/jsonl")

    async with serving(tool("id"), upstream=upstream.url) as client:
        result = await client.call("t")

    assert result["content"][0]["text"] == '{"id":1}\n{"id":3}'


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b'{"message": "no", "pet": {"secret": 1}}', "application/json"),
        (b'{"secret": 1}', "application/json"),
        (b"<p>secret</p>", "text/html"),
        (b"secret", "text/plain"),
    ],
)
async def test_failure_shows_messages_alone(
    upstream: WireUpstream, serving: Serving, body: bytes, media_type: str
) -> None:
    upstream.answer = lambda _: raw_response(body, media_type, status="409 Conflict")

    async with serving(tool("id"), upstream=upstream.url) as client:
        message = await client.error("t")

    assert message.startswith("The API answered 409 Conflict.")
    assert "secret" not in message
    assert ("no" in message) is (b"message" in body)


async def test_message_of_a_failure_stays(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b'{"message": "no"}', status="404 Not Found")

    async with serving(tool("id"), upstream=upstream.url) as client:
        message = await client.error("t")

    assert message == "The API answered 404 Not Found.\nno"
