"""Measures installations: `python -m benchmarks.install [--no-peers] [--seconds N] [--rounds N]`.

A row per installation into an empty virtual environment: packages without pip, bytes on disk, and wall time
of pip with every file in pip's cache. For the runtime with and without the extra `fast` also the processor
time per request, as in `benchmarks.serving`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.competitors import FASTMCP, Absent, last_line
from benchmarks.documents import ROOT, WORK
from benchmarks.markdown import NONE, decimal_size, markdown_table, seconds
from benchmarks.measure import Run, run_process
from benchmarks.servers import run_command_server, serving_command
from benchmarks.serving.__main__ import ROWS, measure_costs

RUNTIME = ROOT / "runtime"
HEAD = ("installed", "packages", "on disk", "pip")
REQUESTS = [row for row in ROWS if row.tools == 50]
SERVERS = {"`mcpgen-runtime`": f"{RUNTIME}", "`mcpgen-runtime[fast]`": f"{RUNTIME}[fast]"}
INSTALLATIONS = {
    "`mcpgen`": str(ROOT),
    "`mcpgen[validate]`": f"{ROOT}[validate]",
    "`mcpgen[all]`": f"{ROOT}[all]",
    **SERVERS,
    f"`{FASTMCP}`": FASTMCP,
}
"""Requirements as pip reads them, by the name in the table."""


@dataclass(frozen=True)
class Installation:
    """A virtual environment: its interpreter, packages without pip, bytes, and the run of pip."""

    python: Path
    packages: int
    bytes: int
    pip: Run


def main() -> None:
    """Prints a table of installations and a table of the runtime's costs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.install", description=__doc__)
    parser.add_argument("--no-peers", action="store_true", help="measure only mcpgen")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    names = [name for name in INSTALLATIONS if FASTMCP not in name or not options.no_peers]
    installations = {name: install(name.strip("`"), INSTALLATIONS[name]) for name in names}
    print(
        markdown_table(
            HEAD, [_installation_cells(name, result) for name, result in installations.items()]
        )
    )
    pythons = {
        name: result.python
        for name, result in installations.items()
        if name in SERVERS and isinstance(result, Installation)
    }
    head = ("µs of the processor", *pythons)
    print(markdown_table(head, _costs(pythons, options.rounds, options.seconds)))


def install(name: str, requirement: str) -> Installation | Absent:
    """Installs a requirement twice into an empty environment; the second time, pip's cache is full."""
    folder = WORK / "installed" / name
    python = folder / "bin" / "python"
    for _ in range(2):
        environment = run_process([sys.executable, "-m", "venv", "--clear", folder])
        if environment.failed:
            return Absent(last_line(environment))
        before = _disk_bytes(folder)
        pip = run_process([python, "-m", "pip", "install", "--quiet", requirement])
        if pip.failed:
            return Absent(last_line(pip))
    run = run_process(
        [python, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"]
    )
    packages = [row for row in json.loads(run.output) if row["name"] not in ("pip", "setuptools")]
    return Installation(python, len(packages), _disk_bytes(folder) - before, pip)


def _costs(pythons: dict[str, Path], rounds: int, length: float) -> Iterator[Sequence[str]]:
    """A row per request with the cheapest round of each environment."""
    with ExitStack() as stack:
        api = stack.enter_context(run_command_server(serving_command("upstream")))
        upstream = f"http://127.0.0.1:{api.port}"
        servers = {
            name: stack.enter_context(
                run_command_server(serving_command("runtime_server", python), "50", upstream)
            )
            for name, python in pythons.items()
        }
        for row in REQUESTS:
            costs = measure_costs(row, servers, rounds, length)
            yield row.name, *(f"{costs[name] * 1e6:,.0f}" for name in servers)


def _installation_cells(name: str, installation: Installation | Absent) -> Sequence[str]:
    if isinstance(installation, Absent):
        return name, installation.reason, NONE, NONE
    return (
        name,
        str(installation.packages),
        decimal_size(installation.bytes),
        seconds(installation.pip.seconds),
    )


def _disk_bytes(folder: Path) -> int:
    """Bytes of the files below a folder; links are not counted."""
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    )


if __name__ == "__main__":
    main()
