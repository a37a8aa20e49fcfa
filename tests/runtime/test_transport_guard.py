"""Transport rules as raw HTTP, in every revision, and requests refused before the protocol."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.server.asgi import BodyTooLarge, Message, Receive, read_body
from mcpgen_runtime.server.transport_guard import OriginCheck
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

TOOL = Tool(
    "greet",
    "Greet",
    "Says hello.",
    Route("GET", "/hello"),
    Hints(read_only=True, destructive=False, idempotent=True),
    (Argument("name", "query", {"type": "string"}, style="form", explode=True),),
)

LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
BOTH = "application/json, text/event-stream"


def message(method: str, id: Any = 1, **params: Any) -> dict[str, Any]:
    """Returns a request."""
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def modern(method: str, **params: Any) -> dict[str, Any]:
    """Returns a request of revision 2026-07-28."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return message(method, **params, _meta=meta)


@pytest.mark.parametrize("version", LEGACY)
async def test_handshake_is_answered_in_the_revision_asked_for(
    upstream: WireUpstream, serving: Serving, version: str
) -> None:
    client_info = {"name": "test", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client_info}

    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(message("initialize", **params), accept=BOTH)

    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream"
    assert f'"protocolVersion":"{version}"' in response.text
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize("version", LEGACY)
async def test_tool_is_listed_and_called_without_a_session(
    upstream: WireUpstream, serving: Serving, version: str
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(message("tools/list"), mcp_protocol_version=version)
        call_response = await client.post(
            message("tools/call", name="greet", arguments={"name": "Jo"}),
            mcp_protocol_version=version,
        )

    assert [tool["name"] for tool in response.json()["result"]["tools"]] == ["greet"]
    assert call_response.json()["result"]["content"][0]["text"] == "{}"
    assert upstream.requests[0].target == "/hello?name=Jo"


async def test_newest_revision_needs_no_handshake(upstream: WireUpstream, serving: Serving) -> None:
    headers = {"mcp_protocol_version": MODERN}

    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(
            modern("server/discover"), mcp_method="server/discover", **headers
        )
        list_response = await client.post(modern("tools/list"), mcp_method="tools/list", **headers)
        call_response = await client.post(
            modern("tools/call", name="greet", arguments={}),
            mcp_method="tools/call",
            mcp_name="greet",
            accept=BOTH,
            **headers,
        )

    assert response.json()["result"]["supportedVersions"] == [MODERN]
    assert list_response.json()["result"]["cacheScope"] == "public"
    assert list_response.json()["result"]["ttlMs"] == 300_000
    assert call_response.json()["result"]["resultType"] == "complete"


async def test_blanks_around_header_values_are_no_part_of_them(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(
            modern("tools/list"),
            mcp_method=" tools/list\t",
            mcp_protocol_version=f"{MODERN}  ",
        )

    assert response.status_code == 200


@pytest.mark.parametrize("version", [None, "2025-06-18"])
async def test_body_of_the_newest_revision_needs_its_header(
    upstream: WireUpstream, serving: Serving, version: str | None
) -> None:
    headers = {"mcp_protocol_version": version} if version else {}

    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(modern("tools/list"), **headers)

    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32020
    assert response.json()["id"] == 1


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        (BOTH, "text/event-stream"),
        ("text/event-stream;q=0.001, application/json", "text/event-stream"),
        ("application/json, text/event-stream;q=0", "application/json"),
        ("application/json;v=1 , text/event-stream ; Q = 0.000", "application/json"),
        ("*/*, text/event-stream;q=0", "application/json"),
        ("text/event-stream;q=0", "application/json"),
    ],
)
async def test_client_gets_what_it_accepts(
    upstream: WireUpstream, serving: Serving, accept: str, kind: str
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        if not accept:
            del client.http.headers["accept"]
        response = await client.post(message("ping"), **({"accept": accept} if accept else {}))

    assert response.status_code == 200
    assert response.headers["content-type"] == kind


async def test_client_that_refuses_all_there_is_is_told(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(message("ping"), accept="application/json;q=0, text/html")

    assert response.status_code == 406


async def test_notification_is_accepted_without_a_body(
    upstream: WireUpstream, serving: Serving
) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(note, accept=BOTH)

    assert response.status_code == 202
    assert response.content == b""


async def test_batch_is_answered_in_its_order_without_the_notifications(
    upstream: WireUpstream, serving: Serving
) -> None:
    batch = [
        message("ping", id="a"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        message("tools/call", id="b", name="greet", arguments={}),
        message("initialize", id="c"),
        7,
    ]

    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(batch, mcp_protocol_version="2025-03-26")

    answers = response.json()
    assert [answer["id"] for answer in answers] == ["a", "b", "c", None]
    assert answers[1]["result"]["isError"] is False
    assert answers[2]["error"]["code"] == answers[3]["error"]["code"] == -32600


async def test_batch_of_notifications_is_accepted(upstream: WireUpstream, serving: Serving) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post([note, note])

    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize(
    ("batch", "version"),
    [
        ([], "2025-03-26"),
        ([message("ping")] * 51, "2025-03-26"),
        ([message("ping")], "2025-06-18"),
        ([message("ping")], MODERN),
    ],
)
async def test_batch_that_must_not_be_is_refused(
    upstream: WireUpstream, serving: Serving, batch: list[Any], version: str
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(batch, mcp_protocol_version=version)

    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32600


async def test_request_whose_id_is_null_is_no_notification(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(message("ping", id=None))

    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32600


@pytest.mark.parametrize("body", [b"{", b"[", b"", b"[" * 100_000])
async def test_what_is_no_json_is_a_parse_error(
    upstream: WireUpstream, serving: Serving, body: bytes
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.http.post(
            "/mcp", content=body, headers={"content-type": "application/json"}
        )

    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32700


async def test_unknown_tool_and_unknown_page_are_protocol_errors(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        tool = await client.post(message("tools/call", name="greeet"))
        page = await client.post(message("tools/list", cursor="2"))

    assert tool.json()["error"] == {"code": -32602, "message": "Unknown tool: greeet"}
    assert page.json()["error"]["code"] == -32602


async def test_revision_that_does_not_exist_is_refused(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(message("ping"), mcp_protocol_version="1999-01-01")

    assert response.status_code == 400


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
async def test_only_post_is_allowed(upstream: WireUpstream, serving: Serving, method: str) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.http.request(method, "/mcp")

    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


async def test_message_beyond_the_limit_is_refused(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url, request_bytes=200) as client:
        response = await client.post(message("ping", padding="x" * 200))

    assert response.status_code == 413


@pytest.mark.parametrize("accept", ["application/json", "application/json, text/event-stream"])
async def test_a_message_below_a_limit_above_the_default_is_answered(
    upstream: WireUpstream, serving: Serving, accept: str
) -> None:
    long = message("ping", padding="x" * 5_000_000)

    async with serving(TOOL, upstream=upstream.url, request_bytes=6_000_000) as client:
        response = await client.post(long, Accept=accept)

    assert response.status_code == 200


async def test_body_in_pieces_is_read_up_to_the_limit() -> None:
    pieces = [b"ab", b"", b"cd", b"e"]

    def receiving() -> Receive:
        parts: list[Message] = [{"body": piece, "more_body": True} for piece in pieces[:-1]]
        parts.append({"body": pieces[-1]})

        async def receive() -> Message:
            return parts.pop(0)

        return receive

    assert await read_body(b"", receiving(), 5) == b"abcde"
    with pytest.raises(BodyTooLarge):
        await read_body(b"", receiving(), 4)


async def test_elsewhere_there_is_nothing_but_health(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        health = await client.http.get("/healthz", headers={"host": "10.0.0.7"})
        other_response = await client.http.get("/")

    assert (health.status_code, health.json()) == (200, {"status": "ok"})
    assert other_response.status_code == 404


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("host", "evil.example", 421),
        ("host", "localhost.evil.example", 421),
        ("host", "localhost@evil.example", 421),
        ("host", "", 421),
        ("host", "LOCALHOST:1", 200),
        ("host", "[::1]:8000", 200),
        ("origin", "http://evil.example", 403),
        ("origin", "null", 403),
        ("origin", "http://localhost.evil.example", 403),
        ("origin", "file://localhost", 403),
        ("origin", "http://localhost:5173", 200),
    ],
)
async def test_page_of_another_site_is_turned_away(
    upstream: WireUpstream, serving: Serving, header: str, value: str, status: int
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(message("ping"), **{header: value})

    assert response.status_code == status


@pytest.mark.parametrize(
    ("host", "allowed_hosts", "header", "expected"),
    [
        ("0.0.0.0", (), "192.168.1.5:8000", True),
        ("0.0.0.0", (), "[fe80::1]:8000", True),
        ("0.0.0.0", (), "evil.example", False),
        ("0.0.0.0", ("mcp.example",), "MCP.example:443", True),
        ("127.0.0.1", (), "192.168.1.5:8000", False),
        ("192.168.1.5", (), "192.168.1.5:8000", True),
        ("127.0.0.1", ("*",), "anything.example", True),
        ("127.0.0.1", ("a.example:1",), "a.example:2", False),
    ],
)
def test_hosts_that_are_allowed(
    host: str, allowed_hosts: tuple[str, ...], header: str, expected: bool
) -> None:
    guard = OriginCheck(ServerSettings(host=host, allowed_hosts=allowed_hosts))

    assert guard.allows_host(header) is expected


def test_origins_that_are_allowed() -> None:
    guard = OriginCheck(ServerSettings(host="0.0.0.0", allowed_origins=("https://app.example",)))

    assert guard.allows_origin("https://app.example", "1.2.3.4")
    assert guard.allows_origin("http://1.2.3.4:8000", "1.2.3.4:8000")
    assert not guard.allows_origin("http://1.2.3.5:8000", "1.2.3.4:8000")


@pytest.mark.parametrize("id", [{}, [], 1.5, True, False, None])
@pytest.mark.parametrize("batch", [False, True])
async def test_request_with_an_id_that_none_may_have_is_refused(
    upstream: WireUpstream, serving: Serving, id: Any, batch: bool
) -> None:
    content: Any = message("tools/list", id=id)

    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post([content] if batch else content)

    answer = response.json()[0] if batch else response.json()
    assert response.status_code == (200 if batch else 400)
    assert answer["id"] is None
    assert answer["error"]["code"] == -32600


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://a]b"])
async def test_origin_that_cannot_be_read_is_refused(
    upstream: WireUpstream, serving: Serving, origin: str
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        response = await client.post(message("tools/list"), origin=origin)

    assert response.status_code == 403


async def test_batch_that_is_refused_as_a_whole_is_answered_in_words(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        headers = {"content-type": "text/plain"}
        content = b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]'
        response = await client.http.post("/mcp", content=content, headers=headers)

    assert response.json()[0]["error"]["message"] == "Invalid Content-Type header"
