"""Measured servers as processes: start, first list of tools, processor time, memory, open files."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.documents import ROOT
from benchmarks.measure import (
    PROC,
    RSS_UNIT,
    peak_resident_bytes,
    process_tree,
    resident_bytes,
)
from mcpgen.conformance.targets.command import free_port

HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-06-18",
}
START_SECONDS = 120.0
"""Time limit of a start, and of a page of the first list."""


class NotReady(Exception):
    """The server ended, did not listen in time, or refused `tools/list`; the text ends with its output."""


@dataclass(frozen=True, slots=True)
class ServerStart:
    """A start of a server: seconds until the port accepts connections, seconds of the first list with
    all pages, bytes of the responses, tools of all pages, and peak memory of the process in bytes.
    """

    ready: float
    listed: float
    size: int
    tools: int
    peak: int


@dataclass(frozen=True)
class ServerProcess:
    """A running server that listens on `port` of 127.0.0.1; needs Linux."""

    id: int
    port: int

    def cpu(self) -> float:
        """Processor seconds of the process tree since its start, system calls included."""
        return sum(map(_cpu_seconds, process_tree(self.id)))

    def resident_size(self) -> int:
        """Bytes of the resident set, without child processes."""
        return resident_bytes(self.id)

    def files(self) -> int:
        """The number of open files and sockets."""
        return len(list((PROC / str(self.id) / "fd").iterdir()))


def measure_start(
    command: Sequence[str | Path], port: int, folder: Path | None = None
) -> ServerStart:
    """Starts a server, lists its tools once and stops the server. Raises `NotReady`."""
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            _wait_until_listening(process, port, begin + START_SECONDS)
            ready_time = time.perf_counter()
            pages = list_pages(port)
            list_time = time.perf_counter()
            peak = peak_resident_bytes(process.pid)
        except NotReady as error:
            output.seek(0)
            raise NotReady(f"{error}\n{output.read().decode(errors='replace')}") from None
        finally:
            # Not process.terminate(): it reaps a process that has already ended, and wait4 needs it.
            os.kill(process.pid, signal.SIGTERM)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    # Linux counts the memory of this process before exec in `ru_maxrss`: after the list of a FastMCP
    # server with 139 MB, both servers of the next document had 1,270 MB.
    peak = peak or usage.ru_maxrss * RSS_UNIT
    tools = sum(len(result_of(page)["tools"]) for page in pages)
    return ServerStart(
        ready_time - begin, list_time - ready_time, sum(map(len, pages)), tools, peak
    )


@contextmanager
def run_command_server(
    command: Sequence[str | Path], *arguments: str, **environment: str
) -> Iterator[ServerProcess]:
    """Runs `command PORT *arguments` while the body runs, from the time its port accepts connections.

    `environment` is added to the environment of this process. Raises `NotReady` with the server's output.
    """
    port = free_port()
    settings = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*command, str(port), *arguments], cwd=ROOT, env=settings, stdout=output, stderr=output
        )
        try:
            _wait_until_listening(process, port, time.perf_counter() + START_SECONDS)
            yield ServerProcess(process.pid, port)
        except NotReady as error:
            output.seek(0)
            raise NotReady(f"{error}\n{output.read().decode(errors='replace')[-600:]}") from None
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def serving_command(name: str, python: str | Path = sys.executable) -> list[str | Path]:
    """The command of a server program in `benchmarks/serving`: `serving_command("upstream")`."""
    return [python, "-m", f"benchmarks.serving.{name}"]


def _wait_until_listening(process: subprocess.Popen[bytes], port: int, deadline: float) -> None:
    while time.perf_counter() < deadline:
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            raise NotReady("the server ended")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.005)
    raise NotReady("the server does not listen")


def list_pages(port: int) -> list[bytes]:
    """The bodies of the responses to tools/list, one for each page. Generated servers cut lists above
    768 KiB into pages."""
    pages: list[bytes] = []
    params: dict[str, str] = {}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    while not pages or params:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}
        connection.request("POST", "/mcp", json.dumps(message), HEADERS)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise NotReady(f"tools/list was answered with {response.status}: {body[:500]!r}")
        pages.append(body)
        cursor = result_of(body).get("nextCursor")
        params = {"cursor": cursor} if cursor else {}
    connection.close()
    return pages


def result_of(body: bytes) -> dict[str, Any]:
    """The result in a response, which is JSON or an event stream."""
    lines = body.decode().splitlines()
    events = [line.removeprefix("data:").strip() for line in lines if line.startswith("data:")]
    message = json.loads(next((event for event in events if '"result"' in event), "\n".join(lines)))
    result: dict[str, Any] = message["result"]
    return result


def _cpu_seconds(pid: int) -> float:
    # Fields 14 and 15 of proc_pid_stat(5), utime and stime; the command name before may hold blanks.
    fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
