"""Measures builds: `python -m benchmarks.builds [--scale N ...] [--no-peers]` prints tables.

GitHub's document cold, from YAML, unchanged, with one changed operation, and verified; a small document;
`--help`; documents like Microsoft Graph's of several sizes; other generators. Figures are wall time,
processor seconds of all processes, and the peak of the memory of all processes together.
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
from benchmarks.competitors import Absent, succeeded
from benchmarks.documents import CORPUS, ROOT, WORK, MeasuredDocument
from benchmarks.graph_like import graph_document
from benchmarks.markdown import NONE, decimal_size, markdown_table, seconds
from benchmarks.measure import Run, run_process
from benchmarks.report import duration_cell

SCALE = (100, 1_000, 10_000, 20_000, 22_000)
LARGE = MeasuredDocument("github", CORPUS / "github.json")
SMALL = MeasuredDocument("petstore", CORPUS / "petstore-v3.yaml")
HEAD = ("build", "wall", "processor", "memory", "goal")
SCALE_HEAD = ("operations", "description", "wall", "processor", "per operation", "memory")

BuildRow = tuple[str, Run | Absent, str]
"""Name, figures, and goal."""


def main() -> None:
    """Prints the tables of builds, other tools, and sizes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.builds", description=__doc__)
    parser.add_argument("--scale", nargs="*", type=int, default=SCALE, help="sizes to measure")
    parser.add_argument("--no-peers", action="store_true", help="measure only mcpgen")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    # An installer compiles bytecode; a checkout may run with PYTHONDONTWRITEBYTECODE.
    for folder in (ROOT / "generator", sysconfig.get_path("purelib")):
        compileall.compile_dir(folder, quiet=2)

    print(markdown_table(HEAD, [_build_cells(row) for row in _builds(WORK)]))
    if not options.no_peers:
        peers = [(name, duration_cell(figures)) for name, figures in _peers(WORK)]
        print(markdown_table(("instead", "wall"), peers))
    if options.scale:
        print(markdown_table(SCALE_HEAD, [_scale_cells(count, WORK) for count in options.scale]))


def _builds(work: Path) -> Iterator[BuildRow]:
    if LARGE.path.exists():
        yield "GitHub, 1,223 operations, cold", mcpgen_runs.cold_build(LARGE, work), "4 s, 500 MB"
        yield "nothing changed", mcpgen_runs.repeated_build(LARGE, work), "0.8 s"
        yield "one operation changed", _build_after_change(LARGE, work), "1.2 s"
        yield "from YAML, cold", mcpgen_runs.cold_build(_as_yaml(LARGE, work), work), "6 s"
        yield "cold and checked", mcpgen_runs.verified_build(LARGE, work), "15 s for the check"
    if SMALL.path.exists():
        yield "petstore, 19 operations, cold", mcpgen_runs.cold_build(SMALL, work), "1.0 s"
    yield "`mcpgen --help`", mcpgen_runs.show_help(), "0.2 s"


def _build_after_change(document: MeasuredDocument, work: Path) -> Run | Absent:
    """A build after a cold build and a change of one operation's summary."""
    tree = json.loads(document.path.read_text("utf-8"))
    copy = MeasuredDocument(f"{document.name}-changed", work / f"{document.name}-changed.json")
    copy.path.write_text(json.dumps(tree), encoding="utf-8")
    cold = mcpgen_runs.cold_build(copy, work)
    if isinstance(cold, Absent):
        return cold
    operation = next(iter(next(iter(tree["paths"].values())).values()))
    operation["summary"] = "Say something else"
    copy.path.write_text(json.dumps(tree), encoding="utf-8")
    folder = mcpgen_runs.project_folder(copy, work)
    return succeeded(run_process(mcpgen_runs.build_command(copy, folder)))


def _as_yaml(document: MeasuredDocument, work: Path) -> MeasuredDocument:
    """A copy of a JSON document as YAML. PyYAML writes YAML 1.1, so texts that YAML 1.2 would read as
    numbers are quoted."""
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """Quotes texts that begin like numbers."""

        def represent_str(self, text: str) -> Any:
            style = "'" if text[:1] in set("+-.0123456789") else None
            return self.represent_scalar("tag:yaml.org,2002:str", text, style)

    Dumper.add_representer(str, Dumper.represent_str)
    path = work / f"{document.name}.yaml"
    tree = json.loads(document.path.read_text("utf-8"))
    path.write_text(yaml.dump(tree, Dumper=Dumper, sort_keys=False), encoding="utf-8")
    return MeasuredDocument(f"{document.name}-yaml", path)


def _peers(work: Path) -> Iterator[tuple[str, Run | Absent]]:
    """Figures of other tools for the large document."""
    if not LARGE.path.exists():
        return
    generator_run = competitors.run_openapi_mcp_generator(work, LARGE.path)
    yield f"{competitors.OPENAPI_MCP_GENERATOR} writes TypeScript, not compiled", generator_run
    start = competitors.fastmcp_start(work, LARGE.path)
    if isinstance(start, Absent):
        yield competitors.FASTMCP, start
    else:
        yield f"{competitors.FASTMCP} reads it at every start", Run(start.ready, 0, 0, 0, "")


def _scale_cells(operations: int, work: Path) -> Sequence[str]:
    """The row of a cold build of a made-up document with this number of operations."""
    path = work / f"graph-like-{operations}.json"
    path.write_text(json.dumps(graph_document(operations), indent=1), encoding="utf-8")
    build = mcpgen_runs.cold_build(MeasuredDocument(path.stem, path), work)
    cells = (f"{operations:,}", decimal_size(path.stat().st_size))
    if isinstance(build, Absent):
        return (*cells, build.reason, NONE, NONE, NONE)
    per_operation = f"{build.processor / operations * 1000:.2f} ms"
    figures = (
        seconds(build.seconds),
        seconds(build.processor),
        per_operation,
        decimal_size(build.peak),
    )
    return (*cells, *figures)


def _build_cells(row: BuildRow) -> Sequence[str]:
    name, build, goal = row
    if isinstance(build, Absent):
        return (name, build.reason, NONE, NONE, goal)
    return (name, seconds(build.seconds), seconds(build.processor), decimal_size(build.peak), goal)


if __name__ == "__main__":
    main()
