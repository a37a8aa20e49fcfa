"""Malformed responses of an API never break a call or disclose internals of the server."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream
from tests.time_limits import works_at_most

from mcpgen_runtime.observability.redact import Redactor
from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme
from mcpgen_runtime.upstream.general_operation import GeneralOperation

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
KEY = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")


def tool(accept: str = "application/json", **more: Any) -> Tool:
    """Returns a tool that sends a key."""
    route = Route("GET", "/t", accept=accept, security=(("key",),))
    return Tool("t", "T", "", route, HINTS, **more)


def raw_response(body: bytes, media_type: str, *headers: str, status: str = "200 OK") -> bytes:
    """Returns a raw answer."""
    length = f"Content-Length: {len(body)}"
    head = [f"HTTP/1.1 {status}", length, f"Content-Type: {media_type}", *headers, "", ""]
    return "\r\n".join(head).encode() + body


async def call_with_key(upstream: WireUpstream, serving: Serving, tool: Tool, key: str) -> Any:
    """Returns the result of a call with the given key."""
    async with serving(tool, schemes=(KEY,), upstream=upstream.url, key=key) as client:
        return await client.call("t")


WRAPPED = {"type": "object", "properties": {"result": {"type": "string"}}}


@pytest.mark.parametrize("body", [rb'"a\ud800b"', b'"a\xed\xa0\x80b"'])
async def test_half_of_a_surrogate_pair_is_replaced(
    upstream: WireUpstream, serving: Serving, body: bytes
) -> None:
    upstream.answer = lambda _: raw_response(body, "application/json")

    result = await call_with_key(upstream, serving, tool(output=WRAPPED, wrapped=True), "abcdefgh")

    assert result["content"][0]["text"] == '"a\ufffdb"'
    assert result["structuredContent"] == {"result": "a\ufffdb"}


@pytest.mark.parametrize("charset", ["idna", "undefined", "unicode_escape", "punycode", "utf-7"])
async def test_charset_that_is_none_of_the_web_is_taken_for_utf_8(
    upstream: WireUpstream, serving: Serving, charset: str
) -> None:
    body = b"xn--" + b"a" * 100_000 + b"\\ud800\xff"
    upstream.answer = lambda _: raw_response(body, f"text/plain; charset={charset}")

    with works_at_most(20):
        result = await call_with_key(upstream, serving, tool("text/plain"), "abcdefgh")

    assert result["content"][0]["text"] == body.decode("utf-8", "replace")


@pytest.mark.parametrize("location", ["http://[::1", "http://127.0.0.1:99999999/", "/\udcff"])
async def test_redirect_to_what_is_no_address_is_told(
    upstream: WireUpstream, serving: Serving, location: str
) -> None:
    head = f"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: {location}\r\n\r\n"
    upstream.answer = lambda _: head.encode("utf-8", "surrogateescape")

    result = await call_with_key(upstream, serving, tool(), "abcdefgh")

    assert result["isError"]
    assert result["content"][0]["text"] == "The API redirects to an address that cannot be read."


async def test_redirect_that_brings_a_name_and_a_password_is_not_followed(
    upstream: WireUpstream, serving: Serving
) -> None:
    location = f"Location: http://user:pw@127.0.0.1:{upstream.port}/b"
    upstream.answer = lambda _: raw_response(b"", "text/plain", location, status="302 Found")

    result = await call_with_key(upstream, serving, tool(), "abcdefgh")

    assert "which is not followed" in result["content"][0]["text"]
    assert [request.target for request in upstream.requests] == ["/t"]


async def test_what_nobody_expects_is_logged_and_told_without_details(
    upstream: WireUpstream,
    serving: Serving,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: Any) -> None:
        raise LookupError("no place for abcdefgh")

    monkeypatch.setattr(GeneralOperation, "request", fail)

    result = await call_with_key(upstream, serving, tool(), "abcdefgh")

    text = result["content"][0]["text"]
    assert result["isError"]
    assert "internal error" in text
    assert "no place" not in text
    assert text.split()[-1].rstrip(".") in caplog.text
    assert "LookupError: no place for [secret]" in caplog.text
    assert "abcdefgh" not in caplog.text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"h":123456789}', '{"h":123456789}'),
        (b'{"h":123456}', '{"h":"[secret]"}'),
        (b'{"123456":"a \\"123456\\""}', '{"[secret]":"a \\"[secret]\\""}'),
        (rb'{"h":"\u0031\u003234567", "x":1e999}', '{"h":"[secret]7", "x":1e999}'),
    ],
)
async def test_json_without_its_secrets_is_still_json(
    upstream: WireUpstream, serving: Serving, body: bytes, text: str
) -> None:
    upstream.answer = lambda _: raw_response(body, "application/json")

    result = await call_with_key(upstream, serving, tool(), "123456")

    assert result["content"][0]["text"] == text
    json.loads(text)


async def test_file_that_holds_a_secret_is_not_passed_on(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"\xff\xd8abcdefgh\xe2", "image/jpeg")

    result = await call_with_key(upstream, serving, tool("*/*"), "abcdefgh")

    assert result["isError"]
    assert "holds a secret" in result["content"][0]["text"]
    assert base64.b64encode(b"abcdefgh").decode()[:8] not in json.dumps(result)


@pytest.mark.parametrize(
    "redactor",
    [
        Redactor(["hunter22", "hunter22-prod"]),
        Redactor(["hunter22-prod"]).knowing(["hunter22"]),
    ],
)
def test_secret_that_begins_with_another_is_masked_as_a_whole(redactor: Redactor) -> None:
    assert redactor.clean("hunter22-prod, hunter22") == "[secret], [secret]"


def test_deep_json_is_cleaned_too() -> None:
    text = "[" * 50_000 + '"canary"' + "]" * 50_000

    assert Redactor(["canary"]).clean_json(text) == text.replace("canary", "[secret]")
