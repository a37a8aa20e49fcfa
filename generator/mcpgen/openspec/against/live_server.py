"""A running MCP server over Streamable HTTP or stdio, as the scenario engine calls a server.

The scenario tests import this module in a subprocess, so the module imports nothing of mcpgen.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TextIO
from urllib.parse import urlsplit

import anyio
import httpx2
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage
from pydantic import TypeAdapter

HANDSHAKE = "2025-11-25"
"""The newest revision with a handshake, proposed to every server."""

MODERN = "2026-07-28"
"""The revision for servers without a handshake."""

CLIENT = {"name": "mcpgen-scenarios", "version": "1"}
MAX_BYTES = 20_000_000
"""Bytes of an HTTP answer; longer answers end the scenario."""

PAGES = 100
"""Pages of a list of tools; more pages end the scenario."""

_MESSAGE: TypeAdapter[Any] = TypeAdapter(JSONRPCMessage)


class ServerFailed(Exception):
    """The server gave no usable answer; the message is the reason."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server: a URL, or a command that speaks MCP on its standard input and output.

    `seconds` is the time limit of an answer. `headers` are sent with every HTTP request;
    `environment` extends the environment of the command, which runs in `folder`.
    """

    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 30.0
    folder: str = "."

    @property
    def is_http(self) -> bool:
        """Whether the target is a URL."""
        return is_url(self.target)


def is_url(target: str) -> bool:
    """Returns whether a target of `--against` is a URL; every other target is a command.

    Example: `is_url("python server.py")` gives `False`.
    """
    return target.lower().startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class LiveResponse:
    """The answer to a message: the JSON-RPC message as text.

    `status_code` is the HTTP status, None over stdio.
    """

    text: str
    status_code: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def message(self) -> dict[str, Any]:
        """The JSON-RPC message, `{}` for other text."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


Exchange = Callable[[Mapping[str, Any], Mapping[str, str]], Awaitable[LiveResponse]]
"""Sends a JSON-RPC message with HTTP headers, and returns the answer."""


@dataclass
class UnseenUpstream:
    """The upstream of a running server, whose requests cannot be seen."""

    requests: list[Any] = field(default_factory=list)


@dataclass
class LiveServer:
    """A session with a server, with the members of the engine's `Api` that actions need.

    `client` and `address` serve plain HTTP requests; `client` is None over stdio.
    """

    exchange: Exchange
    address: str = ""
    client: httpx2.AsyncClient | None = None
    revision: str = ""
    session: str = ""
    upstream: UnseenUpstream = field(default_factory=UnseenUpstream)
    ids: Any = field(default_factory=count)

    async def open(self) -> None:
        """Makes the handshake; a server that refuses the handshake is spoken to in `MODERN`.

        Raises ServerFailed if the server accepts neither.
        """
        params = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
        answer = await self._send("initialize", params, {})
        result = answer.message.get("result")
        if isinstance(result, dict):
            self.revision = str(result.get("protocolVersion", HANDSHAKE))
            self.session = answer.headers.get("mcp-session-id", "")
            note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await self.exchange(note, self._session_headers())
            return
        self.revision = MODERN
        modern = await self._send("server/discover", {}, {})
        if not isinstance(modern.message.get("result"), dict):
            status = f" ({answer.status_code})" if answer.status_code else ""
            # A redirect is not followed: `--header` may hold a secret for this address alone.
            if place := answer.headers.get("location"):
                raise ServerFailed(f"`initialize` was redirected{status}; the server is at {place}")
            raise ServerFailed(f"`initialize` was answered{status} with {answer.text[:300]!r}")

    async def post(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        version: str = "",
        **headers: str,
    ) -> LiveResponse:
        """The answer to a request in the negotiated revision, whatever `version` says.

        All pages of `tools/list` are joined, since the engine asserts on the whole list.
        """
        answer = await self._send(method, dict(params or {}), headers)
        if method != "tools/list" or params:
            return answer
        message = answer.message
        for _ in range(PAGES):
            result = message.get("result")
            cursor = result.get("nextCursor") if isinstance(result, dict) else None
            if result is None or not cursor or not isinstance(result.get("tools"), list):
                break
            more = (await self._send(method, {"cursor": cursor}, headers)).message.get("result")
            if not isinstance(more, dict) or not isinstance(more.get("tools"), list):
                break
            result["tools"] += more["tools"]
            result["nextCursor"] = more.get("nextCursor")
        return LiveResponse(json.dumps(message), answer.status_code, answer.headers)

    async def _send(
        self, method: str, params: dict[str, Any], headers: Mapping[str, str]
    ) -> LiveResponse:
        session_headers = dict(self._session_headers())
        if self.revision == MODERN:
            session_headers["Mcp-Method"] = method
            if name := params.get("name") or params.get("uri"):
                session_headers["Mcp-Name"] = str(name)
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": CLIENT,
                "io.modelcontextprotocol/clientCapabilities": {},
                **params.get("_meta", {}),
            }
        message = {"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": params}
        return await self.exchange(message, {**session_headers, **headers})

    def _session_headers(self) -> dict[str, str]:
        headers = {"MCP-Protocol-Version": self.revision, "Mcp-Session-Id": self.session}
        return {name: value for name, value in headers.items() if value}


