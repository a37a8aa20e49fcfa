"""Judges every document at hand and writes the table: `python -m tests.judge`."""

from __future__ import annotations

import argparse
import asyncio
import pickle
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.judge.documents import ROOT, own, real, swagger
from tests.judge.jury import Jury, jury
from tests.judge.page import lines
from tests.judge.project import Built, built
from tests.judge.second import Prism, prism
from tests.judge.verdicts import Verdict, Wrong, judged

TABLE = ROOT / "docs" / "judge.md"
OPENED = 400_000
"""How many bytes a document may have for Prism to be asked, which is slow to read more."""


async def verdict(name: str, document: Path, judges: Jury, draws: int, most: int) -> Verdict | None:
    """The verdict on one document, or None, told, if nothing could be built of it."""
    started = time.monotonic()
    project = built(document)
    if not isinstance(project, Built):
        print(f"{name}: not built", file=sys.stderr)
        return None
    with ExitStack() as open_things:
        folder = Path(open_things.enter_context(tempfile.TemporaryDirectory()))
        copy = Path(open_things.enter_context(tempfile.TemporaryDirectory()))
        second: Prism | None = None
        if document.stat().st_size <= OPENED:
            try:
                second = open_things.enter_context(prism(document, copy))
            except RuntimeError as fault:
                print(f"{name}: {fault}", file=sys.stderr)
        found = await judged(project, judges, folder, draws=draws, most_tools=most, prism=second)
    found.document = name
    print(f"{name}: {time.monotonic() - started:.1f} s", file=sys.stderr)
    for kind in ("wrong", "unjudged", "disputed", "withheld"):
        for case in getattr(found, kind)[:5]:
            told = case if isinstance(case, Wrong) else f"{case[1]}\n{case[0]}"
            print(f"{kind}: {told}"[:2000], file=sys.stderr)
    for tool, said in found.silent.items():
        print(f"silent: {tool}: {said}"[:300], file=sys.stderr)
    return found


async def run(draws: int, most: int, names: list[str], kept: Path | None) -> list[Verdict]:
    """The verdicts, in order, those of `kept` for documents that are not named. The page is written
    anew after each, so that nothing is lost, unless it would lack documents."""
    found: list[Verdict] = []
    documents = own() | swagger() | real()
    with jury() as judges:
        for name, document in documents.items():
            file = kept / f"{name}.pickle" if kept else None
            if names and name not in names:
                if file and file.exists():
                    found.append(pickle.loads(file.read_bytes()))
                continue
            one = await verdict(name, document, judges, draws, most)
            if one:
                found.append(one)
            if one and file:
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(pickle.dumps(one))
            if not names:
                TABLE.write_text("\n".join(lines(found)) + "\n", encoding="utf-8")
    if names and kept:
        TABLE.write_text("\n".join(lines(found)) + "\n", encoding="utf-8")
    return found


def main() -> None:
    """Writes the table; fails if a request is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="documents to judge, without writing the table")
    parser.add_argument("--all", action="store_true", help="every tool of every document")
    parser.add_argument("--tools", type=int, default=30, help="tools of each document")
    parser.add_argument("--draws", type=int, default=3, help="draws for each tool, twice")
    parser.add_argument("--kept", type=Path, help="folder with the verdicts of other runs")
    given = parser.parse_args()
    most = sys.maxsize if given.all else given.tools
    found = asyncio.run(run(given.draws, most, given.names, given.kept))
    sys.exit(any(one.wrong for one in found))


if __name__ == "__main__":
    main()
