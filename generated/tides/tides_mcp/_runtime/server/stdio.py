# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Serves one client over standard input and output: one JSON-RPC message per line, in every revision.

The SDK's server answers the messages. The rules around messages run as for HTTP: each message passes the rules
as the body of an ASGI request.
https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue

import anyio
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    PARSE_ERROR,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from starlette.requests import Request

from ..caller import Caller, scope_with_caller
from ..observability.logs import ERRORS, OUTPUT
from ..tool import Json
from .app import App, StartupError
from .asgi import (
    INVALID_REQUEST,
    Message,
    Receive,
    Scope,
    Send,
    ascii_json,
    body_of,
    parse_json_body,
    replaying,
    rpc_error,
    with_body,
)
from .transport_guard import MAX_BATCH_MESSAGES, PATHS, disconnect, message_error

logger = logging.getLogger(__name__)

LOCAL_CALLER = Caller("local")  # The user who started the process

MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024
"""Size of unwritten responses above which no further message is read, so that a client that sends
requests and reads no responses does not fill the memory."""

READ_BYTES = 64 * 1024  # Maximum bytes of one read, the size of a pipe on Linux

BATCH_REVISION = "2025-03-26"
"""The only revision with batches:
https://modelcontextprotocol.io/specification/2025-03-26/basic#batching"""

_LINE_SEPARATORS = re.compile("[\x85\u2028\u2029]")  # Besides the line feed, which JSON escapes

_HTTP_ONLY_SETTINGS = ("allowed_hosts", "allowed_origins")
_SCOPE: Scope = {"type": "http", "method": "POST", "query_string": b""}
# Features store subscriptions and log levels by session id. A process serves one session.
_HEADERS = [(b"mcp-session-id", b"stdio")]

_INBOUND_KEY = "stdio"  # The key of the `_InboundMessage` in an ASGI scope

SendResponse = Callable[[bytes], None]
"""Sends the response to a request as JSON; `b""` ends a request without a response."""


@dataclass
class _InboundMessage:
    """A message on the way through the rules. `is_delivered` is set once the message has passed the
    rules: from then on, the SDK or `_deliver` responds to a request, not a rule."""

    send_response: SendResponse
    is_delivered: bool = False


def refuse_http_settings(app: App, toolset: str = "") -> None:
    """Raises `StartupError` for settings and rules that need HTTP, for a disabled server, and for an
    unknown toolset."""
    settings = app.settings
    reasons = [
        f"{settings.variable(name)} is set, but stdio has no `Host` and no `Origin`; unset it"
        for name in _HTTP_ONLY_SETTINGS
        if getattr(settings, name)
    ]
    if settings.workers > 1:
        variable = settings.variable("workers")
        reasons.append(f"{variable} is {settings.workers}, but stdio has one process; unset it")
    if not settings.enabled:
        reasons.append(f"{settings.variable('enabled')} is false")
    reasons += app.http_only_rules()
    if toolset not in ("", *app.identity.toolsets):
        reasons.append(f"there is no toolset {toolset}; toolsets: {[*app.identity.toolsets]}")
    if reasons:
        raise StartupError(f"cannot serve over stdio: {'; '.join(reasons)}")


def serve_stdio(app: App, toolset: str = "") -> None:
    """Serves a toolset, or the tools of `/mcp`, until the end of input, SIGTERM or SIGINT; then waits
    for running calls, at most `grace_seconds`. Raises `StartupError` as `refuse_http_settings`
    does."""
    refuse_http_settings(app, toolset)
    with _private_streams() as (source, sink), suppress(KeyboardInterrupt):
        asyncio.run(StdioConnection(app, source, sink, toolset).run())


@contextmanager
def _private_streams() -> Iterator[tuple[int, int]]:
    """Yields duplicates of descriptors 0 and 1 for the connection. Inside of the context, descriptor 0
    is the null device and descriptor 1 is standard error, so that neither `print` in a hook nor a
    child process reads from the client or writes to the client."""
    source, sink = os.dup(0), os.dup(OUTPUT)
    empty = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(empty, 0)
        os.dup2(ERRORS, OUTPUT)
        yield source, sink
    finally:
        # Text that hooks printed and Python still buffers must go to standard error.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        # Windows locks a descriptor while a thread reads it, and `dup2` would wait for the client.
        if sys.platform != "win32":
            os.dup2(source, 0)
        os.dup2(sink, OUTPUT)
        os.close(empty)


