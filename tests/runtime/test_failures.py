"""Error texts for the model when the API fails: status, the API's message, and time to retry."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
KEY = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")
TOOL = Tool("t", "T", "", Route("GET", "/t", security=(("key",),)), HINTS)
HEAD = "The API answered 422 Unprocessable Content."


async def error_lines(
    upstream: WireUpstream, serving: Serving, body: bytes, media_type: str, *headers: str
) -> list[str]:
    """Returns the lines of the error text for a failure with this body."""
    head = ["HTTP/1.1 422 Unprocessable Content", f"Content-Type: {media_type}", *headers]
    head += [f"Content-Length: {len(body)}", "", ""]
    upstream.answer = lambda _: "\r\n".join(head).encode() + body
    async with serving(TOOL, schemes=(KEY,), upstream=upstream.url, key="abcdefgh") as client:
        return (await client.error("t")).split("\n")


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (
            {"title": "Out of stock", "detail": "No tent is left.", "status": 422},
            ["Out of stock: No tent is left."],
        ),
        ({"message": "no such pet"}, ["no such pet"]),
        ({"error": "invalid_grant", "error_description": "expired"}, ["expired", "invalid_grant"]),
        ({"error": {"message": "too many", "errors": []}}, ["too many"]),
        (
            {"errors": ["a is wrong", {"field": "b", "message": "must be > 0"}]},
            ["a is wrong", "b: must be > 0"],
        ),
        ({"detail": [{"loc": ["body", "age"], "msg": "not a number"}]}, ["body.age: not a number"]),
        ("plainly no", ["plainly no"]),
    ],
)
async def test_the_apis_own_message_comes_in_words(
    upstream: WireUpstream, serving: Serving, body: Any, lines: list[str]
) -> None:
    messages = await error_lines(
        upstream, serving, json.dumps(body).encode(), "application/problem+json"
    )

    assert messages[: 1 + len(lines)] == [HEAD, *lines]


async def test_body_that_says_more_than_its_message_is_shown_too(
    upstream: WireUpstream, serving: Serving
) -> None:
    body = json.dumps({"message": "taken", "conflicting_id": 17}).encode()

    messages = await error_lines(upstream, serving, body, "application/json")

    assert messages == [HEAD, "taken", '{"message":"taken","conflicting_id":17}']


async def test_body_whose_message_says_all_is_not_repeated(
    upstream: WireUpstream, serving: Serving
) -> None:
    messages = await error_lines(
        upstream, serving, b'{"message": "taken", "status": 422}', "text/plain"
    )

    assert messages == [HEAD, "taken"]


async def test_page_is_reduced_to_its_title_and_text(
    upstream: WireUpstream, serving: Serving
) -> None:
    page = b"""<!DOCTYPE html><html><head><title>502 &amp; more</title><style>p {a: b}</style>
        <script>alert("x < y")</script></head><body><h1>Bad   gateway</h1><p>Try later.</p></html>"""

    messages = await error_lines(upstream, serving, page, "text/html; charset=utf-8")

    assert messages == [HEAD, "502 & more", "Bad gateway Try later."]


@pytest.mark.parametrize("start", [b"<script", b"<a", b"<", b"<title>", b"<!--", b"&#"])
async def test_page_that_is_made_to_take_long_is_told_as_well(
    upstream: WireUpstream, serving: Serving, start: bytes
) -> None:
    messages = await error_lines(upstream, serving, start * 60_000, "text/html")

    assert messages[0] == HEAD
    assert sum(map(len, messages)) < 3_000


async def test_long_message_is_cut_and_so_is_the_number_of_messages(
    upstream: WireUpstream, serving: Serving
) -> None:
    body = json.dumps({"errors": ["x" * 5_000, *map(str, range(10_000))]}).encode()

    messages = await error_lines(upstream, serving, body, "application/json")

    assert len(messages[1]) == 2001
    assert len(messages) < 30


async def test_body_that_is_no_text_is_not_shown(upstream: WireUpstream, serving: Serving) -> None:
    messages = await error_lines(
        upstream, serving, bytes(range(128, 256)) * 9, "application/octet-stream"
    )

    assert messages == [HEAD]


@pytest.mark.parametrize(
    "body",
    [b'{"message": "key abcdefgh is bad"}', b"<p>abcdefgh</p>", b"abcdefgh" * 300, b'"abcdefgh'],
)
async def test_secret_is_never_told(upstream: WireUpstream, serving: Serving, body: bytes) -> None:
    messages = await error_lines(upstream, serving, body, "text/html", "Retry-After: abcdefgh")

    assert messages[1] == "Retry-After: [secret]"
    assert "abcdefgh" not in "".join(messages)


async def test_odd_json_of_a_failure_is_legal_in_what_is_told(
    upstream: WireUpstream, serving: Serving
) -> None:
    messages = await error_lines(upstream, serving, b'{"limit": NaN}', "application/json")

    assert messages == [HEAD, '{"limit": null}']
