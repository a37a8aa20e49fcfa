"""Measures the cold start of a generated server: `python -m benchmarks.cold_start [--starts N]` prints a table.

The project is built from `specs/openapi/tides.yaml` with `[deploy] lambda = true`, and runs in the
environment of this process, with compiled bytecode. `python -m tides_mcp`, the command of the image, starts
until the port accepts connections; the handler for AWS Lambda, until the first `tools/list` is answered. Seconds of wall time
and of processor time (user and system), each the median and the minimum of the starts: on a loaded machine
only the minimum of the processor time is comparable.
"""

from __future__ import annotations

import argparse
import compileall
import statistics
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.documents import ROOT
from benchmarks.markdown import markdown_table
from benchmarks.mcpgen_runs import MCPGEN
from benchmarks.measure import run_process
from benchmarks.servers import run_command_server

TIDES = ROOT / "specs" / "openapi" / "tides.yaml"
"""The description of the measured server, with 3 tools."""

GOAL = "1.2 s"
HEAD = ("cold start", "wall time", "at least", "processor time", "at least", "goal")

FIRST_REQUEST = """
import json
from tides_mcp.aws_lambda import handler

class Context:
    def get_remaining_time_in_millis(self):
        return 30_000

body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
headers = {"host": "localhost", "content-type": "application/json"}
headers |= {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
http = {"method": "POST", "path": "/mcp", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"}
event = {"version": "2.0", "rawPath": "/mcp", "rawQueryString": "", "headers": headers}
event |= {"requestContext": {"http": http, "domainName": "localhost"}}
event |= {"body": json.dumps(body), "isBase64Encoded": False}
response = handler(event, Context())
assert response["statusCode"] == 200 and "list_harbours" in response["body"], response
"""
"""Imports the handler and lists the tools, as Lambda's runtime does in the first invocation."""

Start = tuple[float, float]
"""Wall time and processor time of a start, in seconds."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cold_start", description=__doc__)
    parser.add_argument("--starts", type=int, default=5, help="starts of each way, in turn")
    starts: int = parser.parse_args().starts
    with tempfile.TemporaryDirectory() as name:
        project = build_project(Path(name) / "tides")
        ways: dict[str, Callable[[Path], Start]] = {
            "`python -m tides_mcp`": start_program,
            "handler for AWS Lambda, with the first `tools/list`": start_handler,
        }
        starts_by_way: dict[str, list[Start]] = {way: [] for way in ways}
        for _ in range(starts):
            for way, start in ways.items():
                starts_by_way[way].append(start(project))
    rows = [(way, *_cells(starts_by_way[way]), GOAL) for way in ways]
    print(markdown_table(HEAD, rows))


def build_project(folder: Path) -> Path:
    """Builds the project into `folder`, with compiled bytecode as an installer leaves it. Raises
    RuntimeError with the output of a build that fails."""
    folder.mkdir()
    (folder / "mcpgen.toml").write_text("[deploy]\nlambda = true\n", encoding="utf-8")
    build = run_process([*MCPGEN, "build", TIDES, "-o", folder, "--no-verify"])
    if build.failed:
        raise RuntimeError(build.output)
    for path in (folder, sysconfig.get_path("purelib")):
        compileall.compile_dir(path, quiet=2)
    return folder


def start_program(project: Path) -> Start:
    """Starts `python -m tides_mcp` until the port accepts connections."""
    command = [sys.executable, "-m", "tides_mcp", "--port"]
    begin = time.perf_counter()
    with run_command_server(command, PYTHONPATH=str(project)) as server:
        seconds = time.perf_counter() - begin
        return seconds, server.cpu()


def start_handler(project: Path) -> Start:
    """Imports the handler and answers the first request. Raises RuntimeError for a failed start."""
    run = run_process([sys.executable, "-c", FIRST_REQUEST], project)
    if run.failed:
        raise RuntimeError(run.output)
    return run.seconds, run.processor


def _cells(starts: list[Start]) -> tuple[str, ...]:
    """Median and minimum of the wall time and of the processor time."""
    return tuple(
        f"{pick(values):.2f} s"
        for values in zip(*starts, strict=True)
        for pick in (statistics.median, min)
    )


if __name__ == "__main__":
    main()
