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
    """A tool that every host can live with."""
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
class Asked:
    """A request as the server got it."""

    method: str
    headers: dict[str, str]
    body: bytes = b""
    path: str = "/mcp"


@dataclass
class Reply:
    """An answer about to be sent. `hold` keeps the connection open after the body."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hold: float = 0.0


class ConformingServer:
    """A conforming server; `answer` handles a request, the other methods are the steps of `answer`.

    `speaks` lists the supported revisions, `credentials` the required headers.
    """

    speaks: tuple[str, ...] = ALL
    credentials: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        self.tools = default_tools()
        self.called: list[str] = []

    def answer(self, asked: Asked) -> Reply:
        """The reply to one HTTP request."""
        if reply := self.guard(asked):
            return reply
        if asked.method == "GET":
            return self.get(asked)
        if asked.method == "DELETE":
            return self.delete(asked)
        try:
            message = self.parse(asked)
        except (ValueError, RecursionError):
            return self.broken_json(asked)
        if isinstance(message, list):
            return self.batch(asked, message)
        return self.single(asked, message)

    def guard(self, asked: Asked) -> Reply | None:
        """A refusal of a foreign caller, or None."""
        if not self.host_allowed(asked.headers.get("host", "")):
            return Reply(421)
        origin = asked.headers.get("origin")
        if origin is not None and not self.origin_allowed(origin):
            return Reply(403)
        return None

    def host_allowed(self, host: str) -> bool:
        """Whether the server answers under this name."""
        return host.rpartition(":")[0] in ("127.0.0.1", "localhost")

    def origin_allowed(self, origin: str) -> bool:
        """Whether pages of this origin may call."""
        return origin.startswith("http://127.0.0.1:")

    def get(self, asked: Asked) -> Reply:
        """The answer to GET."""
        return Reply(405, headers={"Allow": "POST"})

    def delete(self, asked: Asked) -> Reply:
        """The answer to DELETE."""
        return Reply(405, headers={"Allow": "POST"})

    def parse(self, asked: Asked) -> Any:
        """The JSON of the body."""
        return json.loads(asked.body)

    def broken_json(self, asked: Asked) -> Reply:
        """The answer to a body that is not JSON."""
        return self.error_reply(None, Refusal(-32700, "Parse error"), always=True)

    def batch(self, asked: Asked, messages: list[Any]) -> Reply:
        """The answer to a batch: only revisions without a version header have one."""
        if "mcp-protocol-version" in asked.headers:
            refusal = Refusal(-32600, "No batches in this revision")
            return self.error_reply(None, refusal, always=True)
        replies = [self.single(asked, message).body for message in messages]
        answers = [json.loads(body) for body in replies if body]
        return self.json_reply(answers) if answers else Reply(202)

    def single(self, asked: Asked, message: Any) -> Reply:
        """The answer to one message."""
        modern = asked.headers.get("mcp-protocol-version", "") not in ("", *LEGACY)
        identifier = message.get("id") if isinstance(message, dict) else None
        try:
            if self.is_response(message):
                return self.response(asked)
            self.check_envelope(message)
            if identifier is None:
                return self.notification(asked, message)
            if modern:
                self.check_modern(asked, message)
                return self.result_reply(identifier, self.modern_result(message))
            if reply := self.check_session(asked, message):
                return reply
            return self.result_reply(identifier, self.result(message, asked), message)
        except Refusal as refusal:
            return self.error_reply(identifier, refusal, always=modern)

    def check_envelope(self, message: Any) -> None:
        """Refuses what is not a JSON-RPC message."""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            raise Refusal(-32600, "Invalid request")
        self.check_members(message)

    def check_members(self, message: Any) -> None:
        """Refuses a wrong version of JSON-RPC, parameters that are no object, an id of null."""
        params = message.get("params", {})
        sound = message.get("jsonrpc") == "2.0" and isinstance(params, dict)
        if not sound or message.get("id", 0) is None:
            raise Refusal(-32600, "Invalid request")

    def is_response(self, message: Any) -> bool:
        """Whether a client sent a response, to a question the server never asked."""
        return isinstance(message, dict) and "method" not in message and "result" in message

    def response(self, asked: Asked) -> Reply:
        """The answer to a response."""
        return Reply(202)

    def notification(self, asked: Asked, message: Any) -> Reply:
        """The answer to a notification."""
        return Reply(202)

    def check_session(self, asked: Asked, message: Any) -> Reply | None:
        """A refusal of an unknown version or session, or None."""
        return None

    def check_modern(self, asked: Asked, message: Any) -> None:
        """Refuses a modern request whose `_meta` or headers are not right."""
        params = message.get("params") or {}
        meta = params.get("_meta") or {}
        self.check_meta(meta)
        self.check_headers(asked, message, meta)
        self.check_version(meta)

    def check_meta(self, meta: dict[str, Any]) -> None:
        """Refuses `_meta` without the required keys."""
        for key in ("protocolVersion", "clientCapabilities"):
            if META + key not in meta:
                raise Refusal(-32602, f"_meta lacks {key}")

    def check_headers(self, asked: Asked, message: Any, meta: dict[str, Any]) -> None:
        """Refuses headers that differ from the body."""
        wanted = {
            "mcp-protocol-version": meta[META + "protocolVersion"],
            "mcp-method": message["method"],
        }
        if message["method"] in NAMED:
            wanted["mcp-name"] = message["params"].get(NAMED[message["method"]])
        for name, value in wanted.items():
            if self.header(asked, name) != value:
                raise Refusal(-32020, f"{name} does not match")

    def header(self, asked: Asked, name: str) -> str | None:
        """The value of a header, white space stripped and the base64 form decoded."""
        value = asked.headers.get(name)
        if name == "mcp-name" and value and value.startswith("=?base64?") and value.endswith("?="):
            return base64.b64decode(value[9:-2]).decode()
        return value

    def check_version(self, meta: dict[str, Any]) -> None:
        """Refuses a version the server does not have."""
        asked_for = meta[META + "protocolVersion"]
        if asked_for != MODERN:
            data = {"supported": [MODERN], "requested": asked_for}
            raise Refusal(-32022, "Unsupported protocol version", data=data)

    def modern_result(self, message: Any) -> dict[str, Any]:
        """The result of a modern request, stamped."""
        if message["method"] in ("initialize", "ping"):
            raise Refusal(-32601, "Method not found", 404)
        result = self.result(message, None)
        if message["method"] in CACHED:
            result |= {"ttlMs": 60_000, "cacheScope": "public"}
        return {"resultType": "complete", "_meta": {META + "serverInfo": SERVER_INFO}} | result

    def result(self, message: Any, asked: Asked | None) -> dict[str, Any]:
        """The result of a request, the same in all revisions."""
        params = message.get("params") or {}
        match message["method"]:
            case "initialize":
                return self.initialize(params)
            case "server/discover" if asked is None:
                return self.discover()
            case "ping":
                return {}
            case "tools/list":
                return self.list_tools(params)
            case "tools/call":
                return self.call(params)
        return self.unknown_method(message["method"])

    def unknown_method(self, method: str) -> dict[str, Any]:
        """What becomes of a request for a method the server does not have."""
        raise Refusal(-32601, "Method not found", 404)

    def capabilities(self) -> dict[str, Any]:
        """What the server declares."""
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
        found = next((t for t in self.tools if t["name"] == params.get("name")), None)
        if found is None:
            return self.unknown_tool(params)
        arguments = params.get("arguments") or {}
        if problem := self.argument_problem(found["inputSchema"], arguments):
            return self.refuse_arguments(problem)
        self.called.append(found["name"])
        return self.run(found["name"], arguments)

    def unknown_tool(self, params: dict[str, Any]) -> dict[str, Any]:
        """What becomes of a call of a tool that does not exist."""
        raise Refusal(-32602, f"Unknown tool: {params.get('name')}")

    def argument_problem(self, schema: dict[str, Any], arguments: dict[str, Any]) -> str:
        """The first way in which the arguments break the schema, or an empty string."""
        kinds = {"string": str, "integer": int, "boolean": bool, "number": float, "array": list}
        for name in schema.get("required", []):
            if name not in arguments:
                return f"{name} is required"
        for name, value in arguments.items():
            declared = schema.get("properties", {}).get(name)
            if declared is None:
                return f"{name} is not an argument"
            if not isinstance(value, kinds.get(declared.get("type"), object)):
                return f"{name} must be {declared['type']}"
        return ""

    def refuse_arguments(self, problem: str) -> dict[str, Any]:
        """The answer to bad arguments."""
        return {"content": [{"type": "text", "text": problem}], "isError": True}

    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool whose arguments are right."""
        if name == "add":
            value = {"sum": arguments["left"] + arguments["right"]}
            text = json.dumps(value)
            return {"content": [{"type": "text", "text": text}], "structuredContent": value}
        return {"content": [{"type": "text", "text": "fine"}], "isError": False}

    def result_reply(self, identifier: Any, result: Any, message: Any = None) -> Reply:
        """The reply that carries a result."""
        return self.json_reply({"jsonrpc": "2.0", "id": identifier, "result": result})

    def error_reply(self, identifier: Any, refusal: Refusal, *, always: bool) -> Reply:
        """The reply that carries an error; its HTTP status matters only when `always`."""
        body = {"jsonrpc": "2.0", "id": identifier, "error": refusal.error}
        return self.json_reply(body, refusal.status if always else 200)

    def json_reply(self, body: Any, status: int = 200) -> Reply:
        """A reply with a JSON body."""
        return Reply(status, json.dumps(body).encode(), {"Content-Type": "application/json"})


