"""What it takes to flatten every document of the corpus: `python -m benchmarks.flattening`.

Reading and parsing come before the clock starts. *flattening* is the arguments of every operation with
the checks that go with them; *lower* is the whole stage, with names, prose and scenarios.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.documents import CORPUS
from benchmarks.markdown import seconds, table
from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.lower import lower
from mcpgen.lower import tool as lower_tool
from mcpgen.lower.flatten import flatten
from mcpgen.parse import parse
from mcpgen.read import read

BOUND = 10.0
"""Seconds of the processor that the whole corpus may take."""


@dataclass(slots=True)
class Timed:
    """`flatten`, with the seconds of the processor that it took so far."""

    seconds: float = 0.0

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """What `flatten` returns."""
        before = process_time()
        made = flatten(*arguments, **keywords)
        self.seconds += process_time() - before
        return made


def lowered(path: Path) -> tuple[int, float, float]:
    """The tools of a document, and the seconds of flattening and of the whole stage."""
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics)
    api = parse(source, diagnostics) if source else None
    if api is None:
        return 0, 0.0, 0.0
    timed = Timed()
    vars(lower_tool)["flatten"] = timed
    before = process_time()
    server = lower(api, Config(keep_going=True), diagnostics)
    return len(server.tools), timed.seconds, process_time() - before


def main() -> None:
    """Prints a row for each document and the sum; fails if that is beyond the bound."""
    manifest = CORPUS / "manifest.json"
    if not manifest.exists():
        sys.exit("there is no corpus beside the project")
    rows = []
    sums = (0, 0.0, 0.0)
    for entry in json.loads(manifest.read_text("utf-8")):
        figures = lowered(CORPUS / entry["file"])
        rows.append(_row(entry["name"], figures))
        sums = (sums[0] + figures[0], sums[1] + figures[1], sums[2] + figures[2])
    print(table(("document", "tools", "flattening", "lower"), [*rows, _row("all", sums)]))
    sys.exit(sums[1] > BOUND)


def _row(name: str, figures: tuple[int, float, float]) -> tuple[str, ...]:
    tools, flattening, whole = figures
    return name, f"{tools:,}", seconds(flattening), seconds(whole)


if __name__ == "__main__":
    main()
