"""The pytest plugin of a project's tests: the server in process, called through a client, in front of
an upstream that records and answers.

A `conftest.py` loads the plugin and says with the fixture `server_under_test` which server the
fixture `api` starts.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, redirect_stdout
from dataclasses import dataclass, field
from email import message_from_bytes
from io import BytesIO, StringIO
from types import ModuleType
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl, unquote
from xml.etree.ElementTree import canonicalize

import httpx2
import pytest
from aiohttp import web
from aiohttp.test_utils import RawTestServer
from mcp.shared.inbound import mcp_param_headers
from pydantic_settings import BaseSettings

__all__ = [
    "CREDENTIAL",
    "INTROSPECTION",
    "LISTS",
    "MODERN",
    "YES",
    "Api",
    "AuthSetup",
    "SentRequest",
    "ServerUnderTest",
    "Upstream",
    "anyio_backend",
    "api",
    "command_help",
    "confirmation_parameters",
    "json_size",
    "modelled",
    "serving",
    "visible_arguments",
]

CREDENTIAL = "test-credential"
"""The value of every credential. In a request, this value comes from the API's security, not from a
tool."""

INTROSPECTION = "/.well-known/introspection-of-the-tests"
"""The path of token introspection at the upstream, in place of the issuer's; no token is active."""

ALONE: dict[str, Any] = {
    "limits": False,
    "limit_store": "memory://",
    "metrics_port": 0,
    "public_url": "",
    "registers": False,
}
"""Settings, where the server has them, that turn off limits and external services."""

MODERN = "2026-07-28"
"""The first revision without a handshake: each request introduces its client."""

YES = {"action": "accept", "content": {"confirm": True}}
"""The user's answer to a confirmation."""

TEXTUAL = re.compile(r"^text/|xml|yaml|json|graphql|jwt|javascript|sql|toml|pem|sdp")
"""Content types of text bodies."""

LISTS = {
    "tools": ("tools", "tools/list"),
    "resources": ("resources", "resources/list"),
    "resourceTemplates": ("resources", "resources/templates/list"),
    "prompts": ("prompts", "prompts/list"),
}
"""By list of the server card: the capability, and the method that returns the list."""


def json_size(value: Any) -> int:
    """The bytes of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def command_help(package: str) -> str:
    """The output of `python -m PACKAGE --help`, run in this process; the exit code must be 0."""
    output, code = StringIO(), None
    # runpy warns about a module that is already imported.
    sys.modules.pop(f"{package}.__main__", None)
    with patch.object(sys, "argv", [package, "--help"]), redirect_stdout(output):
        try:
            runpy.run_module(package, run_name="__main__")
        except SystemExit as error:
            code = error.code
    assert code == 0, output.getvalue()
    return output.getvalue()


@dataclass
class Upstream:
    """The next answer of the API, and the recorded requests."""

    status: int = 200
    media_type: str = "application/json"
    body: bytes = b"{}"
    requests: list[SentRequest] = field(default_factory=list)

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """Records the request as received on the wire, and answers."""
        path, _, query = request.raw_path.partition("?")
        if path == INTROSPECTION:
            return web.json_response({"active": False})
        pairs = [pair for pair in query.split("&") if pair and not pair.endswith(f"={CREDENTIAL}")]
        line = f"{request.method} {path}" + (f"?{'&'.join(pairs)}" if pairs else "")
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(SentRequest(line, headers, await request.read()))
        kind = {"Content-Type": self.media_type} if self.body else {}
        return web.Response(status=self.status, body=self.body, headers=kind)


@dataclass(frozen=True)
class SentRequest:
    """A request received by the upstream; `line` is method and target, without credentials."""

    line: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """The body as text, or as base64 for a binary type."""
        kind = self.headers["content-type"]
        if not TEXTUAL.search(kind):
            return b64encode(self.body).decode()
        charset = re.search(r"charset=\"?([\w-]+)", kind)
        return self.body.decode(charset[1] if charset else "utf-8")

    @property
    def form(self) -> list[tuple[str, str]]:
        """The fields of a form."""
        return parse_qsl(self.body.decode(), keep_blank_values=True)

    @property
    def parts(self) -> list[tuple[str, str, str, str]]:
        """Name, content type, file name and content of each part; files and binary content as
        base64."""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        return [_part(part) for part in message_from_bytes(head + self.body).get_payload()]

    @property
    def lines(self) -> list[Any]:
        """The values of a sequence of JSON."""
        return [json.loads(line) for line in self.body.decode().replace("\x1e", "").splitlines()]

    @property
    def xml(self) -> str:
        """The XML document in canonical form."""
        return canonicalize(from_file=BytesIO(self.body))

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies, without credentials."""
        pairs = (pair.split("=", 1) for pair in self.headers.get("cookie", "").split("; ") if pair)
        return {name: unquote(value) for name, value in pairs if value != CREDENTIAL}


