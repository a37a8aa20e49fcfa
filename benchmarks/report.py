"""The pages of measurements, docs/benchmarks.md and `phases_and_bounds.md` beside this module: text by
hand, figures between marks.

A figure stands between `<!-- NAME -->` and `<!-- /NAME -->`; only the text between the marks is rewritten.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL

from benchmarks import competitors, mcpgen_runs
from benchmarks.competitors import Absent
from benchmarks.documents import ROOT, MeasuredDocument
from benchmarks.markdown import NONE, decimal_size, markdown_table, seconds
from benchmarks.measure import Run, run_process
from benchmarks.servers import ServerStart

PAGES = (ROOT / "docs" / "benchmarks.md", Path(__file__).with_name("phases_and_bounds.md"))
"""The page for users, and the page for changes of mcpgen."""
PHASES = ("read", "validate", "parse", "lower", "emit", "plan", "write")
START_COLUMNS = ("ready", "first list", "list", "memory")

_FIGURE = re.compile(r"(<!-- (?P<name>[a-z]+) -->\n).*?(<!-- /(?P=name) -->)", re.DOTALL)
_MEASURED_FOLDERS = ("generator", "templates", "benchmarks")
"""Folders whose uncommitted changes are named beside the commit."""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Documents to measure, the folder for builds, and whether comparable tools are measured."""

    documents: Sequence[MeasuredDocument]
    work: Path
    peers: bool


def measure_figures(name: str, options: ReportOptions) -> str:
    """The figures of one name of `FIGURES` as Markdown, below a line about the machine."""
    return f"{_machine()}\n\n{FIGURES[name](options)}"


def rewrite(page: str, figures: Mapping[str, str]) -> str:
    """The page with new figures, keyed by name; a figure without marks in the page is left out.

    >>> rewrite("<!-- calls -->\\nold\\n<!-- /calls -->", {"calls": "new"})
    '<!-- calls -->\\nnew\\n<!-- /calls -->'
    """

    def replace(match: re.Match[str]) -> str:
        figure = figures.get(match["name"])
        return match[0] if figure is None else f"{match[1]}\n{figure}\n{match[3]}"

    return _FIGURE.sub(replace, page)


def write_figure(name: str, figure: str, pages: Iterable[Path] = PAGES) -> None:
    """Writes a figure into the page that has its marks. Raises KeyError if no page has the marks."""
    for path in pages:
        page = path.read_text("utf-8")
        if any(match["name"] == name for match in _FIGURE.finditer(page)):
            path.write_text(rewrite(page, {name: figure}), encoding="utf-8")
            return
    raise KeyError(f"no page has marks for {name}")


def _measure_phases(options: ReportOptions) -> str:
    """A row per document: a cold build, phase by phase."""
    head = ("document", "first file", "tools", *PHASES, "total", "memory", "written")
    rows = [
        [
            document.name,
            decimal_size(document.size),
            *_phase_cells(mcpgen_runs.phase_run(document, options.work)),
        ]
        for document in options.documents
    ]
    return markdown_table(head, rows)


def _phase_cells(build: mcpgen_runs.PhaseRun | Absent) -> list[str]:
    if isinstance(build, Absent):
        return [build.reason, *[NONE] * (len(PHASES) + 3)]
    facts = build.facts
    return [
        f"{facts['tools']:,}",
        *(seconds(facts["seconds"].get(phase, 0)) for phase in PHASES),
        seconds(build.run.seconds),
        decimal_size(build.run.peak),
        f"{facts['files']:,} files, {decimal_size(facts['bytes'])}",
    ]


def _measure_commands(options: ReportOptions) -> str:
    """A row per document: builds, and the start of the generated server."""
    head = ("document", "build", "unchanged", "checked", "build memory")
    rows = [_command_cells(document, options.work) for document in options.documents]
    rows_table = markdown_table((*head, *START_COLUMNS[:3], "server memory"), rows)
    return f"{rows_table}\n`mcpgen --help`: {seconds(mcpgen_runs.show_help().seconds)}\n"


