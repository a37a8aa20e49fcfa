"""The tables about a list of descriptions: phases, commands, and what one would pick instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks import competitors as others
from benchmarks import mcpgen_runs
from benchmarks.competitors import Absent
from benchmarks.documents import Document
from benchmarks.markdown import seconds, size, table
from benchmarks.mcpgen_runs import Line
from benchmarks.measure import Run
from benchmarks.servers import Start

PHASES = ("read", "validate", "parse", "lower", "emit", "plan", "write")
STARTED = ("ready", "first list", "list", "memory")
NONE = "–"


def phases(documents: Sequence[Document], work: Path) -> str:
    """A cold build of each, stage by stage."""
    head = ("document", "first file", "tools", *PHASES, "total", "memory", "written")
    rows = [
        [document.name, size(document.size), *_phase_cells(mcpgen_runs.line(document, work))]
        for document in documents
    ]
    return table(head, rows)


def _phase_cells(made: Line | Absent) -> list[str]:
    """The cells of one document's phases."""
    if isinstance(made, Absent):
        return [made.reason, *[NONE] * (len(PHASES) + 3)]
    taken = made.facts["seconds"]
    written = f"{made.facts['files']:,} files, {size(made.facts['bytes'])}"
    return [
        f"{made.facts['tools']:,}",
        *(seconds(taken.get(phase, 0)) for phase in PHASES),
        seconds(made.run.seconds),
        size(made.run.peak),
        written,
    ]


def commands(documents: Sequence[Document], work: Path) -> str:
    """What the commands take, and the server that they make."""
    head = ("document", "build", "unchanged", "checked", "build memory")
    rows = [_command_cells(document, work) for document in documents]
    shown = table((*head, *STARTED[:3], "server memory"), rows)
    return f"{shown}\n`mcpgen --help`: {seconds(mcpgen_runs.show_help().seconds)}\n"


def _command_cells(document: Document, work: Path) -> list[str]:
    """The cells of one document's commands."""
    cold = mcpgen_runs.cold_build(document, work)
    builds = [
        cold,
        mcpgen_runs.unchanged_build(document, work),
        mcpgen_runs.checked_build(document, work),
    ]
    memory = size(cold.peak) if isinstance(cold, Run) else NONE
    started = mcpgen_runs.server_start(document, work)
    return [document.name, *map(_took, builds), memory, *_start_cells(started)]


def peers(documents: Sequence[Document], work: Path) -> str:
    """The servers, ours and theirs, and what writing takes another generator."""
    python, command = others.fastmcp(work), others.openapi_mcp_generator(work)
    head = ("document", *(f"mcpgen {name}" for name in STARTED))
    head += (*(f"FastMCP {name}" for name in STARTED), "openapi-mcp-generator writes")
    rows = []
    for document in documents:
        mcpgen_runs.cold_build(document, work)
        starts = [mcpgen_runs.server_start(document, work)]
        starts += [
            python if isinstance(python, Absent) else others.fastmcp_start(python, document.path)
        ]
        written = (
            command
            if isinstance(command, Absent)
            else others.openapi_mcp_generator_write(command, document.path, work)
        )
        cells = [cell for start in starts for cell in _start_cells(start)]
        rows.append([document.name, *cells, _took(written)])
    return f"{others.FASTMCP}, {others.OPENAPI_MCP_GENERATOR}\n\n{table(head, rows)}"


def _took(made: Run | Absent) -> str:
    """How long it took, or why there is no figure."""
    return made.reason if isinstance(made, Absent) else seconds(made.seconds)


def _start_cells(started: Start | Absent) -> list[str]:
    """Ready, first list, its bytes, memory."""
    if isinstance(started, Absent):
        return [started.reason, NONE, NONE, NONE]
    return [
        seconds(started.ready),
        seconds(started.listed),
        f"{size(started.size)}, {started.tools:,} tools",
        size(started.peak),
    ]
