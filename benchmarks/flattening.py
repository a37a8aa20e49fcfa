"""Measures the lowering of every document of the corpus: `python -m benchmarks.flattening`.

Reading and parsing are not measured. *flattening* makes and checks the arguments of every operation; *lower*
is the whole stage with names, descriptions and scenarios.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.documents import require_corpus
from benchmarks.markdown import markdown_table, seconds
from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.lower import lower
from mcpgen.lower import tool as lower_tool
from mcpgen.lower.flatten import flatten
from mcpgen.parse import parse
from mcpgen.read import read

BOUND = 10.0
"""Processor seconds of flattening for the whole corpus."""

SLOWEST = 5
"""Documents with a row of their own."""


@dataclass(slots=True)
class TimedFlatten:
    """`flatten`, with the processor seconds of all calls."""

    seconds: float = 0.0

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Calls `flatten` and adds the time."""
        start = process_time()
        result = flatten(*arguments, **keywords)
        self.seconds += process_time() - start
        return result


def measure_lowering(path: Path) -> tuple[int, float, float]:
    """Number of tools, processor seconds of flattening, and processor seconds of the whole stage."""
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics)
    api = parse(source, diagnostics) if source else None
    if api is None:
        return 0, 0.0, 0.0
    timed_flatten = TimedFlatten()
    vars(lower_tool)["flatten"] = timed_flatten
    start = process_time()
    server = lower(api, Config(keep_going=True), diagnostics)
    return len(server.tools), timed_flatten.seconds, process_time() - start


def main() -> None:
    """Prints the slowest documents and the sum of all; fails if the sum exceeds the bound."""
    figures = {name: measure_lowering(path) for name, path in require_corpus().items()}
    tools, flattening, lowering_seconds = (
        sum(column) for column in zip(*figures.values(), strict=True)
    )
    slowest = sorted(figures, key=lambda name: -figures[name][1])[:SLOWEST]
    output = {name: figures[name] for name in slowest}
    output[f"all {len(figures)}"] = (int(tools), flattening, lowering_seconds)
    rows = [
        (name, f"{tools:,}", seconds(flattening), seconds(lowering_seconds))
        for name, (tools, flattening, lowering_seconds) in output.items()
    ]
    print(markdown_table(("document", "tools", "flattening", "lower"), rows))
    sys.exit(flattening > BOUND)


if __name__ == "__main__":
    main()
