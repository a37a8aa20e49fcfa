"""Measures requests: `python -m benchmarks.serving [--no-peers] [--seconds N] [--rounds N]`.

The cost of a request is processor time of the server's process, system calls included, in the cheapest of
the rounds. The servers take turns, so that other load of the machine falls on all servers. Needs Linux. With
`pip install '.[bench]'` all servers have uvloop and httptools, like a server in production.
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

from benchmarks.competitors import FASTMCP_SCRIPT, Absent, install_fastmcp
from benchmarks.documents import WORK
from benchmarks.markdown import markdown_table
from benchmarks.servers import ServerProcess, run_command_server, serving_command
from benchmarks.serving.catalogue import TRIVIAL, UPSTREAM, request
from benchmarks.serving.load_client import UnexpectedResponse, send_requests

LIST, CALL = "tools/list", "tools/call"


@dataclass(frozen=True)
class RequestRow:
    """A request, the number of the server's tools, and the number of concurrent connections."""

    name: str
    tools: int
    method: str
    tool: str = ""
    connections: int = 16


ROWS = (
    RequestRow("tools/list", 50, LIST),
    RequestRow("tools/call, trivial", 50, CALL, TRIVIAL),
    RequestRow("tools/call through an upstream", 50, CALL, UPSTREAM),
    RequestRow("tools/list, 1,000 tools", 1000, LIST, connections=4),
    RequestRow("tools/call, 1,000 tools", 1000, CALL, TRIVIAL),
)

BOUND, OURS, ALONE, TUNED, PEER = "bound", "mcpgen", "mcpgen, fast path off", "tuned SDK", "FastMCP"


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--no-peers", action="store_true", help="measure only mcpgen")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    peer = Absent("--no-peers") if options.no_peers else install_fastmcp(WORK)
    if isinstance(peer, Absent):
        print(f"FastMCP is not measured: {peer.reason}", file=sys.stderr)
    for missing in ("uvloop", "httptools", "orjson"):
        if find_spec(missing) is None:
            print(f"{missing} is not installed; figures are worse without", file=sys.stderr)
    with ExitStack() as stack:
        api = stack.enter_context(run_command_server(serving_command("upstream")))
        costs: dict[tuple[str, str], float] = {}
        for tools in sorted({row.tools for row in ROWS}):
            with ExitStack() as server_stack:
                servers = dict(_servers(server_stack, tools, f"http://127.0.0.1:{api.port}", peer))
                for row in (row for row in ROWS if row.tools == tools):
                    row_costs = measure_costs(row, servers, options.rounds, options.seconds)
                    costs |= {(row.name, name): cost for name, cost in row_costs.items()}
    print(_cost_table(costs))


def _servers(
    stack: ExitStack, tools: int, upstream: str, peer: Path | Absent
) -> Iterator[tuple[str, ServerProcess]]:
    """Started servers by name; FastMCP only if installed."""
    arguments = (str(tools), upstream)
    yield BOUND, stack.enter_context(
        run_command_server(serving_command("asgi_baseline"), *arguments)
    )
    yield OURS, stack.enter_context(
        run_command_server(serving_command("runtime_server"), *arguments)
    )
    fast_path_off = {"MEASURED_FAST_PATH": "false"}
    yield ALONE, stack.enter_context(
        run_command_server(serving_command("runtime_server"), *arguments, **fast_path_off)
    )
    yield TUNED, stack.enter_context(
        run_command_server(serving_command("sdk_baseline"), *arguments)
    )
    if not isinstance(peer, Absent):
        command: list[str | Path] = [peer, FASTMCP_SCRIPT, "tools"]
        yield PEER, stack.enter_context(run_command_server(command, *arguments, PYTHONPATH=""))


def measure_costs(
    row: RequestRow, servers: Mapping[str, ServerProcess], rounds: int, seconds: float
) -> dict[str, float]:
    """Processor seconds per request by server. The first round warms up and is not counted."""
    message = request(row.method, row.tool)
    minimum: dict[str, float] = {}
    for number in range(rounds + 1):
        for name, server in servers.items():
            before = server.cpu()
            try:
                count = asyncio.run(
                    send_requests(server.port, message, seconds if number else 0.2, row.connections)
                )
            except UnexpectedResponse as error:
                sys.exit(f"{name} answered {row.name} with\n{error}")
            if number:
                minimum[name] = min(minimum.get(name, 1e9), (server.cpu() - before) / count)
    return minimum


def _cost_table(costs: Mapping[tuple[str, str], float]) -> str:
    """Costs in microseconds by row and server, and quotients of mcpgen, the bound and the others."""
    names = [name for name in (BOUND, OURS, ALONE, TUNED, PEER) if (ROWS[0].name, name) in costs]
    rows = []
    for row in ROWS:
        row_costs = {name: costs[row.name, name] for name in names}
        own_cost = row_costs[OURS]
        quotients = [f"{own_cost / row_costs[BOUND]:.2f} ×"]
        quotients += [f"{row_costs[name] / own_cost:.1f} ×" for name in names[2:]]
        rows.append([row.name, *(f"{row_costs[name] * 1e6:,.0f}" for name in names), *quotients])
    head = [
        "µs of the processor",
        *names,
        "to the bound",
        *(f"{name} to ours" for name in names[2:]),
    ]
    return markdown_table(head, rows)


if __name__ == "__main__":
    main()
