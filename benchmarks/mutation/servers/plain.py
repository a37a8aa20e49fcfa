"""A conforming MCP server over plain sockets, written from the text of the specification alone.

No SDK and no HTTP library: the sockets, HTTP/1.1, JSON-RPC, sessions and every revision are in this
file, so that a mutant of a line changes the answers of this server only.
`python -m benchmarks.mutation.servers.plain PORT [--token]` serves until the process ends.
"""

from __future__ import annotations

import base64
import json
import secrets
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import jsonschema_rs

from benchmarks.mutation.servers import fixture

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
BATCHES = "2025-03-26"
PREFIX = "io.modelcontextprotocol/"
PAGE = 2
MAX_BODY = 4 * 1024 * 1024
CACHED = ("server/discover", "resources/read")
REMOVED = (
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
)
NAME_HEADERS = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
SERVER_INFO = {"name": fixture.NAME, "version": fixture.VERSION, "title": "Mutation"}
CAPABILITIES = {
    "tools": {},
    "resources": {"subscribe": True},
    "prompts": {},
    "completions": {},
    "logging": {},
}
REASONS = {
    200: "OK",
    202: "Accepted",
    204: "No Content",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    421: "Misdirected Request",
}


class RpcError(Exception):
    """A JSON-RPC error and the HTTP status of the stateless revision."""

    def __init__(self, code: int, message: str, status: int = 400, data: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.error: dict[str, Any] = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


class HttpRefusal(Exception):
    """An HTTP status without a JSON-RPC message."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(status)
        self.answer = Answer(status, {n.replace("_", "-"): v for n, v in headers.items()})


@dataclass
class Request:
    """A request of HTTP. Header names are lower case; `values` are all values by name."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


@dataclass
class StreamEvent:
    """An event of a stream; an event without a message only has an id."""

    message: dict[str, Any] | None = None
    id: str = ""
    name: str = "message"


@dataclass
class Answer:
    """An answer of HTTP: an event stream, a JSON body, or nothing.

    `is_open`: the stream stays open until the client closes the connection.
    """

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    events: list[StreamEvent] | None = None
    is_open: bool = False


@dataclass
class Session:
    """A session of a revision with a handshake."""

    version: str
    level: str = "debug"
    streams: list[list[StreamEvent]] = field(default_factory=list)


@dataclass
class Exchange:
    """A request and the facts of the request that mutants of the wire select by."""

    request: Request
    revision: str = ""
    message: Any = None
    session: Session | None = None

    @property
    def method(self) -> str:
        """The method of the JSON-RPC message, or `""`."""
        method = self.message.get("method") if isinstance(self.message, dict) else None
        return method if isinstance(method, str) else ""


class AnswerWire(Protocol):
    """Changes answers before the answers are sent."""

    def change(self, exchange: Exchange, answer: Answer) -> Answer:
        """The answer to send."""

    def encode(self, exchange: Exchange, answer: Answer, data: bytes) -> bytes:
        """The bytes to send."""


class PlainServer:
    """The server. `token`: the bearer token that requests need, or `""`."""

    def __init__(self, token: str = "", wire: AnswerWire | None = None) -> None:
        self.token = token
        self.wire = wire
        self.port = 0
        self.sessions: dict[str, Session] = {}

    # HTTP

    def answer(self, exchange: Exchange) -> Answer:
        """The answer to a request."""
        request = exchange.request
        try:
            self.check_origin(request)
            if request.path.startswith("/.well-known/oauth-protected-resource"):
                return self.metadata(request)
            if request.path != "/mcp":
                raise HttpRefusal(404)
            self.check_token(request)
            if request.method == "POST":
                return self.post(exchange)
            if request.method == "GET":
                return self.get(exchange)
            if request.method == "DELETE":
                return self.delete(exchange)
            raise HttpRefusal(405, Allow="POST, GET, DELETE")
        except HttpRefusal as refusal:
            return refusal.answer

    def check_origin(self, request: Request) -> None:
        """Refuses hosts and origins of other sites, against DNS rebinding."""
        host = request.headers.get("host", "")
        if host.rpartition(":")[0] not in ("127.0.0.1", "localhost"):
            raise HttpRefusal(421)
        origin = request.headers.get("origin")
        if origin is not None and not origin.startswith(("http://127.0.0.1:", "http://localhost:")):
            raise HttpRefusal(403)

    def metadata(self, request: Request) -> Answer:
        """The Protected Resource Metadata of RFC 9728."""
        if not self.token or request.path.removesuffix("/mcp").count("/") != 2:
            raise HttpRefusal(404)
        if request.method != "GET":
            raise HttpRefusal(405, Allow="GET")
        address = f"http://127.0.0.1:{self.port}"
        body = {
            "resource": f"{address}/mcp",
            "authorization_servers": [f"{address}/authorization"],
            "scopes_supported": ["mcp"],
            "bearer_methods_supported": ["header"],
        }
        return Answer(200, {"Content-Type": "application/json"}, body)

    def check_token(self, request: Request) -> None:
        """Refuses requests without the token."""
        if not self.token:
            return
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and secrets.compare_digest(
            token.strip().encode(), self.token.encode()
        ):
            return
        metadata = f"http://127.0.0.1:{self.port}/.well-known/oauth-protected-resource/mcp"
        challenge = f'Bearer resource_metadata="{metadata}", scope="mcp"'
        if scheme:
            challenge += ', error="invalid_token"'
        raise HttpRefusal(401, WWW_Authenticate=challenge)

    def get(self, exchange: Exchange) -> Answer:
        """The stream for messages of the server in a session."""
        version = exchange.request.headers.get("mcp-protocol-version", "")
        if version not in ("", *HANDSHAKE):
            raise HttpRefusal(405, Allow="POST")
        if "text/event-stream" not in exchange.request.headers.get("accept", ""):
            raise HttpRefusal(405, Allow="POST, DELETE")
        session = self.find_session(exchange.request)
        exchange.session, exchange.revision = session, session.version
        last = exchange.request.headers.get("last-event-id")
        return Answer(200, {}, events=self.missed_events(session, last), is_open=True)

    def missed_events(self, session: Session, last: str | None) -> list[StreamEvent]:
        """The events after the event `last` of the stream that had the event."""
        for stream in session.streams:
            identifiers = [event.id for event in stream]
            if last in identifiers:
                return stream[identifiers.index(last) + 1 :]
        return []

    def delete(self, exchange: Exchange) -> Answer:
        """The answer to the end of a session."""
        version = exchange.request.headers.get("mcp-protocol-version", "")
        if version not in ("", *HANDSHAKE):
            raise HttpRefusal(405, Allow="POST")
        session = self.find_session(exchange.request)
        exchange.session, exchange.revision = session, session.version
        del self.sessions[exchange.request.headers["mcp-session-id"]]
        return Answer(204)

    def post(self, exchange: Exchange) -> Answer:
        """The answer to JSON-RPC messages."""
        request = exchange.request
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise HttpRefusal(415)
        try:
            message = json.loads(request.body.decode("utf-8"), parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            return self.error_answer(None, RpcError(-32700, "Parse error"), True)
        if isinstance(message, list):
            return self.batch(exchange, message)
        exchange.message = message
        return self.single(exchange)

    def find_session(self, request: Request) -> Session:
        """The session of a request. Refuses unknown sessions and other versions."""
        identifier = request.headers.get("mcp-session-id")
        if identifier is None:
            raise HttpRefusal(400)
        if identifier not in self.sessions:
            raise HttpRefusal(404)
        session = self.sessions[identifier]
        if request.headers.get("mcp-protocol-version", session.version) not in HANDSHAKE:
            raise HttpRefusal(400)
        return session

    def batch(self, exchange: Exchange, messages: list[Any]) -> Answer:
        """The answers to a batch, which only revision 2025-03-26 has."""
        header = exchange.request.headers.get("mcp-protocol-version", "")
        session = self.sessions.get(exchange.request.headers.get("mcp-session-id", ""))
        version = header or (session.version if session else "")
        if not messages or version != BATCHES:
            return self.error_answer(None, RpcError(-32600, "One message per request"), True)
        answers = []
        for message in messages:
            single = Exchange(exchange.request, message=message)
            answer = self.single(single)
            exchange.revision = single.revision
            events = answer.events or [StreamEvent(answer.body)]
            answers += [event.message for event in events if event.message is not None]
        return self.json_answer(answers) if answers else Answer(202)

    # JSON-RPC

    def single(self, exchange: Exchange) -> Answer:
        """The answer to one message."""
        message = exchange.message
        identifier = _identifier(message)
        modern = self.is_modern(exchange)
        exchange.revision = STATELESS if modern else ""
        try:
            self.check_envelope(message)
            if "method" not in message or "id" not in message:
                return self.accept(exchange, modern)
            if modern:
                self.check_modern(exchange)
                result = self.stateless_result(exchange)
            else:
                result = self.session_result(exchange)
            return self.result_answer(exchange, result)
        except RpcError as error:
            return self.error_answer(identifier, error, modern)

    def is_modern(self, exchange: Exchange) -> bool:
        """True for a request of the stateless revision, or of a revision that is newer."""
        version = exchange.request.headers.get("mcp-protocol-version", "")
        if version in HANDSHAKE:
            return False
        return version == STATELESS or PREFIX + "protocolVersion" in _request_meta(exchange.message)

    def check_envelope(self, message: Any) -> None:
        """Refuses values that are no JSON-RPC 2.0 message."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise RpcError(-32600, "Not a message of JSON-RPC 2.0")
        if "method" not in message:
            if "id" in message and ("result" in message) != ("error" in message):
                return
            raise RpcError(-32600, "Neither a request nor a response")
        if not isinstance(message["method"], str):
            raise RpcError(-32600, "The method must be a string")
        if not isinstance(message.get("params", {}), dict):
            raise RpcError(-32600, "The parameters must be an object")
        if "id" in message and not _is_identifier(message["id"]):
            raise RpcError(-32600, "The id must be a string or an integer")

    def accept(self, exchange: Exchange, modern: bool) -> Answer:
        """The answer to a notification or a response."""
        if not modern:
            exchange.session = self.find_session(exchange.request)
            exchange.revision = exchange.session.version
        return Answer(202)

    def check_modern(self, exchange: Exchange) -> None:
        """Refuses stateless requests with wrong `_meta` or headers."""
        message, headers = exchange.message, exchange.request.headers
        meta = _request_meta(message)
        for name, kind in (("protocolVersion", str), ("clientCapabilities", dict)):
            if not isinstance(meta.get(PREFIX + name), kind):
                raise RpcError(-32602, f"`_meta` lacks {PREFIX}{name}")
        expected = {
            "mcp-protocol-version": meta[PREFIX + "protocolVersion"],
            "mcp-method": message["method"],
        }
        params = message.get("params", {})
        if message["method"] in NAME_HEADERS:
            expected["mcp-name"] = params.get(NAME_HEADERS[message["method"]])
        for name, value in expected.items():
            header = headers.get(name)
            if name == "mcp-name":
                header = _decode_header(header)
            if header != value:
                raise RpcError(-32020, f"The header {name} differs from the body")
        if meta[PREFIX + "protocolVersion"] != STATELESS:
            data = {
                "supported": [STATELESS, *HANDSHAKE],
                "requested": meta[PREFIX + "protocolVersion"],
            }
            raise RpcError(-32022, "Unsupported protocol version", data=data)

    def stateless_result(self, exchange: Exchange) -> dict[str, Any]:
        """The result of a request of the stateless revision."""
        method = exchange.method
        if method in REMOVED:
            raise RpcError(-32601, "Method not found", 404)
        level = _request_meta(exchange.message).get(PREFIX + "logLevel", "info")
        if level not in fixture.LEVELS:
            raise RpcError(-32602, "Unknown log level")
        if method == "subscriptions/listen":
            return {}
        result = self.discover() if method == "server/discover" else self.result(exchange)
        if method in CACHED or method.endswith("/list"):
            result |= {"ttlMs": 60_000, "cacheScope": "public"}
        return {"resultType": "complete", "_meta": {PREFIX + "serverInfo": SERVER_INFO}} | result

    def session_result(self, exchange: Exchange) -> dict[str, Any]:
        """The result of a request of a revision with a handshake."""
        params = exchange.message.get("params", {})
        if exchange.method == "initialize":
            return self.initialize(exchange, params)
        session = self.find_session(exchange.request)
        exchange.session, exchange.revision = session, session.version
        match exchange.method:
            case "ping":
                return {}
            case "logging/setLevel":
                if params.get("level") not in fixture.LEVELS:
                    raise RpcError(-32602, "Unknown log level")
                session.level = params["level"]
                return {}
            case "resources/subscribe" | "resources/unsubscribe":
                if params.get("uri") not in fixture.CONTENTS:
                    raise RpcError(-32002, "Resource not found")
                return {}
        return self.result(exchange)

    def initialize(self, exchange: Exchange, params: dict[str, Any]) -> dict[str, Any]:
        """The result of the handshake; starts a session."""
        requested = params.get("protocolVersion")
        if not isinstance(requested, str) or not isinstance(params.get("clientInfo"), dict):
            raise RpcError(-32602, "`protocolVersion` and `clientInfo` are required")
        if not isinstance(params.get("capabilities"), dict):
            raise RpcError(-32602, "`capabilities` is required")
        version = requested if requested in HANDSHAKE else HANDSHAKE[-1]
        exchange.session, exchange.revision = Session(version), version
        return {
            "protocolVersion": version,
            "capabilities": CAPABILITIES,
            "serverInfo": SERVER_INFO,
            "instructions": "Call the tools to see each kind of answer.",
        }

    def discover(self) -> dict[str, Any]:
        """The result of `server/discover`."""
        return {
            "supportedVersions": [STATELESS, *HANDSHAKE],
            "capabilities": CAPABILITIES,
            "instructions": "Call the tools to see each kind of answer.",
        }

    def result(self, exchange: Exchange) -> dict[str, Any]:
        """The result of a request that all revisions have."""
        params = exchange.message.get("params", {})
        match exchange.method:
            case "tools/list":
                return self.page("tools", [tool["tool"] for tool in fixture.TOOLS], params, 100)
            case "tools/call":
                return self.call(exchange, params)
            case "resources/list":
                return self.page("resources", list(fixture.RESOURCES), params)
            case "resources/templates/list":
                return self.page("resourceTemplates", list(fixture.TEMPLATES), params)
            case "resources/read":
                return self.read(exchange, params.get("uri"))
            case "prompts/list":
                return self.page("prompts", list(fixture.PROMPTS), params)
            case "prompts/get":
                return self.prompt(params)
            case "completion/complete":
                return self.complete(params)
        raise RpcError(-32601, "Method not found", 404)

    # Features

    def page(
        self, key: str, entries: list[Any], params: dict[str, Any], size: int = PAGE
    ) -> dict[str, Any]:
        """A page of a list; the cursor is the position of the next page."""
        start = 0
        if "cursor" in params:
            cursors = {_cursor(key, position): position for position in range(len(entries))}
            cursor = params["cursor"]
            if not isinstance(cursor, str) or cursor not in cursors:
                raise RpcError(-32602, "Unknown cursor")
            start = cursors[cursor]
        result: dict[str, Any] = {key: entries[start : start + size]}
        if start + size < len(entries):
            result["nextCursor"] = _cursor(key, start + size)
        return result

    def call(self, exchange: Exchange, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool."""
        name, arguments = params.get("name"), params.get("arguments", {})
        entry = fixture.TOOL_BY_NAME.get(name) if isinstance(name, str) else None
        if entry is None:
            raise RpcError(-32602, f"Unknown tool: {name}")
        if not isinstance(arguments, dict):
            raise RpcError(-32602, "`arguments` must be an object")
        schema = entry["tool"]["inputSchema"]
        if exchange.revision == STATELESS:
            self.check_mirrored(exchange.request, schema, arguments)
        error = next(iter(jsonschema_rs.validator_for(schema).iter_errors(arguments)), None)
        if error is not None:
            return {"content": [{"type": "text", "text": error.message}], "isError": True}
        result = fixture.tool_result(entry["tool"]["name"], arguments)
        result["content"] = [_block(block, exchange.revision) for block in result["content"]]
        return result

    def check_mirrored(
        self, request: Request, schema: dict[str, Any], arguments: dict[str, Any]
    ) -> None:
        """Refuses headers of arguments that differ from the arguments."""
        for name, declared in schema["properties"].items():
            if "x-mcp-header" not in declared:
                continue
            header = _decode_header(
                request.headers.get(f"mcp-param-{declared['x-mcp-header'].lower()}")
            )
            if not _is_mirrored(header, arguments.get(name)):
                raise RpcError(-32020, f"The header of the argument {name} differs from the body")

    def read(self, exchange: Exchange, uri: Any) -> dict[str, Any]:
        """The contents of a resource."""
        if isinstance(uri, str):
            if uri in fixture.CONTENTS:
                return {"contents": [fixture.CONTENTS[uri]]}
            identifier = uri.removeprefix("test://template/").removesuffix("/data")
            if uri == f"test://template/{identifier}/data" and identifier.isalnum():
                text = json.dumps({"id": identifier})
                return {"contents": [{"uri": uri, "mimeType": "application/json", "text": text}]}
        code = -32602 if exchange.revision == STATELESS else -32002
        raise RpcError(code, "Resource not found", data={"uri": uri})

    def prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        """The messages of a prompt."""
        entry = next((p for p in fixture.PROMPTS if p["name"] == params.get("name")), None)
        if entry is None:
            raise RpcError(-32602, "Unknown prompt")
        arguments = params.get("arguments", {})
        if not isinstance(arguments, dict):
            raise RpcError(-32602, "`arguments` must be an object")
        declared: Any = entry.get("arguments", [])
        for argument in declared:
            if not isinstance(arguments.get(argument["name"]), str):
                raise RpcError(-32602, f"The argument `{argument['name']}` is missing")
        messages = fixture.prompt_messages(str(entry["name"]), arguments)
        return {"description": entry["description"], "messages": messages}

    def complete(self, params: dict[str, Any]) -> dict[str, Any]:
        """The suggestions for an argument of a prompt or a variable of a template."""
        reference, argument = params.get("ref"), params.get("argument")
        if not isinstance(reference, dict) or not isinstance(argument, dict):
            raise RpcError(-32602, "`ref` and `argument` are required")
        names = {
            "ref/prompt": ("name", {str(prompt["name"]) for prompt in fixture.PROMPTS}),
            "ref/resource": ("uri", {t["uriTemplate"] for t in fixture.TEMPLATES}),
        }
        kind = reference.get("type")
        if kind not in names:
            raise RpcError(-32602, "Unknown kind of reference")
        member, known = names[kind]
        if reference.get(member) not in known:
            raise RpcError(-32602, "Unknown reference")
        value = argument.get("value")
        if not isinstance(argument.get("name"), str) or not isinstance(value, str):
            raise RpcError(-32602, "`argument` needs a name and a value")
        values = [word for word in fixture.WORDS if word.startswith(value)]
        return {"completion": {"values": values, "total": len(values), "hasMore": False}}

    # Answers

    def result_answer(self, exchange: Exchange, result: dict[str, Any]) -> Answer:
        """The answer with a result: JSON, or a stream if messages precede the result."""
        message = exchange.message
        if exchange.method == "subscriptions/listen":
            return self.subscription(message)
        response = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        if exchange.method == "initialize":
            identifier = secrets.token_hex(16)
            assert exchange.session is not None
            self.sessions[identifier] = exchange.session
            answer = self.json_answer(response)
            answer.headers["Mcp-Session-Id"] = identifier
            return answer
        notifications = self.notifications(exchange)
        accepted = exchange.request.headers.get("accept", "*/*")
        is_call = exchange.method == "tools/call" and exchange.session is not None
        if (notifications or is_call) and "text/event-stream" in accepted:
            events = [StreamEvent(message) for message in (*notifications, response)]
            if exchange.session is not None:
                self.add_ids(exchange.session, events)
            return Answer(200, {"X-Accel-Buffering": "no"}, events=events)
        return self.json_answer(response)

    def add_ids(self, session: Session, events: list[StreamEvent]) -> None:
        """Gives events their ids; since 2025-11-25 a first event without a message has an id."""
        if session.version >= "2025-11-25":
            events.insert(0, StreamEvent())
        for position, event in enumerate(events):
            event.id = f"{len(session.streams)}-{position}"
        session.streams.append(events)

    def notifications(self, exchange: Exchange) -> list[dict[str, Any]]:
        """The progress and log messages of a call."""
        if exchange.method != "tools/call":
            return []
        entry = fixture.TOOL_BY_NAME[exchange.message["params"]["name"]]
        meta = _request_meta(exchange.message)
        notifications = []
        if "progressToken" in meta:
            for step in entry.get("progress", ()):
                params = {"progressToken": meta["progressToken"], **step}
                notifications.append(_notification("notifications/progress", params))
        minimum = exchange.session.level if exchange.session else meta.get(PREFIX + "logLevel")
        if minimum is not None:
            rank = fixture.LEVELS.index
            logs = [log for log in entry.get("logs", ()) if rank(log["level"]) >= rank(minimum)]
            notifications += [_notification("notifications/message", log) for log in logs]
        return notifications

    def subscription(self, message: dict[str, Any]) -> Answer:
        """The stream of a subscription, which begins with the granted notifications."""
        asked = message.get("params", {}).get("notifications")
        if not isinstance(asked, dict):
            raise RpcError(-32602, "`notifications` is required")
        uris = asked.get("resourceSubscriptions")
        known = [uri for uri in uris if uri in fixture.CONTENTS] if isinstance(uris, list) else None
        granted = {} if known is None else {"resourceSubscriptions": known}
        params = {"_meta": {PREFIX + "subscriptionId": message["id"]}, "notifications": granted}
        first = _notification("notifications/subscriptions/acknowledged", params)
        return Answer(200, {"X-Accel-Buffering": "no"}, events=[StreamEvent(first)], is_open=True)

    def error_answer(self, identifier: Any, error: RpcError, has_status: bool) -> Answer:
        """The answer with an error; `has_status`: the HTTP status tells the error, too."""
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": identifier, "error": error.error}
        return self.json_answer(body, error.status if has_status or identifier is None else 200)

    def json_answer(self, body: Any, status: int = 200) -> Answer:
        """The answer with a JSON body."""
        return Answer(status, {"Content-Type": "application/json"}, body)

    # Sockets

    def serve(self, connection: socket.socket) -> None:
        """Answers the requests of one connection."""
        with connection, suppress(OSError):
            stream = connection.makefile("rb")
            while (request := _read_request(stream)) is not None:
                exchange = Exchange(request)
                answer = Answer(413) if len(request.body) > MAX_BODY else self.answer(exchange)
                if self.wire:
                    answer = self.wire.change(exchange, answer)
                data = _encode(answer)
                if self.wire:
                    data = self.wire.encode(exchange, answer, data)
                connection.sendall(data)
                if answer.is_open:
                    connection.recv(1)
                    return
                if answer.events is not None:
                    return


def _identifier(message: Any) -> Any:
    """The id for the answer to a message: null if the message has no usable id."""
    result = message.get("id") if isinstance(message, dict) else None
    return result if _is_identifier(result) else None


def _is_identifier(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _request_meta(message: Any) -> dict[str, Any]:
    """`params._meta` of a message, or `{}`."""
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def _decode_header(value: str | None) -> str | None:
    """A header value, decoded if the value has the base64 form."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode("utf-8")
    except ValueError:
        return None


def _is_mirrored(header: str | None, value: Any) -> bool:
    """True if the decoded header repeats the argument; a missing argument has no header."""
    if value is None or header is None:
        return header is value
    if isinstance(value, bool):
        return header == ("true" if value else "false")
    if isinstance(value, int):
        with suppress(ValueError):
            return float(header) == value
    return header == str(value)


def _refuse_constant(name: str) -> None:
    """Refuses `NaN` and `Infinity`, which JSON does not have."""
    raise ValueError(name)


def _cursor(key: str, position: int) -> str:
    return base64.urlsafe_b64encode(f"{key}:{position}".encode()).decode()


def _block(block: dict[str, Any], revision: str) -> dict[str, Any]:
    """A content block, or a text in revisions that do not have the kind of block."""
    first = {"audio": "2025-03-26", "resource_link": "2025-06-18"}.get(block["type"], "")
    return block if revision >= first else {"type": "text", "text": f"A {block['type']}."}


def _notification(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _read_request(stream: Any) -> Request | None:
    """The next request of a connection, or None at the end."""
    line = stream.readline(65_536).decode("latin-1")
    if not line.strip():
        return None
    method, path, _ = line.split(" ", 2)
    headers: dict[str, str] = {}
    while (line := stream.readline(65_536).decode("latin-1").rstrip("\r\n")) != "":
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip(" \t")
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return Request(method, path, headers, b"".join(_chunked_body(stream)))
    length = int(headers.get("content-length", "0"))
    body = stream.read(min(length, MAX_BODY + 1))
    return Request(method, path.partition("?")[0], headers, body)


def _chunked_body(stream: Any) -> Iterator[bytes]:
    """The chunks of a body."""
    while length := int(stream.readline(1024).partition(b";")[0], 16):
        yield stream.read(length)
        stream.readline(1024)
    stream.readline(1024)


def _encode_event(event: StreamEvent) -> bytes:
    """The lines of an event."""
    lines = [f"id: {event.id}"] if event.id else []
    if event.message is None:
        lines.append("data:")
    else:
        lines += [f"event: {event.name}", f"data: {json.dumps(event.message)}"]
    return "\n".join([*lines, "", ""]).encode()


def _encode(answer: Answer) -> bytes:
    """The bytes of an answer."""
    headers = dict(answer.headers)
    if answer.events is not None:
        headers.setdefault("Content-Type", "text/event-stream")
        headers |= {"Cache-Control": "no-cache", "Connection": "close"}
        body = b"".join(_encode_event(event) for event in answer.events)
    else:
        body = b"" if answer.body is None else json.dumps(answer.body).encode()
        if answer.status != 204:
            headers["Content-Length"] = str(len(body))
    lines = [f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, 'Status')}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body


@contextmanager
def serving(server: PlainServer, port: int = 0) -> Iterator[str]:
    """The URL of the server, for as long as the server runs."""
    listener = socket.create_server(("127.0.0.1", port), backlog=64)
    server.port = listener.getsockname()[1]

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=server.serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.port}/mcp"
    finally:
        listener.close()


def main() -> None:
    """Serves on the port of the command line until the process is stopped."""
    token = fixture.TOKEN if "--token" in sys.argv else ""
    with serving(PlainServer(token), int(sys.argv[1])) as url:
        print(url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
