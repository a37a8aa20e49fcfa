"""A server process, from its start to the first list of tools."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rss import RSS_UNIT

LIST_TOOLS = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-06-18",
}
PATIENCE = 120.0


class NotReady(Exception):
    """The server ended, or did not listen in time; the text is what it had printed."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a server came up: seconds until it accepted connections, seconds of the first
    tools/list, bytes of its answer, tools in it, and the process's peak memory in bytes."""

    ready: float
    listed: float
    size: int
    tools: int
    peak: int


def start(command: Sequence[str | Path], port: int, folder: Path | None = None) -> Start:
    """The command started as a server on the port, asked once for its tools, and stopped."""
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            _wait(process, port, begin + PATIENCE)
            ready = time.perf_counter() - begin
            asked = time.perf_counter()
            answer = _list_tools(port)
            listed = time.perf_counter() - asked
        except NotReady as error:
            output.seek(0)
            raise NotReady(f"{error}\n{output.read().decode(errors='replace')}") from None
        finally:
            # Not process.terminate(): it would reap a process that has already ended.
            os.kill(process.pid, signal.SIGTERM)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    return Start(ready, listed, len(answer), _count(answer), usage.ru_maxrss * RSS_UNIT)


def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait(process: subprocess.Popen[bytes], port: int, deadline: float) -> None:
    """Returns once the port accepts a connection."""
    while time.perf_counter() < deadline:
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            raise NotReady("the server ended")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    raise NotReady("the server does not listen")


def _list_tools(port: int) -> bytes:
    """The body of the answer to tools/list."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("POST", "/mcp", LIST_TOOLS, HEADERS)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        raise NotReady(f"tools/list was answered with {response.status}: {body[:500]!r}")
    return body


def _count(answer: bytes) -> int:
    """How many tools the answer lists, be it JSON or an event stream."""
    lines = answer.decode().splitlines()
    events = [line.removeprefix("data:").strip() for line in lines if line.startswith("data:")]
    message = json.loads(next((event for event in events if '"result"' in event), "\n".join(lines)))
    return len(message["result"]["tools"])