def _command_cells(document: MeasuredDocument, work: Path) -> list[str]:
    cold = mcpgen_runs.cold_build(document, work)
    builds = [
        cold,
        mcpgen_runs.repeated_build(document, work),
        mcpgen_runs.verified_build(document, work),
    ]
    memory = decimal_size(cold.peak) if isinstance(cold, Run) else NONE
    start = mcpgen_runs.server_start(document, work)
    return [document.name, *map(duration_cell, builds), memory, *_start_cells(start)]


def _measure_peers(options: ReportOptions) -> str:
    """A row per document: the starts of both servers, and a build by another generator."""
    if not options.peers:
        return ""
    head = ("document", *(f"mcpgen {name}" for name in START_COLUMNS))
    head += (*(f"FastMCP {name}" for name in START_COLUMNS), "openapi-mcp-generator writes")
    rows = []
    for document in options.documents:
        mcpgen_runs.cold_build(document, options.work)
        cells = [
            *_start_cells(mcpgen_runs.server_start(document, options.work)),
            *_start_cells(competitors.fastmcp_start(options.work, document.path)),
        ]
        build = competitors.run_openapi_mcp_generator(options.work, document.path)
        rows.append([document.name, *cells, duration_cell(build)])
    names = f"{competitors.FASTMCP}, {competitors.OPENAPI_MCP_GENERATOR}"
    return f"{names}\n\n{markdown_table(head, rows)}"


def duration_cell(run: Run | Absent) -> str:
    """The wall time of a run, or the reason of its absence."""
    return run.reason if isinstance(run, Absent) else seconds(run.seconds)


def _start_cells(start: ServerStart | Absent) -> list[str]:
    """Cells in the order of `START_COLUMNS`."""
    if isinstance(start, Absent):
        return [start.reason, NONE, NONE, NONE]
    return [
        seconds(start.ready),
        seconds(start.listed),
        f"{decimal_size(start.size)}, {start.tools:,} tools",
        decimal_size(start.peak),
    ]


def _program(name: str, *arguments: str, peers: bool = False) -> Callable[[ReportOptions], str]:
    """The output of another benchmark module; `peers` for a module that knows `--no-peers`.

    The exit code is not looked at: a module whose figures exceed a bound prints the figures and fails.
    Output without a table is shown as a block of text.
    """

    def figures(options: ReportOptions) -> str:
        flags = ["--no-peers"] if peers and not options.peers else []
        command = [sys.executable, "-m", f"benchmarks.{name}", *arguments, *flags]
        text = run_process(command, ROOT).output.strip()
        return f"{text}\n" if "| ---" in text else f"```text\n{text}\n```\n"

    return figures


FIGURES: Mapping[str, Callable[[ReportOptions], str]] = {
    "phases": _measure_phases,
    "commands": _measure_commands,
    "serve": _program("serve", peers=True),
    "starts": _program("cold_start"),
    "install": _program("install", peers=True),
    "peers": _measure_peers,
    "builds": _program("builds", peers=True),
    "calls": _program("calls"),
    "flattening": _program("flattening"),
    "checks": _program("checks"),
    "serving": _program("serving", peers=True),
    "capacity": _program("capacity"),
    "soak": _program("soak", "--minutes", "10"),
}
"""Functions that measure a figure and return Markdown, in the order of measurement."""

LONG = {"soak"}
"""Figures that are measured only if `--only` names them."""


def _machine() -> str:
    """System, cores, Python, load, and commit in one line."""
    load = f"load {os.getloadavg()[0]:.1f} before" if hasattr(os, "getloadavg") else "load unknown"
    commit = _git("rev-parse", "--short", "HEAD") or "no commit"
    changes_text = " and changes" if _git("status", "--porcelain", *_MEASURED_FOLDERS) else ""
    python = f"Python {platform.python_version()}"
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {python}"
    return f"*{system}; {load}; {commit}{changes_text}*"


def _git(*arguments: str) -> str:
    """The output of git; empty without git or outside a checkout."""
    try:
        output = subprocess.check_output(["git", *arguments], cwd=ROOT, text=True, stderr=DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return output.strip()
