"""How a server starts, what it holds, and what more processes bring: `python -m benchmarks.capacity [--calls N]`.

Seconds are of the processor but where a row says otherwise; needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.markdown import seconds, size, table
from benchmarks.serving.catalogue import TRIVIAL, request
from benchmarks.serving.load_client import asked
from benchmarks.serving.processes import ROOT, Process, module, running

ROUND_SECONDS, CLIENTS = 2.0, 32
NOWHERE = "http://127.0.0.1:9"
SDK = "import mcp.server.lowlevel, mcp.server.streamable_http_manager"

UNUSED = ("opentelemetry.sdk", "prometheus_client", "redis", "jwt", "limits", "jsonschema")
"""What a server without a policy has no use for."""


def main() -> None:
    """Measures, and prints tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    parser.add_argument("--calls", type=int, default=200_000)
    calls = parser.parse_args().calls
    print(table(["start", "value", "goal"], _start()))
    print(table(["at rest", "value", "goal"], _rest(calls)))
    head = ["workers", "requests a second, by the clock", "of one", "µs of the processor each"]
    print(table(head, _workers()))


def _start() -> Iterator[list[str]]:
    """How a server of a thousand tools comes up."""
    command = [sys.executable, "-c", f"import time; {SDK}; print(time.process_time())"]
    sdk = min(float(subprocess.check_output(command, cwd=ROOT)) for _ in range(3))
    yield ["import of the SDK", seconds(sdk), "–"]
    ready = []
    for _ in range(3):
        with running(module("generated"), "1000", NOWHERE) as server:
            ready.append(server.cpu())
    yield ["ready with 1,000 tools", seconds(min(ready)), "0.90 s"]
    yield ["of which not the SDK's import", seconds(min(ready) - sdk), "0.40 s"]
    yield from _imports()


def _imports() -> Iterator[list[str]]:
    """What is imported, and what of it is not needed."""
    code = "import mcpgen_runtime.server.cli, sys; print(*sys.modules)"
    command = [sys.executable, "-X", "importtime", "-c", code]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    own: dict[str, int] = {}
    for line in run.stderr.splitlines():
        self_time, _, name = line.removeprefix("import time:").split("|")
        if self_time.strip().isdigit():
            top = name.strip().partition(".")[0]
            own[top] = own.get(top, 0) + int(self_time)
    yield ["modules imported", f"{len(loaded):,}", "–"]
    for name in sorted(own, key=lambda each: -own[each])[:5]:
        yield [f"of which `{name}`, by the clock", seconds(own[name] / 1e6), "–"]
    unused = [name for name in UNUSED if name in loaded]
    yield ["imported without use", ", ".join(unused) or "nothing", "nothing"]


def _rest(calls: int) -> Iterator[list[str]]:
    """What a server holds at rest, and after many calls."""
    for tools, goal in ((50, 90e6), (1223, 130e6)):
        with running(module("generated"), str(tools), NOWHERE) as server:
            time.sleep(0.5)
            yield [f"memory with {tools:,} tools", size(server.memory()), size(goal)]
            if tools == 50:
                _call(server, calls // 10)
                before = server.memory()
                made = _call(server, calls)
                grown = server.memory() - before
    yield [f"growth over {made:,} calls", size(max(grown, 0)), "0 B"]


def _call(server: Process, count: int) -> int:
    """How many calls were made, no fewer than these."""
    made, message = 0, request("tools/call", TRIVIAL)
    while made < count:
        made += asyncio.run(asked(server.port, message, 1.0))
    return made


def _workers() -> Iterator[list[str]]:
    """What processes answer together. They grow with the cores as long as a request costs each of them
    the same; the rate by the clock shows it only where cores are left beside the one of the client.
    """
    message = request("tools/call", TRIVIAL)
    one = 0.0
    for workers in (1, 2):
        flags = ["--workers", str(workers)]
        with running(module("generated"), "50", NOWHERE, *flags) as server:
            asyncio.run(asked(server.port, message, ROUND_SECONDS, CLIENTS))
            rate, cost = 0.0, 1e9
            for _ in range(3):
                before = server.cpu()
                made = asyncio.run(asked(server.port, message, ROUND_SECONDS, CLIENTS))
                rate = max(rate, made / ROUND_SECONDS)
                cost = min(cost, (server.cpu() - before) / made)
            one = one or rate
            yield [str(workers), f"{rate:,.0f}", f"{rate / one:.2f} ×", f"{cost * 1e6:.0f}"]


if __name__ == "__main__":
    main()
