"""The page of measurements: docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import own, peers
from benchmarks.documents import ROOT, Document
from benchmarks.measure import Run, run
from benchmarks.own import Line
from benchmarks.peers import Absent
from benchmarks.servers import Start
from benchmarks.table import seconds, size, table

PHASES = ("read", "validate", "parse", "lower", "emit", "plan", "write")
NONE = "–"

INTRODUCTION = """\
# Benchmarks

Made by `make bench` (`python -m benchmarks SPEC ...` measures your own description, `--write` writes this page) in one
run on one machine:
{machine}

Times are wall time in processes of their own; memory is the peak of what all processes of a command hold together. Take
the ratios rather than the absolute figures.
"""

PHASE_NOTE = """\
A cold build without the check, stage by stage. *validate* is openapi-spec-validator, as far as `build` runs it for a
document of that size; *total* is the whole process, the interpreter's start included.
"""

COMMAND_NOTE = """\
The commands as a user runs them. *unchanged* is a second build with nothing to do, *checked* a first build that ends by
starting the server and checking it, *ready* the generated server from its start until it accepts connections with all
its tools, *first list* the first tools/list after that.
"""

PEER_NOTE = """\
The same descriptions with what one would pick instead, installed by the benchmark: FastMCP {fastmcp} reads the description
at every start of the server; openapi-mcp-generator {npm} writes a TypeScript project, which has to be compiled before it
can start (not measured here). A cell says why where a peer did not cope.
"""

BOUND_NOTE = """\
Questions that have a bound, each answered by a command of its own that fails beyond it. They count seconds of the
processor, or where a server is asked, of the clock. `python -m benchmarks.calls` takes a tool with five parameters and one with a JSON body of twelve fields from
their arguments to the request as it goes on the wire; `python -m benchmarks.flattening` flattens every document of the
corpus, which may take 10 s in all; `python -m benchmarks.checks` makes every check but those of latency on a server with
fifty tools, all of which are called, and judges a saved list of two thousand for every host. `python -m benchmarks.size` weighs
the tools/list of every document of the corpus; that of GitHub's 1,223 tools may have 900 kB.
"""

ANSWERING_NOTE = """\
What a request costs a server in microseconds of the processor, its system's calls included (`python -m benchmarks.serving`): the
least of some rounds in which all servers take turns, each a process with uvicorn, uvloop and httptools. The bound is bare ASGI
and orjson without a look at headers or arguments; the tuned SDK is its low-level server that answers with JSON, knows schemas
without listing and validates with compiled validators; FastMCP is made from a description. Requests are of revision 2026-07-28.
`python -m benchmarks.capacity` asks how a server starts, what it holds and what more processes bring, `python -m
benchmarks.soak` whether it gives back what it took before an API with faults.

What bounds each row now:

