"""Measures `mcpgen serve`: `python -m benchmarks.serve [--no-peers]` prints a table.

Seconds from the start of the process until the port accepts connections, the fastest of three starts, for
documents with 8 and 32 operations and for GitHub's, beside FastMCP's `from_openapi`, which also reads
the document at every start.
"""

from __future__ import annotations

import argparse
import compileall
import sysconfig
from pathlib import Path

from benchmarks.competitors import Absent, best_start, fastmcp_start
from benchmarks.documents import CORPUS, ROOT, WORK, MeasuredDocument
from benchmarks.markdown import markdown_table
from benchmarks.mcpgen_runs import MCPGEN
from benchmarks.servers import ServerStart

DOCUMENTS = (
    (MeasuredDocument("museum", CORPUS / "museum.yaml"), "1.0 s"),
    (MeasuredDocument("jupyter-server", CORPUS / "jupyter-server.yaml"), "1.0 s"),
    (MeasuredDocument("github", CORPUS / "github.json"), "2.5 s"),
)
"""The measured documents, with the goals."""

HEAD = ("document", "tools", "mcpgen serve", "goal", "FastMCP", "ratio")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serve", description=__doc__)
    parser.add_argument("--no-peers", action="store_true", help="measure only mcpgen")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    # An installer compiles bytecode; a checkout may run with PYTHONDONTWRITEBYTECODE.
    for folder in (ROOT / "generator", ROOT / "runtime", sysconfig.get_path("purelib")):
        compileall.compile_dir(folder, quiet=2)
    rows = [_document_row(document, goal, options.no_peers) for document, goal in DOCUMENTS]
    print(markdown_table(HEAD, [row for row in rows if row]))


def serve_start(document: MeasuredDocument) -> ServerStart | Absent:
    """The start of `mcpgen serve` of a document."""
    command: list[str | Path] = [*MCPGEN, "serve", document.path, "--keep-going"]
    return best_start([*command, "--upstream", "http://127.0.0.1:9", "--port"])


def _document_row(document: MeasuredDocument, goal: str, no_peers: bool) -> tuple[str, ...]:
    """The cells of a document; empty without the corpus."""
    if not document.path.exists():
        return ()
    start = serve_start(document)
    if isinstance(start, Absent):
        return document.name, start.reason, "", goal, "", ""
    peer = Absent("not measured") if no_peers else fastmcp_start(WORK, document.path)
    cells = document.name, f"{start.tools:,}", f"{start.ready:.2f} s", goal
    if isinstance(peer, Absent):
        return *cells, peer.reason, ""
    return *cells, f"{peer.ready:.2f} s", f"{start.ready / peer.ready:.2f}"


if __name__ == "__main__":
    main()
