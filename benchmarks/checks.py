"""Measures the checks: `python -m benchmarks.checks`.

Every check of every profile but `latency`, intrusive checks included, on a local server with fifty tools,
each called; and the checks for every host on a saved list of two thousand tools. `benchmarks.checks serve`
is the local server: it prints its URL and ends when stdin does.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter, process_time

from benchmarks.documents import ROOT
from benchmarks.markdown import markdown_table, seconds
from mcpgen.conformance import CallableTools, CheckOptions, Report, check, check_list
from mcpgen.conformance.profiles import EVERY_HOST, WORDS

SERVER_BOUND, LIST_BOUND = 5.0, 2.0
"""Wall seconds for the server, and processor seconds for the list."""

TOOLS = 2_000
TEXT = {"type": "string", "description": "A text."}


def serve_fifty_tools() -> None:
    """Serves the fifty tools until stdin ends."""
    sys.path.insert(0, str(ROOT / "tests" / "broken"))
    base_server = importlib.import_module("base_server")
    server = base_server.ConformingServer()
    server.tools += [base_server.tool(f"tool_{n}", {"text": TEXT}, []) for n in range(47)]
    with base_server.serving(server) as url:
        print(url, flush=True)
        sys.stdin.read()


def check_fifty_tools() -> Report:
    """The report on the server with fifty tools."""
    profiles = tuple(word for word in WORDS if word != "latency")
    command = [sys.executable, "-m", "benchmarks.checks", "serve"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        report = check(url, CheckOptions(profiles=profiles, call=CallableTools.ALL, active=True))
        process.stdin.close()
    return report


def check_saved_list() -> Report:
    """The report on two thousand tools with eight arguments each."""
    schema = {"type": "object", "properties": {f"argument_{n}": TEXT for n in range(8)}}
    tools = [
        {"name": f"tool_{n}", "description": "Does it.", "inputSchema": schema}
        for n in range(TOOLS)
    ]
    profiles = ("protocol", "universal", *EVERY_HOST)
    return check_list(json.dumps(tools), CheckOptions(profiles=profiles))


def time_faster_run(clock: Callable[[], float], work: Callable[[], Report]) -> tuple[float, Report]:
    """The seconds of the faster of two runs, with its report."""
    runs = []
    for _ in range(2):
        start = clock()
        report = work()
        runs.append((clock() - start, report))
    return min(runs, key=lambda run: run[0])


def main() -> None:
    """Prints a row for the server and a row for the list; fails if a bound is exceeded."""
    rows, is_exceeded = [], False
    for name, clock, work, bound in (
        ("all checks on a local server", perf_counter, check_fifty_tools, SERVER_BOUND),
        ("a saved list, for every host", process_time, check_saved_list, LIST_BOUND),
    ):
        time, report = time_faster_run(clock, work)
        tools, outcomes = f"{len(report.tools):,}", f"{len(report.outcomes):,}"
        rows.append((name, tools, outcomes, seconds(time), seconds(bound)))
        is_exceeded = is_exceeded or time > bound
    print(markdown_table(("checks", "tools", "outcomes", "taken", "bound"), rows))
    sys.exit(is_exceeded)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve_fifty_tools()
    else:
        main()
