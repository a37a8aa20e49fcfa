"""What a request costs a server: `python -m benchmarks.serving [--no-peers] [--seconds N] [--rounds N]`.

The cost is time of the processor of the server's process, its system's calls included, by request, the
least of the rounds; the servers take turns, so that what else the machine does falls on all of them.
Needs Linux. With `pip install '.[bench]'` all of them have uvloop and httptools, as a server in
production should.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.competitors import Absent, fastmcp
from benchmarks.documents import WORK
from benchmarks.markdown import table
from benchmarks.serving.catalogue import TRIVIAL, UPSTREAM, request
from benchmarks.serving.load_client import BadAnswer, asked
from benchmarks.serving.processes import Process, module, running

LIST, CALL = "tools/list", "tools/call"


@dataclass(frozen=True)
class Row:
    """One question: what is asked, of how many tools, and how many requests are asked at once."""

    name: str
    tools: int
    method: str
    tool: str = ""
    connections: int = 16


ROWS = (
    Row("tools/list", 50, LIST),
    Row("tools/call, trivial", 50, CALL, TRIVIAL),
    Row("tools/call through an upstream", 50, CALL, UPSTREAM),
    Row("tools/list, 1,000 tools", 1000, LIST, connections=4),
    Row("tools/call, 1,000 tools", 1000, CALL, TRIVIAL),
)

BOUND, OURS, ALONE, TUNED, PEER = "bound", "mcpgen", "mcpgen, fast path off", "tuned SDK", "FastMCP"


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--no-peers", action="store_true", help="leave FastMCP out")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    peer = Absent("left out") if options.no_peers else fastmcp(WORK)
    if isinstance(peer, Absent):
        print(f"FastMCP is not measured: {peer.reason}", file=sys.stderr)
    for missing in ("uvloop", "httptools", "orjson"):
        if find_spec(missing) is None:
            print(f"{missing} is not installed; figures are worse without", file=sys.stderr)
    with ExitStack() as stack:
        api = stack.enter_context(running(module("api")))
        costs: dict[tuple[str, str], float] = {}
        for tools in sorted({row.tools for row in ROWS}):
            with ExitStack() as started:
                servers = dict(_servers(started, tools, f"http://127.0.0.1:{api.port}", peer))
                for row in (row for row in ROWS if row.tools == tools):
                    found = _costs(row, servers, options.rounds, options.seconds)
                    costs |= {(row.name, name): cost for name, cost in found.items()}
    print(_shown(costs))


def _servers(
    stack: ExitStack, tools: int, upstream: str, peer: Path | Absent
) -> Iterator[tuple[str, Process]]:
    """The servers that could be started, by name."""
    rest = (str(tools), upstream)
    yield BOUND, stack.enter_context(running(module("bare"), *rest))
    yield OURS, stack.enter_context(running(module("generated"), *rest))
    off = {"MEASURED_FAST_PATH": "false"}
    yield ALONE, stack.enter_context(running(module("generated"), *rest, **off))
    yield TUNED, stack.enter_context(running(module("tuned"), *rest))
    if not isinstance(peer, Absent):
        script = Path(__file__).with_name("fastmcp_tools.py")
        yield PEER, stack.enter_context(running([peer, script], *rest, PYTHONPATH=""))


def _costs(
    row: Row, servers: Mapping[str, Process], rounds: int, seconds: float
) -> dict[str, float]:
    """Seconds of the processor for each request of a row, by server."""
    message = request(row.method, row.tool)
    least: dict[str, float] = {}
    for round in range(rounds + 1):
        for name, server in servers.items():
            before = server.cpu()
            try:
                count = asyncio.run(
                    asked(server.port, message, seconds if round else 0.2, row.connections)
                )
            except BadAnswer as fault:
                sys.exit(f"{name} answered {row.name} with\n{fault}")
            if round:
                least[name] = min(least.get(name, 1e9), (server.cpu() - before) / count)
    return least


def _shown(costs: Mapping[tuple[str, str], float]) -> str:
    """The costs in microseconds, and ours as a multiple of the bound and a fraction of the others."""
    names = [name for name in (BOUND, OURS, ALONE, TUNED, PEER) if (ROWS[0].name, name) in costs]
    rows = []
    for row in ROWS:
        found = {name: costs[row.name, name] for name in names}
        ours = found[OURS]
        times = [f"{ours / found[BOUND]:.2f} ×"]
        times += [f"{found[name] / ours:.1f} ×" for name in names[2:]]
        rows.append([row.name, *(f"{found[name] * 1e6:,.0f}" for name in names), *times])
    head = [
        "µs of the processor",
        *names,
        "to the bound",
        *(f"{name} to ours" for name in names[2:]),
    ]
    return table(head, rows)


if __name__ == "__main__":
    main()
