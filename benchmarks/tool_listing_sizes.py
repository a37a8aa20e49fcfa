"""One API in three sizes: `python -m benchmarks.tool_listing_sizes`.

GitHub's and Stripe's descriptions, each with all tools listed, with those that a short configuration
chooses (`docs/examples`), and with tools that are found by asking: how many tools the list has, its
bytes, the most cautious estimate of its tokens, and what the hosts that mcpgen knows do with it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.documents import CORPUS, ROOT, Document, documents
from benchmarks.markdown import size, table
from mcpgen.analysis.report import HostVerdict, survey
from mcpgen.pipeline import BuildOptions, load_tools

NAMES = ("github", "stripe")
HEAD = ("document", "surface", "tools", "tools/list", "≈ tokens", "take it", "in part", "refuse it")


def row(document: Document, surface: str, config: str) -> tuple[str, ...]:
    """What is announced of a document with the choices in a file, none for `""`. Raises ValueError
    where nothing would be."""
    found = load_tools(str(document.path), BuildOptions(config=config)).surface
    if found is None:
        raise ValueError(f"{document.name} cannot be served with {config or 'defaults'}")
    known = survey(found)
    hosts = [str(len(known.judgement.of(verdict))) for verdict in VERDICTS]
    tokens = max(known.tokens.values())
    count = f"{len(known.rows):,}"
    return (document.name, surface, count, size(known.bytes), f"{tokens:,}", *hosts)


VERDICTS = (HostVerdict.ACCEPTS, HostVerdict.DEGRADES, HostVerdict.REJECTS)
"""What hosts do, in the order of the last columns."""


def main() -> None:
    """Prints the table."""
    argparse.ArgumentParser(
        prog="python -m benchmarks.tool_listing_sizes", description=__doc__
    ).parse_args()
    if not CORPUS.exists():
        sys.exit("there is no corpus beside the project")
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "discovery.toml")
        found.write_text('[discovery]\nmode = "on"\n', encoding="utf-8")
        print(
            table(
                HEAD,
                [
                    row(document, surface, config)
                    for document in documents()
                    if document.name in NAMES
                    for surface, config in (
                        ("all", ""),
                        ("curated", f"{ROOT}/docs/examples/{document.name}.toml"),
                        ("discovery", str(found)),
                    )
                ],
            )
        )


if __name__ == "__main__":
    main()