| row | bounded by |
| --- | --- |
| tools/list | writing the answer to the socket; the list itself is encoded when the server starts |
| tools/call, trivial | uvicorn and the socket for a third; then parsing the request once, the two walks from gate to gate, the call as a task |
| tools/call through an upstream | aiohttp's client for two fifths, two more writes and reads; then the request and the answer made by the plan |
| tools/list, 1,000 tools | copying a megabyte into the socket |
| tools/call, 1,000 tools | the same as with 50: nothing looks at all tools |
| the start | importing the SDK, which brings pydantic models of every revision |
"""


def page(
    documents: Sequence[Document], work: Path, *, peers: bool, tell: Callable[[str], None]
) -> str:
    """The measurements of the documents as one Markdown page."""
    work.mkdir(parents=True, exist_ok=True)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
    machine += f"Python {platform.python_version()}."
    parts = [INTRODUCTION.format(machine=machine), "\n## Phases\n\n", PHASE_NOTE, "\n"]
    parts += [_phases(documents, work, tell), "\n## Commands\n\n", COMMAND_NOTE, "\n"]
    starts, table_of_commands = _commands(documents, work, tell)
    parts += [table_of_commands, f"\n`mcpgen --help`: {seconds(own.show_help().seconds)}\n"]
    if peers:
        parts += ["\n## Beside the others\n\n", _peers(documents, starts, work, tell)]
    parts += ["\n## Bounds\n\n", BOUND_NOTE, "\n", _bounds(tell)]
    parts += ["\n## Answering\n\n", ANSWERING_NOTE, "\n", _answering(tell, peers=peers)]
    return "".join(parts)


def _bounds(tell: Callable[[str], None]) -> str:
    """What the benchmarks with a bound print."""
    tell("calls, flattening and checks")
    calls, flattening, checks = (
        run([sys.executable, "-m", f"benchmarks.{name}"], ROOT).output.strip()
        for name in ("calls", "flattening", "checks")
    )
    return f"```text\n{calls}\n```\n\n{flattening}\n\n{checks}\n"


def _answering(tell: Callable[[str], None], *, peers: bool) -> str:
    """What the benchmarks of servers print."""
    tell("serving and capacity")
    commands = (["serving", *([] if peers else ["--no-peers"])], ["capacity"])
    found = (
        run([sys.executable, "-m", f"benchmarks.{name}", *rest], ROOT) for name, *rest in commands
    )
    return "\n".join(one.output.strip() + "\n" for one in found)


def _phases(documents: Sequence[Document], work: Path, tell: Callable[[str], None]) -> str:
    """The table of phases."""
    head = ("document", "first file", "tools", *PHASES, "total", "memory", "written")
    rows = []
    for document in documents:
        tell(f"{document.name}: phases")
        made = own.line(document, work)
        rows.append([document.name, size(document.size), *_phase_cells(made)])
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


def _commands(
    documents: Sequence[Document], work: Path, tell: Callable[[str], None]
) -> tuple[dict[str, Start | Absent], str]:
    """The starts of the generated servers by document, and the table of commands."""
    starts: dict[str, Start | Absent] = {}
    rows = []
    for document in documents:
        tell(f"{document.name}: commands")
        builds = [
            one(document, work) for one in (own.cold_build, own.unchanged_build, own.checked_build)
        ]
        starts[document.name] = started = own.server_start(document, work)
        memory = builds[0].peak if isinstance(builds[0], Run) else None
        rows.append(
            [
                document.name,
                *map(_took, builds),
                size(memory) if memory else NONE,
                *_start_cells(started),
            ]
        )
    head = ("document", "build", "unchanged", "checked", "build memory")
    return starts, table((*head, "ready", "first list", "list", "server memory"), rows)


def _peers(
    documents: Sequence[Document],
    starts: dict[str, Start | Absent],
    work: Path,
    tell: Callable[[str], None],
) -> str:
    """The note and the table of the servers, ours and theirs, and of the writing."""
    tell("installing FastMCP")
    python = peers.fastmcp(work)
    tell("installing openapi-mcp-generator")
    command = peers.openapi_mcp_generator(work)
    rows = []
    for document in documents:
        tell(f"{document.name}: peers")
        theirs = (
            python if isinstance(python, Absent) else peers.fastmcp_start(python, document.path)
        )
        written = (
            command
            if isinstance(command, Absent)
            else peers.openapi_mcp_generator_write(command, document.path, work)
        )
        ours = starts[document.name]
        rows.append([document.name, *_start_cells(ours), *_start_cells(theirs), _took(written)])
    columns = ("ready", "first list", "list", "memory")
    head = ("document", *(f"mcpgen {name}" for name in columns))
    head += (*(f"FastMCP {name}" for name in columns), "openapi-mcp-generator writes")
    note = PEER_NOTE.format(
        fastmcp=peers.FASTMCP.partition("==")[2], npm=peers.OPENAPI_MCP_GENERATOR.partition("@")[2]
    )
    return f"{note}\n{table(head, rows)}"


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
