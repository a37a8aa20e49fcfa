"""`python -m benchmarks [SPEC ...] [--only NAME ...] [--no-peers] [--write]`: measures, prints Markdown.

`--write` puts the figures into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.documents import WORK, documents, named
from benchmarks.report import FIGURES, LONG, PAGE, Asked, measured, rewritten


def main() -> None:
    """Measures what the command line asks for, and prints or writes the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("spec", nargs="*", type=Path, help="descriptions to measure instead")
    parser.add_argument("--only", nargs="+", choices=FIGURES, help="these figures alone")
    parser.add_argument("--no-peers", action="store_true", help="measure mcpgen alone")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()

    chosen = [named(path.resolve()) for path in options.spec] or documents()
    asked = Asked(chosen, WORK, peers=not options.no_peers)
    WORK.mkdir(parents=True, exist_ok=True)
    for name in options.only or [name for name in FIGURES if name not in LONG]:
        print(f"{name} ...", file=sys.stderr, flush=True)
        figures = measured(name, asked)
        print(f"## {name}\n\n{figures}", flush=True)
        if options.write:
            page = rewritten(PAGE.read_text("utf-8"), {name: figures})
            PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