class StdioConnection:
    """The connection with a client, which gets a toolset or the tools of `/mcp`. `source` and `sink`
    are the file descriptors of the messages from and to the client.

    Threads read and write the file descriptors, because asyncio cannot wait for files, and a client
    that does not read must not block the event loop. The threads are daemons, so that a blocked pipe
    does not delay the end of the process.
    """

    def __init__(self, app: App, source: int, sink: int, toolset: str = "") -> None:
        self._app, self._source, self._sink, self._toolset = app, source, sink, toolset
        self._limit = app.settings.request_bytes
        token = app.settings.stdio_token.get_secret_value()
        credential = [(b"authorization", f"Bearer {token}".encode("latin-1"))] if token else []
        path = app.address(f"{PATHS[0]}/{toolset}".rstrip("/"))
        address = {"path": path, "raw_path": path.encode()}
        self._scope: Scope = {**_SCOPE, **address, "headers": [*_HEADERS, *credential]}
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._unwritten_bytes, self._write_condition = 0, threading.Condition()
        self._pending: dict[str | int, SendResponse] = {}
        """The requests that the SDK has not settled, by id."""
        self._initialize_id: Json = None
        self._revision: Json = None
        """The revision in the response to `initialize`, None before."""
        self._batches: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Answers messages until the end of input or a signal."""
        self._loop = asyncio.get_running_loop()
        self._end_event, self._is_idle = asyncio.Event(), asyncio.Event()
        self._is_idle.set()
        self._to_sdk, from_client = create_context_streams[SessionMessage | Exception](0)
        to_client, self._from_sdk = create_context_streams[SessionMessage](0)
        async with self._app.connected(self._deliver, self._toolset) as (server, self._rules_app):
            options = server.create_initialization_options()
            server_task = asyncio.create_task(server.run(from_client, to_client, options))
            output_task = asyncio.create_task(self._forward_outgoing())
            for run in (self._read, self._write):
                threading.Thread(target=run, name=f"stdio {run.__name__}", daemon=True).start()
            with self._signals():
                logger.info(
                    "Serving %s over stdio (process %d)", self._app.identity.title, os.getpid()
                )
                await self._end_event.wait()
                await self._drain()
            await self._to_sdk.aclose()
            await asyncio.wait((server_task, output_task))
            # The thread that writes gets at least a second, also with `grace_seconds` 0.
            seconds = max(self._app.settings.grace_seconds, 1)
            # Blocks the event loop, in which no task of the server is left. A thread of asyncio's pool
            # could not wait instead: handlers may occupy all threads of the pool.
            self._wait_until_written(0, seconds)
            self._lines.put(b"")
        logger.info("Process %d has stopped", os.getpid())

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Ends the connection on SIGTERM and SIGINT, the process on a second signal."""

        def end(number: int, _: object) -> None:
            signal.signal(number, signal.SIG_DFL)
            self._call_in_loop(self._end_event.set)

        numbers = (signal.SIGTERM, signal.SIGINT)
        actions = {number: signal.getsignal(number) for number in numbers}
        try:
            for number in numbers:
                # `signal.signal` alone is not enough: if another thread gets the signal, or if the
                # signal comes just before the loop waits, the loop sleeps on and Python does not run
                # `end`. `add_signal_handler` wakes the loop up. Windows does not have the method, and
                # there every signal wakes the loop up.
                with suppress(NotImplementedError):
                    self._loop.add_signal_handler(number, self._end_event.set)
                signal.signal(number, end)
            yield
        finally:
            for number, action in actions.items():
                with suppress(NotImplementedError):
                    self._loop.remove_signal_handler(number)
                signal.signal(number, action)

    async def _drain(self) -> None:
        """Ends streams and questions, and waits for running calls, at most `grace_seconds`."""
        self._app.disconnect_clients()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._app.settings.grace_seconds):
                await self._is_idle.wait()
                await asyncio.gather(*self._batches)

    def _call_in_loop(self, function: Callable[..., object], *arguments: object) -> None:
        """Calls a function in the event loop; does nothing if the loop has ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def _read(self) -> None:
        """Reads lines in a thread until the end of input, and then ends the connection. A line is
        handed to the event loop after the loop has taken the line before, so that the order of
        messages stays."""
        with suppress(OSError, RuntimeError, CancelledError):
            for line in read_lines(self._source, self._limit):
                self._wait_until_written(MAX_UNWRITTEN_BYTES)
                asyncio.run_coroutine_threadsafe(self._handle_line(line), self._loop).result()
        self._call_in_loop(self._end_event.set)

    def _write(self) -> None:
        """Writes queued lines in a thread, until the line `b""`. If the client has closed the pipe, drops
        the lines and ends the connection."""
        while line := self._lines.get():
            size = len(line)
            try:
                while line:
                    line = line[os.write(self._sink, line) :]
            except OSError:
                self._call_in_loop(self._end_event.set)
            with self._write_condition:
                self._unwritten_bytes -= size
                self._write_condition.notify_all()

    def _wait_until_written(self, limit: int, seconds: float | None = None) -> None:
        """Blocks the current thread until at most `limit` bytes are unwritten, or for `seconds`."""
        with self._write_condition:
            self._write_condition.wait_for(lambda: self._unwritten_bytes <= limit, seconds)

    def _queue_line(self, message: bytes) -> None:
        line = message + b"\n"
        with self._write_condition:
            self._unwritten_bytes += len(line)
        self._lines.put(line)

    async def _handle_line(self, line: bytes | None) -> None:
        """Handles a line of the client; None stands for a line above the limit."""
        if line is None:
            self._queue_line(_error_line(f"A message holds at most {self._limit} bytes"))
            return
        if not line.strip():
            return
        content = parse_json_body(line)
        if not isinstance(content, list):
            await self._forward_message(line, content, self._queue_line)
        elif self._revision != BATCH_REVISION:
            self._queue_line(_error_line("This revision of MCP has no batches"))
        elif not 0 < len(content) <= MAX_BATCH_MESSAGES:
            self._queue_line(_error_line(f"A batch holds 1 to {MAX_BATCH_MESSAGES} messages"))
        else:
            # In a task, so that a later line is read, which may cancel a request of the batch.
            task = asyncio.create_task(self._answer_batch(content))
            self._batches.add(task)
            task.add_done_callback(self._batches.discard)

    async def _answer_batch(self, messages: list[Json]) -> None:
        """Answers a batch with one line of all responses, in the order of the messages. A batch without
        responses, such as a batch of notifications, gets no line."""
        futures: list[asyncio.Future[bytes]] = [self._loop.create_future() for _ in messages]
        for message, future in zip(messages, futures, strict=True):
            if isinstance(message, dict) and message.get("method") == "initialize":
                error = _error_line("initialize must not be in a batch", id=message.get("id"))
                future.set_result(error)
                continue
            await self._forward_message(ascii_json(message), message, future.set_result)
            if not _is_request(message) and not future.done():
                future.set_result(b"")
        responses = [response for response in await asyncio.gather(*futures) if response]
        if responses:
            self._queue_line(b"[%s]" % b",".join(responses))

    async def _forward_message(
        self, line: bytes, content: Json, send_response: SendResponse
    ) -> None:
        """Passes a message through the rules to `_deliver`. Responds at once to a message that is not
        JSON-RPC, and to a request that a rule refuses."""
        if content is None:
            send_response(_error_line("Parse error", PARSE_ERROR))
        elif error := message_error(content):
            send_response(ascii_json(error))
        else:
            inbound = _InboundMessage(send_response)
            scope = with_body({**self._scope, _INBOUND_KEY: inbound}, line)
            scope = scope_with_caller(scope, LOCAL_CALLER)
            refusal = bytearray()

            async def collect(part: Message) -> None:
                refusal.extend(part.get("body", b""))

            await self._rules_app(scope, replaying(line, disconnect), collect)
            if _is_request(content) and not inbound.is_delivered:
                send_response(_refusal_line(bytes(refusal), content["id"]))

    async def _deliver(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application behind the rules: hands a message to the SDK, whose response
        `_forward_outgoing` sends later."""
        content = body_of(scope).content
        inbound: _InboundMessage = scope[_INBOUND_KEY]
        inbound.is_delivered = True
        try:
            message = jsonrpc_message_adapter.validate_python(content, by_name=False)
        except ValidationError:
            if _is_request(content):
                error = _error_line("This is no JSON-RPC message", id=content["id"])
                inbound.send_response(error)
            return
        metadata = ServerMessageMetadata(request_context=Request(scope))
        if _is_request(content):
            id = content["id"]
            if id in self._pending:
                error = _error_line("This id is that of another request under way", id=id)
                inbound.send_response(error)
                return
            metadata.on_request_unanswered = partial(self._settle_without_response, id)
            self._pending[id] = inbound.send_response
            self._is_idle.clear()
            if content["method"] == "initialize":
                self._initialize_id = id
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._to_sdk.send(SessionMessage(message, metadata))

    async def _forward_outgoing(self) -> None:
        """Queues the responses, requests and notifications of the SDK's server for the client."""
        async with self._from_sdk:
            async for outgoing in self._from_sdk:
                message = outgoing.message
                if isinstance(message, (JSONRPCRequest, JSONRPCNotification)):
                    self._queue_line(_message_line(message))
                    continue
                id = getattr(message, "id", None)
                if isinstance(message, JSONRPCResponse) and id == self._initialize_id:
                    self._revision = message.result.get("protocolVersion")
                self._settle(id, _message_line(message))

    async def _settle_without_response(self, id: str | int) -> None:
        """Called by the SDK for a request that gets no response, such as a cancelled request."""
        self._settle(id, b"")

    def _settle(self, id: str | int | None, response: bytes) -> None:
        """Sends the response to a request. `b""` means no response: nothing is written, but a batch,
        which waits for the end of every request, gets the `b""`."""
        queue_line = self._queue_line
        send_response = self._pending.pop(id, queue_line) if id is not None else queue_line
        if response or send_response != queue_line:
            send_response(response)
        if not self._pending:
            self._is_idle.set()