@asynccontextmanager
async def connect(address: ServerAddress) -> AsyncIterator[LiveServer]:
    """Opens a session with a server; a command is started, and stopped at the end.

    Raises ServerFailed if the server is unreachable or refuses the session.
    """
    connection = _connect_http(address) if address.is_http else _connect_stdio(address)
    async with connection as server:
        await server.open()
        yield server


@asynccontextmanager
async def _connect_http(address: ServerAddress) -> AsyncIterator[LiveServer]:
    parts = urlsplit(address.target)
    timeout = httpx2.Timeout(address.seconds)
    async with httpx2.AsyncClient(
        base_url=f"{parts.scheme}://{parts.netloc}", timeout=timeout, headers=dict(address.headers)
    ) as client:

        async def exchange(message: Mapping[str, Any], headers: Mapping[str, str]) -> LiveResponse:
            accept = {"Accept": "application/json, text/event-stream"}
            try:
                with anyio.fail_after(address.seconds):
                    async with client.stream(
                        "POST", address.target, json=dict(message), headers={**accept, **headers}
                    ) as response:
                        text = await _read_answer(response, message.get("id"))
            except (httpx2.HTTPError, TimeoutError) as error:
                reason = str(error) or f"no answer within {address.seconds:g} s"
                raise ServerFailed(f"{address.target}: {reason}") from None
            return LiveResponse(text, response.status_code, dict(response.headers))

        yield LiveServer(exchange, address.target, client)


async def _read_answer(response: httpx2.Response, id: Any) -> str:
    """Returns the body, of an event stream the message with this id.

    Reading stops at the message, because a server may keep the stream open.
    """
    is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
    lines: list[str] = []
    data: list[str] = []
    size = 0
    async for line in response.aiter_lines():
        size += len(line)
        if size > MAX_BYTES:
            raise ServerFailed(f"the answer is longer than {MAX_BYTES} bytes")
        if not is_stream:
            lines.append(line)
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            text, data = "\n".join(data), []
            if LiveResponse(text).message.get("id") == id:
                return text
    return "\n".join(data or lines)


@asynccontextmanager
async def _connect_stdio(address: ServerAddress) -> AsyncIterator[LiveServer]:
    try:
        words = _split_words(address.target)
    except ValueError as error:
        raise ServerFailed(f"`{address.target}` is no command: {error}") from None
    if not words:
        raise ServerFailed("the command is empty")
    # A server inherits the whole environment, as from a shell; the SDK would pass on seven variables.
    environment = {**os.environ, **address.environment}
    parameters = StdioServerParameters(
        command=words[0], args=words[1:], env=environment, cwd=address.folder
    )
    with open(os.devnull, "w", encoding="utf-8") as unread:
        async with _stdio_streams(parameters, unread) as (read, write):

            async def exchange(message: Mapping[str, Any], _: Mapping[str, str]) -> LiveResponse:
                try:
                    await write.send(SessionMessage(_MESSAGE.validate_python(dict(message))))
                except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                    raise ServerFailed(f"`{address.target}` has ended") from None
                if "id" not in message:
                    return LiveResponse("")
                try:
                    with anyio.fail_after(address.seconds):
                        async for received in read:
                            text = _text_of(received)
                            if LiveResponse(text).message.get("id") == message["id"]:
                                return LiveResponse(text)
                except TimeoutError:
                    reason = f"no answer within {address.seconds:g} s"
                    raise ServerFailed(f"`{address.target}`: {reason}") from None
                raise ServerFailed(f"`{address.target}` ended without an answer")

            yield LiveServer(exchange)


def _split_words(line: str) -> list[str]:
    """Splits a command line as `mcpgen.conformance.targets.command` does: on Windows a backslash
    separates folders."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if os.name == "nt":
        lexer.escape = ""
    return list(lexer)


@asynccontextmanager
async def _stdio_streams(parameters: StdioServerParameters, errors: TextIO) -> AsyncIterator[Any]:
    try:
        streams = stdio_client(parameters, errors)
        pair = await streams.__aenter__()
    except OSError as error:
        raise ServerFailed(f"`{parameters.command}` cannot be started: {error}") from None
    try:
        yield pair
    finally:
        await streams.__aexit__(None, None, None)


def _text_of(received: SessionMessage | Exception) -> str:
    """Returns a received message as JSON; `{}` for a line that is not JSON-RPC.

    A request of the server is no answer, also if the ids are equal.
    """
    if isinstance(received, Exception):
        return "{}"
    message = received.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return "{}" if "method" in message else json.dumps(message)