class _Handler(BaseHTTPRequestHandler):
    """One HTTP connection to a ConformingServer or a subclass."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    mcp_server: ConformingServer

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        headers = {
            name.lower(): self.strip(value)
            for name, value in self.headers.items()
            if not getattr(self.mcp_server, "exact_case", False)
            or not (name.islower() or name.isupper())
        }
        headers["test-connection"] = str(self.client_address[1])
        if length > self.body_limit():
            self.close_connection = True
            self._send(Reply(413))
            return
        reply = self.mcp_server.answer(
            Asked(self.command, headers, self.rfile.read(length), self.path)
        )
        self._send(reply)

    def body_limit(self) -> int:
        """The largest body that is read."""
        return getattr(self.mcp_server, "limit", LIMIT)

    def strip(self, value: str) -> str:
        """A header value without the white space around it."""
        return value if getattr(self.mcp_server, "keeps_padding", False) else value.strip()

    def _send(self, reply: Reply) -> None:
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

    do_POST = do_GET = do_DELETE = _serve

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests' output is not a log."""


class _HttpServer(ThreadingHTTPServer):
    """A loopback server whose threads end with it."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, server: ConformingServer, port: int) -> None:
        self.closing = threading.Event()
        super().__init__(("127.0.0.1", port), type("Handler", (_Handler,), {"mcp_server": server}))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a client that hangs up is part of the tests."""


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
