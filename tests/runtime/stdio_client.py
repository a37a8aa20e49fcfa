"""A raw client over stdio: writes lines to a process and reads lines."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.forkserver.servers import ForkedProcess
from tests.runtime.test_cli import ROOT

PATIENCE = 120
"""Seconds to wait for a line or the end of a process, for a loaded machine."""

MODERN = "2026-07-28"
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
SERVER = "tests.runtime.stdio_server"
COMMAND = (sys.executable, "-m", SERVER, "--stdio", "--upstream", "http://127.0.0.1:9")


def environment(**variables: str) -> dict[str, str]:
    """Returns the environment of a server that imports the tests and the runtime."""
    path = os.pathsep.join((str(ROOT), str(ROOT / "runtime")))
    return {"PATH": os.environ["PATH"], "PYTHONPATH": path, **variables}


def request(method: str, id: Any = 1, **params: Any) -> dict[str, Any]:
    """Returns a request of the older revisions."""
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def modern(method: str, id: Any = 1, *, capabilities: Any = None, **params: Any) -> dict[str, Any]:
    """Returns a request of revision 2026-07-28."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": capabilities or {},
        **params.pop("meta", {}),
    }
    return request(method, id, **params, _meta=meta)


@dataclass
class StdioProcess:
    """A server with open pipes. `lines` are the lines of standard output, `None` at the end."""

    process: subprocess.Popen[bytes] | ForkedProcess
    lines: queue.Queue[bytes | None] = field(default_factory=queue.Queue)

    def send(self, *messages: Any) -> None:
        """Writes each message as a line; bytes as they are."""
        assert self.process.stdin
        for message in messages:
            raw = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(raw + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        """Waits for a line, and returns its JSON; None at the end of output."""
        line = self.lines.get(timeout=PATIENCE)
        return None if line is None else json.loads(line)

    def answer(self, message: Any) -> Any:
        """Sends a message and returns the next message of the server."""
        self.send(message)
        return self.receive()

    def initialize(self, revision: str = "2025-11-25", **capabilities: Any) -> dict[str, Any]:
        """Performs the handshake, and returns the result."""
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": revision, "capabilities": capabilities, "clientInfo": info}
        answer = self.answer(request("initialize", 0, **params))
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def close(self) -> int:
        """Closes standard input, and returns the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def errors(self) -> str:
        """Returns standard error of a process that has ended."""
        assert self.process.stderr
        return self.process.stderr.read().decode()


@contextmanager
def serve_stdio(
    *arguments: str, project: tuple[Path, str] = (ROOT, SERVER), **variables: str
) -> Iterator[StdioProcess]:
    """Starts the server of a project (folder, module) in a fork; the server is killed at the end."""
    arguments = ("--stdio", *(arguments or ("--upstream", "http://127.0.0.1:9")))
    process_environment = environment(**variables)
    with (
        ForkedProcess(*project, *arguments, environment=process_environment) as process,
        reading(process) as server,
    ):
        yield server


@contextmanager
def reading(process: subprocess.Popen[bytes] | ForkedProcess) -> Iterator[StdioProcess]:
    """Reads the lines of a server, which is killed at the end."""
    stdio_process = StdioProcess(process)
    reader = threading.Thread(target=_read, args=(stdio_process,))
    reader.start()
    try:
        yield stdio_process
    finally:
        process.kill()
        reader.join()


def _read(server: StdioProcess) -> None:
    assert server.process.stdout
    for line in server.process.stdout:
        server.lines.put(line)
    server.lines.put(None)
