"""What one would pick instead, installed into `.work` and measured the same way."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Run, best, run
from benchmarks.servers import NotReady, Start, free_port, start

FASTMCP = "fastmcp==4.1.2"
OPENAPI_MCP_GENERATOR = "openapi-mcp-generator@4.0.1"


@dataclass(frozen=True, slots=True)
class Absent:
    """A peer that could not be installed or did not cope, and why."""

    reason: str


def fastmcp(work: Path) -> Path | Absent:
    """The interpreter of an environment that holds FastMCP, made on first use."""
    folder = work / FASTMCP
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        install: tuple[list[str | Path], ...] = (
            [sys.executable, "-m", "venv", "--clear", folder],
            [python, "-m", "pip", "install", "--quiet", FASTMCP, "pyyaml", "uvicorn"],
        )
        for step in install:
            made = run(step)
            if made.failed:
                return Absent(last_line(made))
        (folder / ".ready").touch()
    return python


def fastmcp_start(python: Path, spec: Path, times: int = 3) -> Start | Absent:
    """FastMCP serving the description: it reads it again at every start."""
    script = Path(__file__).with_name("fastmcp_server.py")
    return best_start([python, script, spec], times)


def best_start(command: list[str | Path], times: int, folder: Path | None = None) -> Start | Absent:
    """The fastest of several starts; the port is the command's last argument."""
    try:
        starts = []
        for _ in range(times):
            port = free_port()
            starts.append(start([*command, str(port)], port, folder))
    except NotReady as error:
        return Absent(shortened(str(error)))
    return min(starts, key=lambda one: one.ready)


def openapi_mcp_generator(work: Path) -> Path | Absent:
    """The npm package's command, installed on first use."""
    npm = shutil.which("npm")
    if npm is None:
        return Absent("there is no npm")
    folder = work / OPENAPI_MCP_GENERATOR
    command = folder / "node_modules" / ".bin" / "openapi-mcp-generator"
    if not command.exists():
        folder.mkdir(parents=True, exist_ok=True)
        options = ["--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
        made = run([npm, "install", *options, OPENAPI_MCP_GENERATOR])
        if made.failed:
            return Absent(last_line(made))
    return command


def openapi_mcp_generator_write(command: Path, spec: Path, work: Path) -> Run | Absent:
    """The package writing its TypeScript project, not yet compiled."""
    output = work / "written" / spec.stem
    options = ["--transport", "streamable-http", "--force"]
    made = best([command, "--input", spec, "--output", output, *options])
    return Absent(last_line(made)) if made.failed else made


def last_line(made: Run) -> str:
    """The last thing a failed command said."""
    return shortened(made.output) or f"exit code {made.code}"


def shortened(output: str) -> str:
    """What a failure said last, without paths, short enough for a cell of a table."""
    lines = re.findall(r"\b[A-Z]\w*Error: .*", output) or output.strip().splitlines()
    line = re.sub(r"/\S+|[|']|\\n", "", lines[-1]).strip(" +") if lines else ""
    return line if len(line) <= 80 else f"{line[:80].rstrip()} …"
