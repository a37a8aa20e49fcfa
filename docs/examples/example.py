"""An example: the API that a project of `generated/` is started in front of, and one call to try."""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from tests.redis_server import valkey

from mcpgen.conformance.targets.command import free_port

START_SECONDS = 120
"""Time limit for the start of one process: far beyond 2 s, which a server takes on an idle machine."""


@dataclass(frozen=True)
class Example:
    """`base` is the path of the API, `path` the path of the MCP endpoint. `settings` returns the
    settings of the generated server, without the prefix of the project, for the URL of the API;
    `headers`, `tool` and `arguments` are those of a call to try."""

    project: str
    app: ASGIApp
    settings: Callable[[str], Mapping[str, str]]
    tool: str
    arguments: Mapping[str, Any]
    base: str = ""
    path: str = "/mcp"
    headers: Mapping[str, str] = field(default_factory=dict)


def caller_key(key: str, **entry: Any) -> str:
    """The value of the setting `caller_keys` that admits one key, as the subject `ada`."""
    digest = hashlib.sha256(key.encode()).hexdigest()
    return json.dumps([{"key": f"sha256:{digest}", "subject": "ada", **entry}])


@contextmanager
def serve(app: ASGIApp) -> Iterator[str]:
    """Serves an application on a free port in a thread; yields its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield url
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Runs a server of Redis' protocol that appends every change to a file in `folder`; yields its URL."""
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    options += ["--save", "", "--appendonly", "yes", "--appendfsync", "always"]
    process = subprocess.Popen([valkey(), *options], stdout=subprocess.DEVNULL)
    try:
        wait_until(process, lambda: _answers_ping(port))
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait()


def wait_until(process: subprocess.Popen[bytes], ready: Callable[[], bool]) -> None:
    """Returns as soon as `ready()`. Raises RuntimeError if the process ends first or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{process.args!r} did not start")
        time.sleep(0.02)


def _answers_ping(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False
