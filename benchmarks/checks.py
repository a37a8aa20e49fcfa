"""What the checks take: `python -m benchmarks.checks`.

Every check of every profile but `latency`, those that intrude among them, on a local server with
fifty tools, each of which is called; and a saved list of two thousand tools, judged for every host.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.markdown import seconds, table
from mcpgen.conformance import CallableTools, CheckOptions, Report, check, check_list
from mcpgen.conformance.profiles import EVERY_HOST, WORDS

SERVER_BOUND, LIST_BOUND = 5.0, 2.0
"""Seconds that a server may take by the clock, and a list of the processor."""

TOOLS = 2_000


def server_report() -> Report:
    """The report on the server with fifty tools."""
    words = tuple(word for word in WORDS if word != "latency")
    program = Path(__file__).with_name("fifty_tools.py")
    command = [sys.executable, str(program)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        report = check(url, CheckOptions(profiles=words, call=CallableTools.ALL, active=True))
        process.stdin.close()
    return report


def list_report() -> Report:
    """The report on two thousand tools with eight arguments each."""
    text = {"type": "string", "description": "A text."}
    schema = {"type": "object", "properties": {f"argument_{number}": text for number in range(8)}}
    tools = [
        {"name": f"tool_{number}", "description": "Does it.", "inputSchema": schema}
        for number in range(TOOLS)
    ]
    return check_list(
        json.dumps(tools), CheckOptions(profiles=("protocol", "universal", *EVERY_HOST))
    )


def measured(clock: Callable[[], float], work: Callable[[], Report]) -> tuple[float, Report]:
    """The seconds of the better of two runs, and its report."""
    runs = []
    for _ in range(2):
        before = clock()
        report = work()
        runs.append((clock() - before, report))
    return min(runs, key=lambda run: run[0])


def main() -> None:
    """Prints a row for each; fails where one is beyond its bound."""
    server, asked = measured(perf_counter, server_report)
    linted, judged = measured(process_time, list_report)
    rows = [
        (
            "all checks on a local server",
            f"{len(asked.tools):,}",
            f"{len(asked.outcomes):,}",
            seconds(server),
            seconds(SERVER_BOUND),
        ),
        (
            "a saved list, for every host",
            f"{len(judged.tools):,}",
            f"{len(judged.outcomes):,}",
            seconds(linted),
            seconds(LIST_BOUND),
        ),
    ]
    print(table(("checks", "tools", "outcomes", "taken", "bound"), rows))
    sys.exit(server > SERVER_BOUND or linted > LIST_BOUND)


if __name__ == "__main__":
    main()
