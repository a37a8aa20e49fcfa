"""Comparable tools, installed into the work folder and measured like mcpgen."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Run, best, run_process
from benchmarks.servers import NotReady, ServerStart, measure_start
from mcpgen.conformance.targets.command import free_port

FASTMCP = "fastmcp==4.1.2"
FASTMCP_SCRIPT = Path(__file__).with_name("fastmcp_peer.py")
SERVER_PACKAGES = ("uvicorn", "uvloop", "httptools")
"""FastMCP requires only uvicorn; every measured server has the same event loop and HTTP parser."""
OPENAPI_MCP_GENERATOR = "openapi-mcp-generator@4.0.1"


@dataclass(frozen=True, slots=True)
class Absent:
    """The reason why a figure is missing: the tool could not be installed, or the run failed."""

    reason: str


def succeeded(run: Run) -> Run | Absent:
    """The run, or the last line of the output of a run that failed."""
    return Absent(last_line(run)) if run.failed else run


def last_line(run: Run) -> str:
    """The last error message of a failed run, short enough for a table."""
    return shorten_error(run.output) or f"exit code {run.code}"


def shorten_error(output: str) -> str:
    """The last error message of an output without paths, cut at 80 characters.

    >>> shorten_error("Traceback\\n  line 1\\nValueError: no tools in /tmp/museum.json")
    'ValueError: no tools in'
    """
    lines = re.findall(r"\b[A-Z]\w*Error: .*", output) or output.strip().splitlines()
    line = re.sub(r"/\S+|[|']|\\n", "", lines[-1]).strip(" +") if lines else ""
    return line if len(line) <= 80 else f"{line[:80].rstrip()} …"


def best_start(command: list[str | Path], folder: Path | None = None) -> ServerStart | Absent:
    """The fastest of three starts of `command PORT`."""
    try:
        starts = []
        for _ in range(3):
            port = free_port()
            starts.append(measure_start([*command, str(port)], port, folder))
    except NotReady as error:
        return Absent(shorten_error(str(error)))
    return min(starts, key=lambda start: start.ready)


def install_fastmcp(work: Path) -> Path | Absent:
    """The Python interpreter of an environment with FastMCP, installed on first use."""
    folder = work / FASTMCP
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        install: tuple[list[str | Path], ...] = (
            [sys.executable, "-m", "venv", "--clear", folder],
            [python, "-m", "pip", "install", "--quiet", FASTMCP, "pyyaml", *SERVER_PACKAGES],
        )
        for command in install:
            step = run_process(command)
            if step.failed:
                return Absent(last_line(step))
        (folder / ".ready").touch()
    return python


def fastmcp_start(work: Path, document: Path) -> ServerStart | Absent:
    """The start of a FastMCP server, which reads the document at every start."""
    python = install_fastmcp(work)
    if isinstance(python, Absent):
        return python
    return best_start([python, FASTMCP_SCRIPT, "serve", document])


def run_openapi_mcp_generator(work: Path, document: Path) -> Run | Absent:
    """The npm package writing a TypeScript project, not compiled; installed on first use."""
    command = _install_openapi_mcp_generator(work)
    if isinstance(command, Absent):
        return command
    output = work / "written" / document.stem
    options = ["--transport", "streamable-http", "--force"]
    return succeeded(best([command, "--input", document, "--output", output, *options]))


def _install_openapi_mcp_generator(work: Path) -> Path | Absent:
    """The path of the package's command."""
    npm = shutil.which("npm")
    if npm is None:
        return Absent("there is no npm")
    folder = work / OPENAPI_MCP_GENERATOR
    command = folder / "node_modules" / ".bin" / "openapi-mcp-generator"
    if not command.exists():
        folder.mkdir(parents=True, exist_ok=True)
        options = ["--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
        install = run_process([npm, "install", *options, OPENAPI_MCP_GENERATOR])
        if install.failed:
            return Absent(last_line(install))
    return command
