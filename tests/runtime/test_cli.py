"""The server as a process: start, refusal to start, and shutdown."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest
from tests.forkserver.servers import ForkedProcess
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings
from tests.thorough import keep

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server import cli
from mcpgen_runtime.server.app import App, ServerInfo

ROOT = Path(__file__).parents[2]

SERVER = "tests.runtime.slow_server"


def command(*arguments: str) -> list[str]:
    """Returns the command line of the server."""
    return [sys.executable, "-m", SERVER, *arguments]


def environment(**variables: str) -> dict[str, str]:
    """Returns the environment of the server, with the path of its modules."""
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **variables}


def run_to_exit(*arguments: str, **variables: str) -> tuple[int, str]:
    """Runs a server that exits by itself, in a fork; returns the exit code and standard error."""
    process_environment = environment(**variables)
    with ForkedProcess(ROOT, SERVER, *arguments, environment=process_environment) as process:
        errors = process.stderr.read().decode()
        return process.wait(120), errors


@contextmanager
def start_server(*arguments: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Starts a server, and yields the process and the printed line."""
    with subprocess.Popen(
        command(*arguments),
        env=environment(**variables),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


@contextmanager
def slow_upstream(seconds: float) -> Iterator[tuple[str, threading.Event]]:
    """Yields the URL of an API that delays its answers by some seconds, at most until the block
    ends, and an event that is set with the first request."""
    request_event, end_event = threading.Event(), threading.Event()

    class SlowHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            request_event.set()
            end_event.wait(seconds)
            with suppress(ConnectionError):
                self.send_response(204)
                self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Logs nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), SlowHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", request_event
        finally:
            end_event.set()
            server.shutdown()
            thread.join()


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "slow"}}


def test_free_port_is_told_and_calls_under_way_finish_before_the_end() -> None:
    with (
        slow_upstream(1) as (url, request_event),
        start_server("--port", "0", "--upstream", url) as (process, line),
    ):
        address = line.removeprefix("Serving Canary at ").strip()
        results: list[httpx2.Response] = []
        call = threading.Thread(
            target=lambda: results.append(httpx2.post(address, json=CALL, timeout=120))
        )
        call.start()
        request_event.wait(120)
        process.send_signal(signal.SIGTERM)
        call.join()
        process.wait(120)

    assert line.startswith("Serving Canary at http://127.0.0.1:")
    assert results[0].json()["result"]["isError"] is False


def test_ctrl_c_ends_the_server_without_a_traceback() -> None:
    with start_server("--port", "0", "--upstream", "http://127.0.0.1:9") as (process, _):
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)

    assert process.returncode == 0
    assert "Traceback" not in errors


def test_environment_says_where_to_listen() -> None:
    with start_server(
        CANARY_UPSTREAM="http://127.0.0.1:9", CANARY_HOST="0.0.0.0", CANARY_PORT="0"
    ) as (
        _,
        line,
    ):
        port = int(line.strip().removesuffix("/mcp").rsplit(":", 1)[1])
        healthy = httpx2.get(f"http://127.0.0.1:{port}/healthz", timeout=120)

    assert line.startswith("Serving Canary at http://0.0.0.0:")
    assert healthy.json() == {"status": "ok"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit of open files")
def test_half_open_connections_beyond_the_limit_of_open_files_keep_no_probe_out() -> None:
    with ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                ["sh", "-c", 'ulimit -n 256; exec "$@"', "sh", *command("--port", "0")],
                env=environment(CANARY_UPSTREAM="http://127.0.0.1:9"),
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        stack.callback(process.kill)
        assert process.stdout
        address = process.stdout.readline().removeprefix("Serving Canary at ").strip()
        place = "127.0.0.1", int(address.removesuffix("/mcp").rsplit(":", 1)[1])
        for _ in range(300):
            half = stack.enter_context(socket.create_connection(place, timeout=120))
            with suppress(ConnectionError):
                half.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        healthy = httpx2.get(address.replace("/mcp", "/healthz"), timeout=120)
        process.terminate()
        _, errors = process.communicate(timeout=120)

    assert healthy.json() == {"status": "ok"}
    assert "All 128 connections are open (CANARY_CONNECTIONS_AT_ONCE, and at most half" in errors
    assert errors.count("All 128 connections") == 1


def test_missing_upstream_is_one_line_and_exit_code_2() -> None:
    code, errors = run_to_exit("--port", "0")

    assert code == 2
    assert errors == (
        "canary_mcp: the API has no address; give --upstream URL or set CANARY_UPSTREAM\n"
    )


def test_busy_port_is_told_with_one_reason_and_exit_code_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        code, errors = run_to_exit("--port", str(port), "--upstream", "http://127.0.0.1:9")

    assert code == 2
    message, reason = errors.splitlines()
    assert message.endswith(
        " is in use; it is tried for 2 s, which a server takes at most to leave it"
    )
    assert reason == f"canary_mcp: cannot listen on 127.0.0.1:{port}: Address already in use"


def test_a_server_waits_for_the_one_before_it_to_leave_the_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        arguments = ("--port", port, "--upstream", "http://127.0.0.1:9")
        variables = {"CANARY_DRAIN_SECONDS": "600"}
        with subprocess.Popen(
            command(*arguments),
            env=environment(**variables),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr
            assert process.stdout
            waits = process.stderr.readline()
            listener.close()
            line = process.stdout.readline()
            process.kill()

    assert f"127.0.0.1:{port} is in use" in waits
    assert line == f"Serving Canary at http://127.0.0.1:{port}/mcp\n"


def test_a_key_that_several_instances_need_is_told_with_its_reason_and_how_to_make_one() -> None:
    code, errors = run_to_exit(
        CANARY_UPSTREAM="http://127.0.0.1:9", CANARY_SEVERAL_INSTANCES="true"
    )

    assert code == 2
    assert errors.startswith("canary_mcp: CANARY_STATE_KEY is not set, but CANARY_SEVERAL_")
    assert "`openssl rand -hex 32`" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    "url",
    keep(
        ["ftp://x", "http://", "http://u:s3cret@x", "http://x/?a=1"],
        {"http://u:s3cret@x"},
        "repeats the proof with other wrong addresses",
    ),
)
def test_wrong_setting_is_told_by_its_variable_and_without_its_value(url: str) -> None:
    code, errors = run_to_exit(CANARY_UPSTREAM=url, CANARY_PORT="many")

    assert code == 2
    assert errors.startswith("canary_mcp: CANARY_PORT: ")
    assert "CANARY_UPSTREAM: must" in errors
    assert "s3cret" not in errors
    assert errors.count("\n") == 1


def test_garbage_is_collected_once_the_application_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    collects: list[bool] = []

    def create(settings: CanarySettings) -> App:
        collects.append(gc.isenabled())
        return create_app(ServerInfo("canary", "Canary", "1"), (), (), settings, Hooks())

    def serve(app: App, create: object) -> None:
        collects.append(gc.isenabled())

    monkeypatch.setattr(cli, "_serve", serve)
    gc.disable()
    try:
        code = cli.main("canary", CanarySettings, create, ["--upstream", "http://127.0.0.1:9"])
    finally:
        gc.enable()

    assert (code, collects) == (0, [False, True])
