"""Measures start, memory and workers of a server: `python -m benchmarks.capacity [--calls N]`.

Seconds are processor time unless the row names the clock; needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.documents import ROOT
from benchmarks.markdown import NONE, decimal_size, markdown_table, seconds
from benchmarks.servers import ServerProcess, run_command_server, serving_command
from benchmarks.serving.catalogue import TRIVIAL, request
from benchmarks.serving.load_client import send_requests

ROUND_SECONDS, CLIENTS = 2.0, 32
NOWHERE = "http://127.0.0.1:9"
SDK = "import mcp.server.lowlevel, mcp.server.streamable_http_manager"

UNUSED = ("opentelemetry.sdk", "prometheus_client", "redis", "jwt", "limits", "jsonschema")
"""Packages that a server without a policy does not need."""


def main() -> None:
    """Prints three tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    parser.add_argument("--calls", type=int, default=200_000)
    calls = parser.parse_args().calls
    print(markdown_table(["start", "value", "goal"], _start()))
    print(markdown_table(["at rest", "value", "goal"], _memory_rows(calls)))
    head = ["workers", "requests a second, by the clock", "of one", "µs of the processor each"]
    print(markdown_table(head, _workers()))


def _start() -> Iterator[list[str]]:
    """Rows about the start of a server with 1,000 tools."""
    command = [sys.executable, "-c", f"import time; {SDK}; print(time.process_time())"]
    sdk = min(float(subprocess.check_output(command, cwd=ROOT)) for _ in range(3))
    yield ["import of the SDK", seconds(sdk), NONE]
    start_seconds = []
    for _ in range(3):
        with run_command_server(serving_command("runtime_server"), "1000", NOWHERE) as server:
            start_seconds.append(server.cpu())
    yield ["ready with 1,000 tools", seconds(min(start_seconds)), "0.90 s"]
    yield ["of which not the SDK's import", seconds(min(start_seconds) - sdk), "0.40 s"]
    yield from _import_rows()


def _import_rows() -> Iterator[list[str]]:
    """Rows about imported modules and packages."""
    code = "import mcpgen_runtime.server.cli, sys; print(*sys.modules)"
    command = [sys.executable, "-X", "importtime", "-c", code]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    modules = set(process.stdout.split())
    seconds_by_package: dict[str, int] = {}
    for line in process.stderr.splitlines():
        self_time, _, name = line.removeprefix("import time:").split("|")
        if self_time.strip().isdigit():
            top = name.strip().partition(".")[0]
            seconds_by_package[top] = seconds_by_package.get(top, 0) + int(self_time)
    yield ["modules imported", f"{len(modules):,}", NONE]
    for name in sorted(seconds_by_package, key=lambda name: -seconds_by_package[name])[:5]:
        yield [f"of which `{name}`, by the clock", seconds(seconds_by_package[name] / 1e6), NONE]
    unused_modules = [name for name in UNUSED if name in modules]
    yield ["imported without use", ", ".join(unused_modules) or "nothing", "nothing"]


def _memory_rows(calls: int) -> Iterator[list[str]]:
    """Rows about memory at rest and after `calls` calls."""
    for tools, goal in ((50, 90e6), (1223, 130e6)):
        with run_command_server(serving_command("runtime_server"), str(tools), NOWHERE) as server:
            time.sleep(0.5)
            yield [
                f"memory with {tools:,} tools",
                decimal_size(server.resident_size()),
                decimal_size(goal),
            ]
            if tools == 50:
                _send_calls(server, calls // 10)
                before = server.resident_size()
                count = _send_calls(server, calls)
                growth = server.resident_size() - before
    yield [f"growth over {count:,} calls", decimal_size(max(growth, 0)), "0 B"]


def _send_calls(server: ServerProcess, count: int) -> int:
    """Sends at least `count` calls; returns the number of answered calls."""
    answer_count, message = 0, request("tools/call", TRIVIAL)
    while answer_count < count:
        answer_count += asyncio.run(send_requests(server.port, message, 1.0))
    return answer_count


def _workers() -> Iterator[list[str]]:
    """Rows per number of workers. An equal processor time per request shows that the rate grows with the
    cores; the rate by the clock shows the growth only with a spare core beside the client's.
    """
    message = request("tools/call", TRIVIAL)
    single_rate = 0.0
    for workers in (1, 2):
        flags = ["--workers", str(workers)]
        with run_command_server(serving_command("runtime_server"), "50", NOWHERE, *flags) as server:
            asyncio.run(send_requests(server.port, message, ROUND_SECONDS, CLIENTS))
            rate, cost = 0.0, 1e9
            for _ in range(3):
                before = server.cpu()
                count = asyncio.run(send_requests(server.port, message, ROUND_SECONDS, CLIENTS))
                rate = max(rate, count / ROUND_SECONDS)
                cost = min(cost, (server.cpu() - before) / count)
            single_rate = single_rate or rate
            yield [str(workers), f"{rate:,.0f}", f"{rate / single_rate:.2f} ×", f"{cost * 1e6:.0f}"]


if __name__ == "__main__":
    main()