def read_lines(descriptor: int, limit: int) -> Iterator[bytes | None]:
    """Yields the lines of a file descriptor without the line feed, and None in place of a line of more
    than `limit` bytes. At most `limit` bytes and one read are in memory."""
    line, is_too_long = bytearray(), False
    while piece := os.read(descriptor, READ_BYTES):
        *line_ends, rest = piece.split(b"\n")
        for line_end in line_ends:
            line += line_end
            yield None if is_too_long or len(line) > limit else bytes(line)
            line.clear()
            is_too_long = False
        line += rest
        if len(line) > limit:
            line.clear()
            is_too_long = True
    if line or is_too_long:
        yield None if is_too_long else bytes(line)


def _message_line(message: JSONRPCMessage) -> bytes:
    """The message as JSON on one line, also for readers that split lines at U+2028 or U+0085."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:
        # The message has a lone surrogate; the SDK does not validate every message.
        logger.exception("a message cannot be written as UTF-8")
        id = getattr(message, "id", None)
        return _error_line("Handler returned an invalid result", INTERNAL_ERROR, id)
    return _LINE_SEPARATORS.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()


def _error_line(message: str, code: int = INVALID_REQUEST, id: Json = None) -> bytes:
    return ascii_json(rpc_error(message, code, id))


def _refusal_line(body: bytes, id: Json) -> bytes:
    """The body of a refused request if the body is JSON-RPC; otherwise a JSON-RPC error, because rules
    may refuse with other bodies, such as text."""
    content = parse_json_body(body)
    if isinstance(content, dict) and "jsonrpc" in content:
        return body
    return _error_line("The server refused the message", id=id)


def _is_request(message: Json) -> bool:
    return isinstance(message, dict) and message.keys() >= {"method", "id"}