def _part(part: Any) -> tuple[str, str, str, str]:
    """A part; the head is UTF-8, with quotes and line breaks percent-encoded."""
    head = {name.lower(): text for name, text in part.raw_items()}
    disposition = head.get("content-disposition", "").encode("ascii", "surrogateescape").decode()
    quoted = dict(re.findall(r'(\w+)="([^"]*)"', disposition))
    name, filename = (_unquoted(quoted.get(key, "")) for key in ("name", "filename"))
    content: bytes = part.get_payload(decode=True)
    kind = head.get("content-type", "")
    is_text = not filename and (not kind or TEXTUAL.search(kind))
    text = content.decode() if is_text else b64encode(content).decode()
    if is_text and "xml" in kind:
        text = canonicalize(text)
    return name, kind, filename, text


def _unquoted(text: str) -> str:
    return text.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")


@dataclass(frozen=True)
class AuthSetup:
    """The endpoint, the settings besides credentials, and the headers of the client."""

    address: str = "/mcp"
    settings: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Api:
    """The server under test and the upstream."""

    client: httpx2.AsyncClient
    upstream: Upstream
    address: str = "/mcp"
    sets: Mapping[str, str] = field(default_factory=dict)
    mirrors: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    settings: Any = None

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        answer: Any = None,
        *,
        status: int = 200,
        media_type: str = "application/json",
    ) -> SentRequest:
        """Calls a tool and returns the single upstream request; the call must succeed."""
        self._prepare(answer, status, media_type)
        result = await self.result(tool, arguments)
        assert not result["isError"], result["content"]
        (request,) = self.upstream.requests
        return request

    async def sends(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """True if a call sends a request, whatever the result."""
        self._prepare({}, 200, "application/json")
        await self.result(tool, arguments)
        return len(self.upstream.requests) == 1

    async def refused(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The error text of a call without an upstream request."""
        self._prepare({}, 200, "application/json")
        result = await self.result(tool, arguments)
        assert result["isError"]
        assert not self.upstream.requests
        return str(result["content"][0]["text"])

    async def failed(self, tool: str, arguments: Mapping[str, Any], *, status: int) -> str:
        """The error text of a call if the upstream answers with a failure."""
        self._prepare({"message": "out of order"}, status, "application/json")
        result = await self.result(tool, arguments)
        assert result["isError"]
        return str(result["content"][0]["text"])

    def _prepare(self, answer: Any, status: int, media_type: str) -> None:
        self.upstream.requests.clear()
        self.upstream.status = status
        self.upstream.media_type = media_type
        is_text = isinstance(answer, str) and media_type != "application/json"
        self.upstream.body = answer.encode() if is_text else _answer_body(answer)

    async def result(
        self, tool: str, arguments: Mapping[str, Any], **headers: str
    ) -> dict[str, Any]:
        """The result of a call as on the wire; confirms the call if the server asks for
        confirmation."""
        params = {"name": tool, "arguments": dict(arguments)}
        result = await self.request("tools/call", params, **headers)
        more = confirmation_parameters(result)
        return await self.request("tools/call", {**params, **more}, **headers) if more else result

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        version: str = MODERN,
        toolset: str = "",
        **headers: str,
    ) -> dict[str, Any]:
        """The result of a JSON-RPC request in some revision of the protocol."""
        response = await self.post(method, params, version=version, toolset=toolset, **headers)
        answer: dict[str, Any] = response.json()
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    async def error(
        self, method: str, params: Mapping[str, Any], *, toolset: str = ""
    ) -> dict[str, Any]:
        """The error of a JSON-RPC request."""
        response = await self.post(method, params, toolset=toolset)
        error: dict[str, Any] = response.json()["error"]
        return error

    async def post(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        version: str = MODERN,
        toolset: str = "",
        **headers: str,
    ) -> httpx2.Response:
        """The response to a JSON-RPC request with these additional headers, at the endpoint of the
        server or of a toolset."""
        params = dict(params or {})
        headers = {"MCP-Protocol-Version": version, **headers}
        if version >= MODERN:
            headers["Mcp-Method"] = method
            if mcp_name := params.get("name") or params.get("uri"):
                headers["Mcp-Name"] = mcp_name
            headers = {**self._mirrored(params), **headers}
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
                **params.get("_meta", {}),
            }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        toolset = toolset or self.sets.get(params.get("name", ""), "")
        path = f"{self.address}/{toolset}" if toolset else self.address
        return await self.client.post(path, json=message, headers=headers)

    def _mirrored(self, params: Mapping[str, Any]) -> dict[str, str]:
        """The headers that repeat arguments of a call."""
        names = self.mirrors.get(params.get("name", ""), {})
        header_map: dict[tuple[str, ...], str] = {(name,): header for name, header in names.items()}
        return mcp_param_headers(header_map, params.get("arguments", {}))

    async def listed(self, key: str, card: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The entries of all pages of a list; empty without the capability in the server card."""
        capability, method = LISTS[key]
        if capability not in card["capabilities"]:
            return []
        page = await self.request(method, version=card["mcpVersion"])
        entries = list(page[key])
        while cursor := page.get("nextCursor"):
            page = await self.request(method, {"cursor": cursor}, version=card["mcpVersion"])
            entries += page[key]
        return entries

    async def health(self) -> int:
        """The status of the health probe."""
        return (await self.client.get("/healthz")).status_code


def confirmation_parameters(result: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that confirm a call, if the result only asks for confirmation; else `{}`."""
    if list(result.get("inputRequests", ())) != ["confirm"]:
        return {}
    return {"inputResponses": {"confirm": YES}, "requestState": result["requestState"]}


def _answer_body(answer: Any) -> bytes:
    return b"" if answer is None else json.dumps(answer).encode()


@asynccontextmanager
async def serving(
    create: Callable[[Any], Any],
    settings: type[BaseSettings],
    entrance: AuthSetup = AuthSetup(),
    values: Mapping[str, Any] = {},
    sets: Mapping[str, str] = {},
    mirrors: Mapping[str, Mapping[str, str]] = {},
    upstream: Upstream | None = None,
    told: Collection[str] = (),
) -> AsyncIterator[Api]:
    """Starts the server with these values and `CREDENTIAL` for every other setting of the project,
    except the settings that the environment has `told`. Tools missing at the endpoint are called in
    their `sets`; `mirrors` are the headers that repeat arguments."""
    upstream = upstream or Upstream()
    async with RawTestServer(upstream.answer, host="127.0.0.1") as recorder:
        shared = {name for base in settings.__bases__ for name in _fields_of(base)}
        names = [name for name in settings.__annotations__ if name not in shared]
        own: dict[str, Any] = dict.fromkeys(names, CREDENTIAL)
        own |= {**values, **ALONE, "upstream": str(recorder.make_url("/")), **entrance.settings}
        if "caller_introspection_client_id" in own:
            own["caller_introspection_url"] = str(recorder.make_url(INTROSPECTION))
        app = create(settings(**{name: own[name] for name in own if name not in told}))
        async with (
            app.running(),
            httpx2.AsyncClient(
                transport=httpx2.ASGITransport(app),
                base_url="http://localhost",
                headers=entrance.headers,
            ) as client,
        ):
            yield Api(client, upstream, entrance.address, sets, mirrors, app.settings)


ServerUnderTest = AbstractAsyncContextManager[Api]
"""A server that starts on entry and ends on exit, as `serving` returns."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop of the tests."""
    return "asyncio"


@pytest.fixture(scope="session")
async def api(anyio_backend: str, server_under_test: ServerUnderTest) -> AsyncIterator[Api]:
    """The running server of the project."""
    async with server_under_test as running:
        yield running


def _fields_of(base: type) -> Iterable[str]:
    return base.model_fields if issubclass(base, BaseSettings) else ()


Fields = tuple[set[str], set[str]]
"""The names of all arguments, and of the required arguments."""


def visible_arguments(tool: Any) -> Fields:
    """The arguments of a tool as announced to clients."""
    return set(tool.input_schema["properties"]), set(tool.input_schema["required"])


def modelled(models: ModuleType, tool: Any) -> Fields:
    """The arguments of a tool's model in `models.py`."""
    words = re.split("[_.-]", tool.name)
    model = getattr(models, "".join(word.capitalize() for word in words) + "Arguments")
    schema = model.model_json_schema(by_alias=True)
    return set(schema.get("properties", {})), set(schema.get("required", []))
