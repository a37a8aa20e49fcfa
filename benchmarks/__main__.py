"""`python -m benchmarks [SPEC ...] [--no-peers] [--write]`: measures, and prints Markdown."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.documents import ROOT, documents, named
from benchmarks.report import page

WORK = ROOT / "benchmarks" / ".work"


def main() -> None:
    """Measures what the command line asks for, and prints or writes the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("spec", nargs="*", type=Path, help="descriptions to measure instead")
    parser.add_argument("--no-peers", action="store_true", help="measure mcpgen alone")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()

    chosen = [named(path.resolve()) for path in options.spec] or documents()
    text = page(chosen, WORK, peers=not options.no_peers, tell=_tell)
    print(text)
    if options.write:
        (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


def _tell(step: str) -> None:
    """What is being measured, to whoever waits."""
    print(f"{step} ...", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
