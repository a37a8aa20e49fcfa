"""The servers: software, environment and start command."""

from __future__ import annotations

import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.venvs import node, npm_with, python_with

from mcpgen.conformance.targets.command import free_port

HERE = Path(__file__).parent
STARTING = 120.0
"""Seconds until a server has to listen, also on a busy machine."""


@dataclass(frozen=True)
class Peer:
    """A server.

    `name` is the section, `variant` the configuration, `software` the description. `environment`
    names a lock file or its folder, `program` the started file, `options` the arguments before the
    port.
    """

    name: str
    software: str
    environment: str
    program: str
    options: tuple[str, ...] = ()
    path: str = "/mcp"

    @property
    def variant(self) -> str:
        """The configuration, or `""` if there is only one."""
        return " ".join(self.options)

    def command(self, port: int) -> list[str]:
        """The start command; creates the environment on first use."""
        place = HERE / "environments" / self.environment
        if place.is_dir():
            folder = npm_with(place)
            return [str(node()), str(folder / self.program), *self.options, str(port)]
        program = HERE / "servers" / self.program
        return [str(python_with(place)), str(program), *self.options, str(port)]


def _every_way(kind: str, program: str) -> list[Peer]:
    """The official Python SDK in every combination of state and answer format."""
    return [
        Peer(
            kind,
            "official Python SDK 2.3.0",
            "sdk2.lock",
            program,
            (state, form),
        )
        for state in ("stateless", "stateful")
        for form in ("json", "sse")
    ]


PEERS = (
    *_every_way("Low-level server", "sdk2_lowlevel.py"),
    *_every_way("MCPServer", "sdk2_mcpserver.py"),
    Peer("FastMCP 4", "FastMCP 4.1.2", "fastmcp4.lock", "fastmcp4.py"),
    Peer("Python SDK 1", "official Python SDK 1.12.4", "sdk1.lock", "sdk1_fastmcp.py"),
    Peer("TypeScript SDK", "official TypeScript SDK 2.4.0", "typescript", "typescript.mjs"),
)
"""Every server, in the order of the document."""


@contextmanager
def serving(peer: Peer) -> Iterator[str]:
    """Starts the server; yields its URL."""
    port = free_port()
    process = subprocess.Popen(
        peer.command(port),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port, process)
        yield f"http://127.0.0.1:{port}{peer.path}"
    finally:
        process.terminate()
        try:
            process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + STARTING
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with exit code {process.returncode}")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)
            return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise TimeoutError(f"nothing listens on port {port}")
