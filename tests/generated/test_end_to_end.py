"""A generated server between the official client and an API that records the bytes of requests."""

from __future__ import annotations

import asyncio
import base64
import json
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.generated.run_module import serve_project

FILTER = {
    "type": "object",
    "properties": {
        "color": {"type": "string"},
        "size": {"type": "object", "properties": {"min": {"type": "integer"}}},
    },
}
FORM = {
    "type": "object",
    "required": ["photo"],
    "properties": {"photo": {"type": "string", "format": "binary"}, "note": {"type": "string"}},
}
PATCH = {
    "type": "object",
    "properties": {"name": {"type": ["string", "null"]}, "size": {"type": "integer"}},
}


def parameter(name: str, place: str, schema: Any, **more: Any) -> dict[str, Any]:
    """Returns a required parameter."""
    return {"name": name, "in": place, "required": True, "schema": schema} | more


def operation(name: str, *parameters: Any, **more: Any) -> dict[str, Any]:
    """Returns an operation with a JSON response."""
    answer = {"description": "d", "content": {"application/json": {"schema": {"type": "object"}}}}
    return {"operationId": name, "parameters": parameters, "responses": {"200": answer}} | more


def body(media_type: str, schema: Any) -> dict[str, Any]:
    """Returns a required body."""
    return {"required": True, "content": {media_type: {"schema": schema}}}


DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Wire", "version": "1"},
    "servers": [{"url": "https://api.example.com"}],
    "paths": {
        "/photos": {"post": operation("upload", requestBody=body("multipart/form-data", FORM))},
        "/things/{id}": {
            "patch": operation(
                "change",
                parameter("id", "path", {"type": "string"}),
                requestBody=body("application/merge-patch+json", PATCH),
            )
        },
        "/things": {
            "get": operation(
                "search", parameter("filter", "query", FILTER, style="deepObject", explode=True)
            )
        },
        "/ticks": {
            "get": operation("watch")
            | {"responses": {"200": {"description": "d", "content": {"text/event-stream": {}}}}}
        },
    },
}
EVENTS = b'event: tick\ndata: {"n": 1}\n\ndata: {"n": 2}\n\n'


@dataclass
class RecordingApi:
    """Port of the API, and the bytes of each received request."""

    port: int
    requests: list[bytes] = field(default_factory=list)


@pytest.fixture(scope="module")
def api() -> Iterator[RecordingApi]:
    """HTTP server of raw bytes with an endless stream of ticks."""

    class RecordingStreamHandler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while head := self._head():
                length = next(
                    (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == LENGTH),
                    0,
                )
                recording_api.requests.append(head + self.rfile.read(length))
                if b" /ticks" in head:
                    self.wfile.write(STREAM + EVENTS)
                    self.rfile.read(1)
                    return
                self.wfile.write(ANSWER)

        def _head(self) -> bytes:
            lines = []
            while (line := self.rfile.readline()) not in (b"", b"\r\n"):
                lines.append(line)
            return b"".join([*lines, line]) if lines else b""

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), RecordingStreamHandler) as server:
        server.daemon_threads = True
        recording_api = RecordingApi(server.server_address[1])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield recording_api
        server.shutdown()


LENGTH = b"content-length:"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
ANSWER = (
    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}'
)


@pytest.fixture(scope="module")
def url(api: RecordingApi, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """MCP endpoint of the server built from the document."""
    folder = tmp_path_factory.mktemp("wire")
    (folder / "openapi.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    build = [sys.executable, "-m", "mcpgen", "build", "openapi.json", "-o", "out", "--no-verify"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True, timeout=120)
    upstream = f"http://127.0.0.1:{api.port}"
    with serve_project("wire_mcp", folder / "out", upstream, WIRE_STREAM_SECONDS="0.5") as url:
        yield url


def call(url: str, tool: str, **arguments: Any) -> list[str]:
    """Returns the texts of the official client's result."""

    async def conversation() -> list[str]:
        async with Client(url, read_timeout_seconds=120) as client:
            result = await client.call_tool(tool, arguments)
            assert isinstance(result, CallToolResult)
            assert not result.is_error, result.content
            return [block.text for block in result.content if isinstance(block, TextContent)]

    return asyncio.run(conversation())


@pytest.mark.repeated("tests/runtime holds the bytes of an upload")
def test_file_is_uploaded_byte_for_byte(api: RecordingApi, url: str) -> None:
    photo = bytes(range(256)) + b"\r\n--\r\n"

    messages = call(url, "upload", photo=base64.b64encode(photo).decode(), note="Grüße")

    head, _, body = api.requests[-1].partition(b"\r\n\r\n")
    assert messages == ['{"ok":true}']
    assert head.startswith(b"POST /photos HTTP/1.1\r\n")
    boundary = head.partition(b"multipart/form-data; boundary=")[2].split(b"\r\n")[0].strip(b'"')
    first, second = body.split(b"--" + boundary)[1:3]
    assert b'name="photo"; filename="' in first
    assert first.endswith(b"\r\n\r\n" + photo + b"\r\n")
    assert b'name="note"\r\n' in second
    assert second.endswith("\r\n\r\nGrüße\r\n".encode())
    assert body.endswith(b"--" + boundary + b"--\r\n")


def test_null_is_patched_and_what_was_not_given_is_not_sent(api: RecordingApi, url: str) -> None:
    call(url, "change", id="a/b", null_fields=["name"])

    head, _, body = api.requests[-1].partition(b"\r\n\r\n")
    assert head.startswith(b"PATCH /things/a%2Fb HTTP/1.1\r\n")
    assert b"Content-Type: application/merge-patch+json\r\n" in head + b"\r\n"
    assert body == b'{"name":null}'


def test_deep_object_is_written_with_brackets(api: RecordingApi, url: str) -> None:
    call(url, "search", filter='{"color": "light & blue", "size": {"min": 3}}')

    line = api.requests[-1].split(b"\r\n")[0]
    target = b"/things?filter%5Bcolor%5D=light%20%26%20blue&filter%5Bsize%5D%5Bmin%5D=3"
    assert line == b"GET " + target + b" HTTP/1.1"


def test_stream_that_never_ends_is_a_result(api: RecordingApi, url: str) -> None:
    items, note = call(url, "watch")

    assert b"Accept: text/event-stream\r\n" in api.requests[-1]
    assert items == '{"event":"tick","data":{"n":1}}\n{"data":{"n":2}}'
    assert "cut after 0.5 seconds" in note
