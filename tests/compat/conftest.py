"""A generated server as a process, its upstream, and an environment with version 1 of the client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.venvs import python_with

from mcpgen.conformance.targets.command import free_port

ROOT = Path(__file__).parent.parent.parent
CLIENTS = Path(__file__).parents[1] / "clients" / "python"
ANSWER = [{"time": "03:12", "kind": "low", "metres": 0.4}]


@dataclass
class RecordingUpstream:
    """A web server with a constant response that records requests."""

    url: str
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    """Method, target and API key of each request, in order of arrival."""


@pytest.fixture
def tides_upstream() -> Iterator[RecordingUpstream]:
    """The API of the server, on a free port."""

    class RecordingApiHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            recording.requests.append((self.command, self.path, self.headers.get("X-Api-Key")))
            body = json.dumps(ANSWER).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Writes no log: requests are recorded."""

    with ThreadingHTTPServer(("127.0.0.1", 0), RecordingApiHandler) as server:
        server.daemon_threads = True
        recording = RecordingUpstream(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield recording
        server.shutdown()
        thread.join()


@pytest.fixture
def tides_url(tides_upstream: RecordingUpstream) -> Iterator[str]:
    """The MCP endpoint of `generated/tides`, started with its own command."""
    port = free_port()
    environment = os.environ | {"TIDES_API_KEY": "a-key", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "tides_mcp", "--port", str(port)]
    command += ["--upstream", tides_upstream.url]
    process = subprocess.Popen(
        command,
        cwd=ROOT / "generated" / "tides",
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/healthz", process)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(timeout=120)


@pytest.fixture(scope="session")
def older_python() -> Path:
    """The interpreter of an environment that holds version 1 of the client."""
    return python_with(CLIENTS / "official_1.lock")


def wait_until_healthy(url: str, process: subprocess.Popen[bytes]) -> None:
    """Returns once the URL answers; raises if the process ends or takes too long."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with exit code {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    raise TimeoutError(f"{url} does not answer")
