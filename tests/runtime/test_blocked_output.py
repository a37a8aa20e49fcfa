"""A server with blocked standard output and standard error answers requests, and stops on a
signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx2
import pytest
from tests.runtime.test_cli import CALL, ROOT, environment, slow_upstream
from tests.thorough import sample

from mcpgen.conformance.targets.command import free_port

PROGRAM = """
from tests.runtime.apps import create_app

from mcpgen_runtime.observability.audit import Audit
from mcpgen_runtime.observability.audit_json import AuditSettings, audit_lines
from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.cli import main
from mcpgen_runtime.tool import Hints, Route, Tool

READS = Hints(True, False, True)
TOOLS = [Tool(name, name, "", Route("GET", f"/{name}"), READS) for name in ("slow", "broken")]

async def fail(call):
    raise LookupError("x" * 1000)

def create(settings):
    rules = [Audit(settings, audit_lines(settings), server="canary")]
    hooks = Hooks({"broken": fail})
    return create_app(ServerInfo("canary", "Canary", "1"), TOOLS, [], settings, hooks, rules)

raise SystemExit(main("canary_mcp", AuditSettings, create))
"""


@contextmanager
def output(kind: str) -> Iterator[int]:
    """Yields a file descriptor for standard output and standard error: blocked, full or closed."""
    reads, writes = os.pipe()
    with ExitStack() as stack:
        stack.callback(os.close, writes)
        if kind == "closed by its reader":
            os.close(reads)
        else:
            stack.callback(os.close, reads)
        if kind == "full":
            os.set_blocking(writes, False)
            try:
                while True:
                    os.write(writes, b"x" * 4096)
            except BlockingIOError:
                os.set_blocking(writes, True)
        yield writes


def close_output() -> None:
    """Closes standard output and standard error, in the process that becomes a server."""
    os.close(1)
    os.close(2)


def wait_until_healthy(url: str) -> None:
    """Returns when a server answers."""
    for _ in range(2400):
        try:
            httpx2.get(f"{url}/healthz")
            return
        except httpx2.TransportError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


@pytest.mark.parametrize(
    "kind",
    sample(
        ["full", "closed by its reader", "not there"], 3, "repeats the proof with other outputs"
    ),
)
def test_calls_that_are_done_are_told_as_done_and_the_server_ends_when_told(kind: str) -> None:
    broken_call = {**CALL, "params": {"name": "broken"}}
    url = f"http://127.0.0.1:{free_port()}"
    with (
        slow_upstream(0) as (api, _),
        output(kind) as descriptor,
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "--port", url.rsplit(":", 1)[1], "--upstream", api],
            env=environment(),
            cwd=ROOT,
            stdout=descriptor,
            stderr=descriptor,
            preexec_fn=close_output if kind == "not there" else None,
        ) as process,
    ):
        try:
            wait_until_healthy(url)
            with httpx2.Client(timeout=120) as client:
                responses = [client.post(f"{url}/mcp", json=CALL) for _ in range(5)]
                failed_responses = [client.post(f"{url}/mcp", json=broken_call) for _ in range(5)]
                health_response = client.get(f"{url}/healthz")
            process.send_signal(signal.SIGTERM)
            process.wait(120)
        finally:
            process.kill()

    assert [answer.json()["result"]["isError"] for answer in responses] == [False] * 5
    assert all("internal error" in answer.text for answer in failed_responses)
    assert health_response.status_code == 200
    assert process.returncode == -signal.SIGTERM
