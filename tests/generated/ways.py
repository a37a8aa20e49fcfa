"""The ways of running one project, with a client for each: `mcpgen serve` and the project's own.

A new way is a function that yields a `WayClient`, and its row in `WAYS`.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.cli.serving import serve
from tests.cli.test_bundle import started_as
from tests.generated.lambda_runtime_api import RuntimeApi, event_of, run_function
from tests.generated.run_module import serve_project as served_project
from tests.runtime.stdio_client import MODERN, StdioProcess, environment, reading
from tests.runtime.stdio_client import serve_stdio as served_stdio
from typer.testing import CliRunner

from mcpgen.cli.app import app

Message = dict[str, Any]

PACKAGE = "desk_mcp"
KEY = "k" * 32

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Desk", "version": "1.0.0"},
    "paths": {
        f"/{name}": {
            "get": {
                "operationId": name,
                "summary": f"Does {name} – 'é'.",
                "parameters": [
                    {"name": argument, "in": "query", "schema": {"type": kind}}
                    for argument, kind in arguments.items()
                ],
                "responses": {"200": {"description": "Done."}},
            }
        }
        for name, arguments in {
            "echo": {"city": "string", "n": "integer"},
            "many": {"city": "string"},
            "fail": {},
            "value": {"city": "string"},
            "picture": {},
            "nothing": {},
            "broken": {},
            "odd": {"n": "integer"},
            "tells": {},
            "asks": {},
            "note": {"id": "string"},
            "large": {"size": "integer"},
            "wait": {"marker": "string"},
        }.items()
    },
}
"""The tools of the differential tests of the runtime, and `note`, `large` and `wait`. `note` and
`large` send requests to the API."""

HOOKS = '''"""Answers the tools as the differential tests of the runtime do."""

import asyncio
from pathlib import Path

from desk_mcp.runtime.hooks import Call, Hooks, Result

SURE = {"type": "object", "properties": {"sure": {"type": "boolean"}}}


def text(value):
    return {"type": "text", "text": value}


ODD = (
    Result(({"type": "text", "text": "a", "annotations": {"priority": 1.0}},)),
    Result(({"type": "text", "text": "half \\ud800"},)),
    Result(({"type": "text"},)),
    Result((text("a"),), structured={"a": None, "b": [1.0, 1e22, float("nan"), {"é": None}]}),
    Result((text("a"),), structured=[1, 2]),
    Result((text("a"),), structured={1: 2}),
    Result((text("a"),), structured={"a": {3}}),
    Result((text("a"), {"type": "resource_link", "name": "a", "uri": "http://a"})),
    Result(({"type": "text", "text": 5},)),
    Result((text("a"),), failed=1),
    Result(("a",)),
    {"content": []},
    None,
)


async def answer(call: Call) -> Result:
    name, arguments = call.tool.name, dict(call.arguments)
    if name == "many":
        return Result(tuple(map(text, ("one", arguments.get("city", "–"), ""))))
    if name == "fail":
        return Result.error("It failed:", "- so it is")
    if name == "value":
        return Result((text("[1]"),), {"result": [1, arguments.get("city"), 0.1]})
    if name == "picture":
        return Result(({"type": "image", "data": "QQ==", "mimeType": "image/png"},))
    if name == "nothing":
        return Result(())
    if name == "tells":
        await call.progress(1, 2, "– half")
        await call.log("warning", {"é": 1}, "canary")
    if name == "asks":
        reply = await call.elicit("Really – é?", SURE)
        return Result.json({"action": reply.action, "content": reply.content})
    if name == "broken":
        raise RuntimeError("as it happens")
    if name == "odd":
        return ODD[arguments.get("n", 0) % len(ODD)]
    if name == "wait":
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            Path(arguments["marker"]).write_text("cancelled", "utf-8")
            raise
    return Result.json(arguments)


ANSWERED = "echo many fail value picture nothing broken odd tells asks wait"
HOOKS = Hooks({name: answer for name in ANSWERED.split()})
'''


async def _note(request: Request) -> Response:
    if request.query_params.get("id") != "1":
        return JSONResponse({"detail": "no such note"}, 404)
    return JSONResponse({"id": "1", "text": "– é \u2028"})


async def _large(request: Request) -> Response:
    return JSONResponse({"text": "x" * int(request.query_params["size"])})


def create_api() -> Starlette:
    """The API of the project."""
    return Starlette(routes=[Route("/note", _note), Route("/large", _large)])


@contextmanager
def run_api() -> Iterator[str]:
    """Serves the API in a thread, and yields its address."""
    config = uvicorn.Config(create_api(), port=0, log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def headers_of(message: Message, revision: str) -> dict[str, str]:
    """The headers of a request over HTTP."""
    headers = {
        "host": "localhost",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": revision,
    }
    if revision == MODERN:
        headers["mcp-method"] = message["method"]
        name = message["params"].get("name", message["params"].get("uri"))
        headers |= {"mcp-name": name} if isinstance(name, str) else {}
    return headers


def messages_in(body: bytes) -> list[Message]:
    """The messages of a response: of a stream of events, or a single one as JSON."""
    text = body.decode()
    events = [line[5:] for line in re.split("\r?\n", text) if line.startswith("data:")]
    return [json.loads(event) for event in (events or [text]) if event.strip()]


class WayClient:
    """A client of one way."""

    def exchange(self, message: Message, revision: str) -> list[Message]:
        """Sends a request; returns the messages up to the response."""
        raise NotImplementedError

    def cancel(self, message: Message, revision: str) -> None:
        """Sends a request, and cancels the request as the transport does."""
        raise NotImplementedError


@dataclass
class HttpConnection(WayClient):
    """A client of an endpoint."""

    url: str

    def _send(self, message: Message, revision: str) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        headers = {**headers_of(message, revision), "connection": "close"}
        connection.request("POST", parts.path, json.dumps(message).encode(), headers)
        return connection

    def exchange(self, message: Message, revision: str) -> list[Message]:
        connection = self._send(message, revision)
        try:
            return messages_in(connection.getresponse().read())
        finally:
            connection.close()

    def cancel(self, message: Message, revision: str) -> None:
        """Closes the connection."""
        connection = self._send(message, revision)
        time.sleep(0.5)
        connection.close()


@contextmanager
def run_http(project: Path, upstream: str, scratch: Path) -> Iterator[WayClient]:
    """`python -m PACKAGE`."""
    with served_project(PACKAGE, project, upstream) as url:
        yield HttpConnection(url)


@contextmanager
def run_mcpgen_serve(project: Path, upstream: str, scratch: Path) -> Iterator[WayClient]:
    """`mcpgen serve PROJECT`."""
    with serve(scratch, str(project), "--upstream", upstream) as process:
        yield HttpConnection(process.url)


@dataclass
class StdioConnection(WayClient):
    """A client of a child process per revision, since a process has one session."""

    start: Callable[[], Any]
    stack: ExitStack
    processes: dict[str, Any] = field(default_factory=dict)

    def _process(self, revision: str) -> Any:
        if revision not in self.processes:
            process = self.processes[revision] = self.stack.enter_context(self.start())
            if revision != MODERN:
                process.initialize(revision, elicitation={})
        return self.processes[revision]

    def exchange(self, message: Message, revision: str) -> list[Message]:
        process = self._process(revision)
        messages = [process.answer(message)]
        while "method" in messages[-1]:
            if messages[-1]["method"] == "elicitation/create":
                answer = {"action": "accept", "content": {"sure": True}}
                process.send({"jsonrpc": "2.0", "id": messages[-1]["id"], "result": answer})
            messages.append(process.receive())
        return messages

    def cancel(self, message: Message, revision: str) -> None:
        """Sends `notifications/cancelled`, which is not answered."""
        process = self._process(revision)
        process.send(message)
        time.sleep(0.5)
        params = {"requestId": message["id"]}
        process.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})


@contextmanager
def run_stdio(project: Path, upstream: str, scratch: Path) -> Iterator[WayClient]:
    """`python -m PACKAGE --stdio`."""

    def start() -> Any:
        return served_stdio("--upstream", upstream, project=(project, PACKAGE))

    with ExitStack() as stack:
        yield StdioConnection(start, stack)


@contextmanager
def run_bundle(project: Path, upstream: str, scratch: Path) -> Iterator[WayClient]:
    """The command in the manifest of an unpacked bundle."""
    file, folder = scratch / "desk.mcpb", scratch / "unpacked"
    result = CliRunner().invoke(app, ["bundle", str(project), "-o", str(file)])
    assert result.exit_code == 0, result.output
    with ZipFile(file) as archive:
        archive.extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    command, variables = started_as(manifest, folder, upstream=upstream)

    @contextmanager
    def start() -> Iterator[StdioProcess]:
        words, process_environment = [*command, "--upstream", upstream], environment(**variables)
        pipe = subprocess.PIPE
        with (
            subprocess.Popen(
                words, env=process_environment, stdin=pipe, stdout=pipe, stderr=pipe
            ) as process,
            reading(process) as server,
        ):
            yield server

    with ExitStack() as stack:
        yield StdioConnection(start, stack)


class MountedConnection(WayClient):
    """A client of an application in a thread of this process."""

    def __init__(self, app: Starlette, loop: asyncio.AbstractEventLoop) -> None:
        self._app, self._loop = app, loop

    def exchange(self, message: Message, revision: str) -> list[Message]:
        result = asyncio.run_coroutine_threadsafe(self._send(message, revision, 60), self._loop)
        return messages_in(result.result(60))

    def cancel(self, message: Message, revision: str) -> None:
        """Disconnects."""
        result = asyncio.run_coroutine_threadsafe(self._send(message, revision, 0.5), self._loop)
        result.result(60)

    async def _send(self, message: Message, revision: str, seconds: float) -> bytes:
        """The body of the response; the client leaves after `seconds`."""
        response_parts: list[MutableMapping[str, Any]] = []
        parts = [{"type": "http.request", "body": json.dumps(message).encode()}]

        async def receive() -> MutableMapping[str, Any]:
            if parts:
                return parts.pop()
            await asyncio.sleep(seconds)
            return {"type": "http.disconnect"}

        async def send(part: MutableMapping[str, Any]) -> None:
            response_parts.append(part)

        headers = headers_of(message, revision)
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/mcp",
            "raw_path": b"/mcp",
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
        }
        await self._app(scope, receive, send)
        return b"".join(part.get("body", b"") for part in response_parts)


@contextmanager
def run_mounted(project: Path, upstream: str, scratch: Path) -> Iterator[WayClient]:
    """`create(upstream=app).mount_on(app)` in the application of the API."""
    sys.path.insert(0, str(project))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        from desk_mcp.server import create  # type: ignore[import-not-found]
        from desk_mcp.settings import Settings  # type: ignore[import-not-found]

        app = create_api()
        create(Settings(upstream="http://localhost"), upstream=app).mount_on(app)
        ending = asyncio.Event()
        start_event = threading.Event()

        async def run_lifespan() -> None:
            async with app.router.lifespan_context(app):
                start_event.set()
                await ending.wait()
            # A watcher of sse-starlette runs as long as the loop.
            watchers = asyncio.all_tasks() - {asyncio.current_task()}
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)

        live_future = asyncio.run_coroutine_threadsafe(run_lifespan(), loop)
        assert start_event.wait(60)
        yield MountedConnection(app, loop)
        loop.call_soon_threadsafe(ending.set)
        live_future.result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        sys.path.remove(str(project))
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]


@dataclass
class LambdaConnection(WayClient):
    """A client of a function, through the runtime API."""

    api: RuntimeApi

    def exchange(self, message: Message, revision: str) -> list[Message]:
        return messages_in(self._invoke(message, revision, 60))

    def cancel(self, message: Message, revision: str) -> None:
        """Reaches the time-out of the function."""
        self._invoke(message, revision, 1)

    def _invoke(self, message: Message, revision: str, seconds: float) -> bytes:
        body = json.dumps(message).encode()
        event = event_of("POST", "/mcp", headers_of(message, revision), body)
        return self.api.invoke(event, seconds).response[2]


def _function(*command: str) -> Callable[[Path, str, Path], Any]:
    @contextmanager
    def run(project: Path, upstream: str, scratch: Path) -> Iterator[WayClient]:
        variables = {
            "DESK_UPSTREAM": upstream,
            "DESK_STATE_KEY": KEY,
            "PYTHONPATH": str(project),
        }
        with run_function(
            (sys.executable, "-m", *command), project, variables, scratch / "function.txt"
        ) as api:
            yield LambdaConnection(api)

    return run


@dataclass(frozen=True)
class Way:
    """A row of the table. `asks`, `most` and `cancels` are the cells about questions to the user, the
    size of a result, and cancellation; `handshake`: older revisions can ask the user."""

    title: str
    run: Callable[[Path, str, Path], Any]
    asks: str
    most: str
    cancels: str
    handshake: bool = False

    @property
    def row(self) -> str:
        """The row in docs/ways.md."""
        cells = (self.title, self.asks, self.most, self.cancels)
        return f"| {' | '.join(cells)} |"


_NEWEST = "2026-07-28"
_SESSIONS = "2026-07-28; older with [sessions](elicitation.md#sessions)"
_CLOSED = "closed connection"

WAYS: dict[str, Way] = {
    "http": Way("`python -m PACKAGE`", run_http, _SESSIONS, "any size", _CLOSED),
    "stdio": Way(
        "`python -m PACKAGE --stdio`",
        run_stdio,
        "every revision",
        "any size",
        "`notifications/cancelled`",
        handshake=True,
    ),
    "bundle": Way(
        "[bundle](bundle.md), as its manifest says",
        run_bundle,
        "every revision",
        "any size",
        "`notifications/cancelled`",
        handshake=True,
    ),
    "mounted": Way(
        "[mounted](mounting.md), API in process", run_mounted, _SESSIONS, "any size", _CLOSED
    ),
    "serve": Way("[`mcpgen serve`](serve.md)", run_mcpgen_serve, _SESSIONS, "any size", _CLOSED),
    "lambda": Way(
        "[AWS Lambda](serverless.md#aws-lambda), handler",
        _function("awslambdaric", f"{PACKAGE}.aws_lambda.handler"),
        _NEWEST,
        "6 MB",
        "time-out of the function",
    ),
    "lambda-stream": Way(
        "[AWS Lambda](serverless.md#aws-lambda), streamed",
        _function(f"{PACKAGE}.aws_lambda"),
        _NEWEST,
        "200 MB",
        "time-out of the function",
    ),
}
