"""A small conforming MCP server over raw HTTP; broken servers override single steps.

Supports every revision on one endpoint. No SDK: a defect must fit in a few lines.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
ALL = (*LEGACY, MODERN)
CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
SERVER_INFO = {"name": "test", "version": "1.0.0"}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
LIMIT = 4 * 1024 * 1024
HINTS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


def tool(name: str, properties: dict[str, Any], required: list[str], **more: Any) -> dict[str, Any]:
    """A tool that passes the checks of all hosts."""
    return {
        "name": name,
        "title": name.title(),
        "description": f"Does {name}.",
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
        "annotations": dict(HINTS),
        **more,
    }


def default_tools() -> list[dict[str, Any]]:
    """The tools of the correct server."""
    text = {"type": "string", "description": "A text."}
    number = {"type": "integer", "description": "A whole number."}
    answer = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
    return [
        tool("add", {"left": number, "right": number}, ["left", "right"], outputSchema=answer),
        tool("echo", {"text": text, "loud": {"type": "boolean", "description": "Loud?"}}, ["text"]),
        tool("list_colours", {}, []),
    ]


class Refusal(Exception):
    """A JSON-RPC error with its HTTP status in the modern revision."""

    def __init__(self, code: int, message: str, status: int = 400, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({"data": data} if data else {})
        self.status = status


@dataclass
class ReceivedRequest:
    """A received request."""

    method: str
    headers: dict[str, str]
    body: bytes = b""
    path: str = "/mcp"


@dataclass
class Reply:
    """An answer about to be sent. `hold` keeps the connection open after the body, `interim` is sent
    before the answer.
    """

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hold: float = 0.0
    interim: bytes = b""


class ConformingServer:
    """A conforming server; `answer` handles a request, the other methods are the steps of `answer`.

    `speaks` lists the supported revisions, `credentials` the required headers. `reads_last_header`:
    reads the last value of a repeated header instead of all values.
    """

    speaks: tuple[str, ...] = ALL
    reads_last_header = False
    credentials: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        self.tools = default_tools()
        self.called_tools: list[str] = []

    def answer(self, request: ReceivedRequest) -> Reply:
        """The reply to one HTTP request."""
        if reply := self.guard(request):
            return reply
        if request.method == "GET":
            return self.get(request)
        if request.method == "DELETE":
            return self.delete(request)
        if request.method != "POST":
            return self.other_method(request)
        try:
            message = self.parse(request)
        except (ValueError, RecursionError):
            return self.broken_json(request)
        if isinstance(message, list):
            return self.batch(request, message)
        return self.single(request, message)

    def guard(self, request: ReceivedRequest) -> Reply | None:
        """The refusal of a foreign `Host` or `Origin`, or None."""
        if not self.host_allowed(request.headers.get("host", "")):
            return Reply(421)
        origin = request.headers.get("origin")
        if origin is not None and not self.origin_allowed(origin):
            return Reply(403)
        return None

    def host_allowed(self, host: str) -> bool:
        """True for a served host name."""
        return host.rpartition(":")[0] in ("127.0.0.1", "localhost")

    def origin_allowed(self, origin: str) -> bool:
        """True for an allowed origin."""
        return origin.startswith("http://127.0.0.1:")

    def get(self, request: ReceivedRequest) -> Reply:
        """The answer to GET."""
        return Reply(405, headers={"Allow": "POST"})

    def delete(self, request: ReceivedRequest) -> Reply:
        """The answer to DELETE."""
        return Reply(405, headers={"Allow": "POST"})

    def other_method(self, request: ReceivedRequest) -> Reply:
        """The answer to a method that MCP does not use."""
        return Reply(405, headers={"Allow": "POST"})

    def parse(self, request: ReceivedRequest) -> Any:
        """The JSON of the body."""
        return json.loads(request.body)

    def broken_json(self, request: ReceivedRequest) -> Reply:
        """The answer to a body that is not JSON."""
        return self.error_reply(None, Refusal(-32700, "Parse error"), always=True)

    def batch(self, request: ReceivedRequest, messages: list[Any]) -> Reply:
        """The answer to a batch; revisions with a version header have no batches."""
        if "mcp-protocol-version" in request.headers:
            refusal = Refusal(-32600, "No batches in this revision")
            return self.error_reply(None, refusal, always=True)
        replies = [self.single(request, message).body for message in messages]
        answers = [json.loads(body) for body in replies if body]
        return self.json_reply(answers) if answers else Reply(202)

    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        """The answer to one message."""
        modern = request.headers.get("mcp-protocol-version", "") not in ("", *LEGACY)
        identifier = message.get("id") if isinstance(message, dict) else None
        try:
            if self.is_response(message):
                return self.response(request)
            self.check_envelope(message)
            if identifier is None:
                return self.notification(request, message)
            if modern:
                self.check_modern(request, message)
                return self.result_reply(identifier, self.modern_result(message))
            if reply := self.check_session(request, message):
                return reply
            return self.result_reply(identifier, self.result(message, request), message)
        except Refusal as refusal:
            return self.error_reply(identifier, refusal, always=modern)
        except (AttributeError, KeyError, TypeError):
            # A member of another type than the schema's, wherever it was used first.
            refusal = Refusal(-32602, "Invalid params")
            return self.error_reply(identifier, refusal, always=modern)

    def check_envelope(self, message: Any) -> None:
        """Refuses a message that is not JSON-RPC."""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            raise Refusal(-32600, "Invalid request")
        self.check_members(message)

    def check_members(self, message: Any) -> None:
        """Refuses a wrong `jsonrpc`, `params` other than an object, and an id other than a string or
        an integer.
        """
        params, identifier = message.get("params", {}), message.get("id", 0)
        sound = message.get("jsonrpc") == "2.0" and isinstance(params, dict)
        if not sound or isinstance(identifier, bool) or not isinstance(identifier, int | str):
            raise Refusal(-32600, "Invalid request")

    def is_response(self, message: Any) -> bool:
        """True for a JSON-RPC response."""
        return isinstance(message, dict) and "method" not in message and "result" in message

    def response(self, request: ReceivedRequest) -> Reply:
        """The answer to a response."""
        return Reply(202)

    def notification(self, request: ReceivedRequest, message: Any) -> Reply:
        """The answer to a notification."""
        return Reply(202)

    def check_session(self, request: ReceivedRequest, message: Any) -> Reply | None:
        """The refusal of an unknown version or session, or None."""
        return None

    def check_modern(self, request: ReceivedRequest, message: Any) -> None:
        """Refuses a modern request with wrong `_meta` or headers."""
        params = message.get("params") or {}
        meta = params.get("_meta") or {}
        self.check_meta(meta)
        self.check_headers(request, message, meta)
        self.check_version(meta)

    def check_meta(self, meta: dict[str, Any]) -> None:
        """Refuses `_meta` without the required keys."""
        for key in ("protocolVersion", "clientCapabilities"):
            if META + key not in meta:
                raise Refusal(-32602, f"_meta lacks {key}")

    def check_headers(self, request: ReceivedRequest, message: Any, meta: dict[str, Any]) -> None:
        """Refuses headers that differ from the body."""
        expected = {
            "mcp-protocol-version": meta[META + "protocolVersion"],
            "mcp-method": message["method"],
        }
        if message["method"] in NAMED:
            expected["mcp-name"] = message["params"].get(NAMED[message["method"]])
        for name, value in expected.items():
            if self.header(request, name) != value:
                raise Refusal(-32020, f"{name} does not match")

    def header(self, request: ReceivedRequest, name: str) -> str | None:
        """The value of a header, white space stripped and the base64 form decoded."""
        value = request.headers.get(name)
        if name == "mcp-name" and value and value.startswith("=?base64?") and value.endswith("?="):
            return base64.b64decode(value[9:-2]).decode()
        return value

    def check_version(self, meta: dict[str, Any]) -> None:
        """Refuses a version the server does not have."""
        version = meta[META + "protocolVersion"]
        if version != MODERN:
            data = {"supported": [MODERN], "requested": version}
            raise Refusal(-32022, "Unsupported protocol version", data=data)

    def modern_result(self, message: Any) -> dict[str, Any]:
        """The result of a modern request, stamped."""
        if message["method"] in ("initialize", "ping"):
            raise Refusal(-32601, "Method not found", 404)
        result = self.result(message, None)
        if message["method"] in CACHED:
            result |= {"ttlMs": 60_000, "cacheScope": "public"}
        return {"resultType": "complete", "_meta": {META + "serverInfo": SERVER_INFO}} | result

    def result(self, message: Any, request: ReceivedRequest | None) -> dict[str, Any]:
        """The result of a request, the same in all revisions."""
        params = message.get("params") or {}
        match message["method"]:
            case "initialize":
                return self.initialize(params)
            case "server/discover" if request is None:
                return self.discover()
            case "ping":
                return {}
            case "tools/list":
                return self.list_tools(params)
            case "tools/call":
                return self.call(params)
        return self.unknown_method(message["method"])

    def unknown_method(self, method: str) -> dict[str, Any]:
        """Refuses an unknown method."""
        raise Refusal(-32601, "Method not found", 404)

    def capabilities(self) -> dict[str, Any]:
        """The declared capabilities."""
        return {"tools": {}}

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of `initialize`."""
        version = params.get("protocolVersion")
        return {
            "protocolVersion": version if version in LEGACY else LEGACY[-1],
            "capabilities": self.capabilities(),
            "serverInfo": SERVER_INFO,
        }

    def discover(self) -> dict[str, Any]:
        """The result of `server/discover`."""
        return {"supportedVersions": [MODERN, *LEGACY], "capabilities": self.capabilities()}

    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of `tools/list`."""
        if "cursor" in params:
            raise Refusal(-32602, "Unknown cursor")
        return {"tools": self.tools}

    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of `tools/call`."""
        result = next((t for t in self.tools if t["name"] == params.get("name")), None)
        if result is None:
            return self.unknown_tool(params)
        arguments = params.get("arguments") or {}
        if problem := self.argument_problem(result["inputSchema"], arguments):
            return self.refuse_arguments(problem)
        self.called_tools.append(result["name"])
        return self.run(result["name"], arguments)

    def unknown_tool(self, params: dict[str, Any]) -> dict[str, Any]:
        """Refuses an unknown tool."""
        raise Refusal(-32602, f"Unknown tool: {params.get('name')}")

    def argument_problem(self, schema: dict[str, Any], arguments: dict[str, Any]) -> str:
        """The first violation of the schema, or `""`."""
        kinds = {"string": str, "integer": int, "boolean": bool, "number": float, "array": list}
        for name in schema.get("required", []):
            if name not in arguments:
                return f"{name} is required"
        for name, value in arguments.items():
            property_schema = schema.get("properties", {}).get(name)
            if property_schema is None:
                return f"{name} is not an argument"
            if not isinstance(value, kinds.get(property_schema.get("type"), object)):
                return f"{name} must be {property_schema['type']}"
        return ""

    def refuse_arguments(self, problem: str) -> dict[str, Any]:
        """The answer to bad arguments."""
        return {"content": [{"type": "text", "text": problem}], "isError": True}

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool with valid arguments."""
        if name == "add":
            value = {"sum": arguments["left"] + arguments["right"]}
            text = json.dumps(value)
            return {"content": [{"type": "text", "text": text}], "structuredContent": value}
        return {"content": [{"type": "text", "text": "fine"}], "isError": False}

    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        """A reply with a result."""
        return self.json_reply({"jsonrpc": "2.0", "id": identifier, "result": result})

    def error_reply(self, identifier: Any, refusal: Refusal, *, always: bool) -> Reply:
        """A reply with an error; its HTTP status is used only if `always`."""
        body = {"jsonrpc": "2.0", "id": identifier, "error": refusal.error}
        return self.json_reply(body, refusal.status if always else 200)

    def json_reply(self, body: Any, status: int = 200) -> Reply:
        """A reply with a JSON body."""
        return Reply(status, json.dumps(body).encode(), {"Content-Type": "application/json"})


class _ConformingServerHandler(BaseHTTPRequestHandler):
    """One HTTP connection to a ConformingServer or a subclass."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    mcp_server: ConformingServer

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            if getattr(self.mcp_server, "exact_case", False) and name in (
                name.lower(),
                name.upper(),
            ):
                continue
            is_repeated = name.lower() in headers and not self.mcp_server.reads_last_header
            before = f"{headers[name.lower()]}, " if is_repeated else ""
            headers[name.lower()] = before + self.strip(value)
        headers["test-connection"] = str(self.client_address[1])
        if length > self.body_limit():
            self.close_connection = True
            self._send(Reply(413))
            return
        reply = self.mcp_server.answer(
            ReceivedRequest(self.command, headers, self.rfile.read(length), self.path)
        )
        self._send(reply)

    def body_limit(self) -> int:
        """The maximum length of a body."""
        return getattr(self.mcp_server, "limit", LIMIT)

    def strip(self, value: str) -> str:
        """A header value without surrounding white space."""
        return value if getattr(self.mcp_server, "keeps_padding", False) else value.strip()

    def _send(self, reply: Reply) -> None:
        self.wfile.write(reply.interim)
        self.send_response(reply.status)
        if reply.hold:
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(len(reply.body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)
        self.wfile.flush()
        if reply.hold:
            self.server.closing.wait(reply.hold)  # type: ignore[attr-defined]

    do_POST = do_GET = do_DELETE = do_PATCH = _serve

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests' output is not a log."""


class _HttpServer(ThreadingHTTPServer):
    """A loopback server with daemon threads."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, server: ConformingServer, port: int) -> None:
        self.closing = threading.Event()
        super().__init__(
            ("127.0.0.1", port),
            type("Handler", (_ConformingServerHandler,), {"mcp_server": server}),
        )

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores the error: tests disconnect on purpose."""


@contextmanager
def serving(server: ConformingServer, port: int = 0) -> Iterator[str]:
    """The address of the endpoint, for as long as the server runs."""
    http_server = _HttpServer(server, port)
    thread = threading.Thread(target=http_server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{http_server.server_address[1]}/mcp"
    finally:
        http_server.closing.set()
        http_server.shutdown()
        thread.join()
        http_server.server_close()
