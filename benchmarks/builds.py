"""What builds cost: `python -m benchmarks.builds [--scale N ...] [--no-peers]` prints the tables.

Cold, from YAML, unchanged, with one operation changed, checked; small ones and the help; a description
of Microsoft Graph's shape at several sizes; and what one would pick instead. Wall time, seconds of the
processors of all processes, and the most memory that they held together.
"""

from __future__ import annotations

import argparse
import compileall
import json
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import competitors, mcpgen_runs
from benchmarks.competitors import Absent, last_line
from benchmarks.documents import CORPUS, ROOT, WORK, Document
from benchmarks.graph_like import document as graph_like
from benchmarks.markdown import seconds, size, table
from benchmarks.measure import Run, run

SCALE = (100, 1_000, 10_000, 20_000, 22_000)
LARGE = Document("github", CORPUS / "github.json")
SMALL = Document("petstore", CORPUS / "petstore-v3.yaml")
HEAD = ("build", "wall", "processor", "memory", "goal")
SCALE_HEAD = ("operations", "description", "wall", "processor", "per operation", "memory")

Row = tuple[str, Run | Absent, str]
"""What was run, what it took, and the goal."""


def main() -> None:
    """Prints what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.builds", description=__doc__)
    parser.add_argument("--scale", nargs="*", type=int, default=SCALE, help="sizes to measure")
    parser.add_argument("--no-peers", action="store_true", help="measure mcpgen alone")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    # As an installer does it; a checkout may be run where Python writes no bytecode.
    for folder in (ROOT / "generator", sysconfig.get_path("purelib")):
        compileall.compile_dir(folder, quiet=2)

    rows = [_cells(row) for row in _builds(WORK)]
    print(table(HEAD, rows))
    if not options.no_peers:
        print(table(("instead", "wall"), [_peer_cells(*each) for each in _instead(WORK)]))
    if options.scale:
        print(table(SCALE_HEAD, [_scaled(count, WORK) for count in options.scale]))


def _builds(work: Path) -> Iterator[Row]:
    """The builds of the large document, of a small one, and the help."""
    if LARGE.path.exists():
        yield "GitHub, 1,223 operations, cold", mcpgen_runs.cold_build(LARGE, work), "6 s, 500 MB"
        yield "nothing changed", mcpgen_runs.unchanged_build(LARGE, work), "0.8 s"
        yield "one operation changed", _changed(LARGE, work), "1.2 s"
        yield "from YAML, cold", mcpgen_runs.cold_build(_as_yaml(LARGE, work), work), "6 s"
        yield "cold and checked", mcpgen_runs.checked_build(LARGE, work), "15 s for the check"
    if SMALL.path.exists():
        yield "petstore, 19 operations, cold", mcpgen_runs.cold_build(SMALL, work), "1.5 s"
    yield "`mcpgen --help`", mcpgen_runs.show_help(), "0.2 s"


def _changed(document: Document, work: Path) -> Run | Absent:
    """A build after the summary of one operation was changed, in the folder of the cold one."""
    tree = json.loads(document.path.read_text("utf-8"))
    copy = Document(f"{document.name}-changed", work / f"{document.name}-changed.json")
    copy.path.write_text(json.dumps(tree), encoding="utf-8")
    first = mcpgen_runs.cold_build(copy, work)
    if isinstance(first, Absent):
        return first
    operation = next(iter(next(iter(tree["paths"].values())).values()))
    operation["summary"] = "Say something else"
    copy.path.write_text(json.dumps(tree), encoding="utf-8")
    made = run(mcpgen_runs.build(copy, mcpgen_runs.project(copy, work)))
    return Absent(last_line(made)) if made.failed else made


def _as_yaml(document: Document, work: Path) -> Document:
    """The same description written as YAML. PyYAML writes YAML 1.1, so texts that YAML 1.2 would read as
    numbers are quoted."""
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """Writes texts that begin like numbers in quotes."""

        def represent_str(self, text: str) -> Any:
            style = "'" if text[:1] in set("+-.0123456789") else None
            return self.represent_scalar("tag:yaml.org,2002:str", text, style)

    Dumper.add_representer(str, Dumper.represent_str)
    path = work / f"{document.name}.yaml"
    tree = json.loads(document.path.read_text("utf-8"))
    path.write_text(yaml.dump(tree, Dumper=Dumper, sort_keys=False), encoding="utf-8")
    return Document(f"{document.name}-yaml", path)


def _instead(work: Path) -> Iterator[tuple[str, Run | Absent]]:
    """What others take for the large document."""
    if not LARGE.path.exists():
        return
    command = competitors.openapi_mcp_generator(work)
    written = (
        command
        if isinstance(command, Absent)
        else competitors.openapi_mcp_generator_write(command, LARGE.path, work)
    )
    yield f"{competitors.OPENAPI_MCP_GENERATOR} writes TypeScript, not compiled", written
    python = competitors.fastmcp(work)
    if isinstance(python, Absent):
        yield competitors.FASTMCP, python
        return
    started = competitors.fastmcp_start(python, LARGE.path)
    yield (
        f"{competitors.FASTMCP} reads it at every start",
        started if isinstance(started, Absent) else Run(started.ready, 0, 0, 0, ""),
    )


def _scaled(count: int, work: Path) -> Sequence[str]:
    """A cold build of a description of so many operations."""
    path = work / f"graph-like-{count}.json"
    path.write_text(json.dumps(graph_like(count), indent=1), encoding="utf-8")
    made = mcpgen_runs.cold_build(Document(path.stem, path), work)
    if isinstance(made, Absent):
        return (f"{count:,}", size(path.stat().st_size), made.reason, "–", "–", "–")
    each = f"{made.processor / count * 1000:.2f} ms"
    taken = (seconds(made.seconds), seconds(made.processor), each, size(made.peak))
    return (f"{count:,}", size(path.stat().st_size), *taken)


def _cells(row: Row) -> Sequence[str]:
    name, made, goal = row
    if isinstance(made, Absent):
        return (name, made.reason, "–", "–", goal)
    return (name, seconds(made.seconds), seconds(made.processor), size(made.peak), goal)


def _peer_cells(name: str, made: Run | Absent) -> Sequence[str]:
    return (name, made.reason if isinstance(made, Absent) else seconds(made.seconds))


if __name__ == "__main__":
    main()
