"""`python -m benchmarks [SPEC ...] [--only NAME ...] [--no-peers] [--write]` prints figures as Markdown.

`--write` puts the figures into docs/benchmarks.md and benchmarks/phases_and_bounds.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.documents import WORK, document_at, documents
from benchmarks.report import FIGURES, LONG, ReportOptions, measure_figures, write_figure


def main() -> None:
    """Measures the chosen figures and prints or writes the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("spec", nargs="*", type=Path, help="measure these documents instead")
    parser.add_argument("--only", nargs="+", choices=FIGURES, help="measure only these figures")
    parser.add_argument("--no-peers", action="store_true", help="measure only mcpgen")
    parser.add_argument("--write", action="store_true", help="write the figures into their pages")
    arguments = parser.parse_args()

    measured_documents = [document_at(path.resolve()) for path in arguments.spec] or documents()
    options = ReportOptions(measured_documents, WORK, peers=not arguments.no_peers)
    WORK.mkdir(parents=True, exist_ok=True)
    for name in arguments.only or [name for name in FIGURES if name not in LONG]:
        print(f"{name} ...", file=sys.stderr, flush=True)
        figures = measure_figures(name, options)
        print(f"## {name}\n\n{figures}", flush=True)
        if arguments.write:
            write_figure(name, figures)


if __name__ == "__main__":
    main()
