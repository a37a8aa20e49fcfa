"""Judges every available document and writes `results.md` and `deviations.md`: `python -m tests.oracle [NAME ...]`.

`--complete` writes only the section about requests that are drawn from the documents.
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.oracle.completeness import Completeness, completeness
from tests.oracle.documents import corpus_documents, drawn_from, own_documents, swagger
from tests.oracle.oracle_process import OracleProcess, start_oracle
from tests.oracle.page import COMPLETENESS, call_counts, completeness_lines, deviation_lines, lines
from tests.oracle.prism import Prism, prism
from tests.oracle.project import BuiltServer, build_server
from tests.oracle.verdicts import DocumentVerdict, WrongRequest, judge_document

TABLE = Path(__file__).with_name("results.md")
DEVIATIONS = Path(__file__).with_name("deviations.md")
OPENED = 400_000
"""How many bytes a document may have for Prism to be asked, which is slow to read more."""


def judged_documents() -> dict[str, Path]:
    """The documents of the first table."""
    return own_documents() | swagger() | corpus_documents()


def documents_to_draw() -> dict[str, Path]:
    """The documents of the second table."""
    return own_documents() | swagger() | drawn_from() | corpus_documents()


async def verdict(
    name: str, document: Path, oracle: OracleProcess, draws: int, max_tools: int
) -> DocumentVerdict | None:
    """The verdict on one document; None with a line on stderr if the document cannot be built."""
    start_time = time.monotonic()
    project = build_server(document)
    if not isinstance(project, BuiltServer):
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
        result = await judge_document(
            project, oracle, folder, draws=draws, most_tools=max_tools, prism=second
        )
    result.document = name
    numbers = " ".join(map(str, call_counts(result)))
    print(f"{name}: {numbers} ({time.monotonic() - start_time:.1f} s)", file=sys.stderr)
    for kind in ("wrong", "unjudged", "disputed", "withheld"):
        for case in getattr(result, kind)[:5]:
            text = case if isinstance(case, WrongRequest) else f"{case[1]}\n{case[0]}"
            print(f"{kind}: {text}"[:2000], file=sys.stderr)
    for tool, message in result.silent.items():
        print(f"silent: {tool}: {message}"[:300], file=sys.stderr)
    return result


async def run(
    draws: int, max_tools: int, names: list[str], verdict_folder: Path | None
) -> list[DocumentVerdict]:
    """Verdicts in document order. With names, verdicts on other documents come from the pickles in
    `verdict_folder`. The page is written after every document, unless the page would lack documents.
    """
    verdicts: list[DocumentVerdict] = []
    documents = judged_documents()
    with start_oracle() as oracle:
        for name, document in documents.items():
            file = verdict_folder / f"{name}.pickle" if verdict_folder else None
            if names and name not in names:
                if file and file.exists():
                    verdicts.append(pickle.loads(file.read_bytes()))
                continue
            document_verdict = await verdict(name, document, oracle, draws, max_tools)
            if document_verdict:
                verdicts.append(document_verdict)
            if document_verdict and file:
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(pickle.dumps(document_verdict))
            if not names:
                write_page(verdicts)
    if names and verdict_folder:
        write_page(verdicts)
    return verdicts


async def complete(draws: int, max_tools: int, names: list[str]) -> list[Completeness]:
    """Draws for each document, in document order; without names, writes the last section of the page."""
    completenesses = []
    documents = documents_to_draw()
    for name, document in documents.items():
        if names and name not in names:
            continue
        start_time = time.monotonic()
        project = build_server(document)
        if not isinstance(project, BuiltServer):
            print(f"{name}: not built", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            document_completeness = await completeness(
                project, Path(folder), draws=draws, most_tools=max_tools
            )
        document_completeness.document = name
        completenesses.append(document_completeness)
        message = " ".join(f"{number}" for number in document_completeness.numbers)
        print(f"{name}: {message} ({time.monotonic() - start_time:.1f} s)", file=sys.stderr)
        for case in document_completeness.faults[:5]:
            print(f"{case}"[:2000], file=sys.stderr)
    if not names:
        before = TABLE.read_text(encoding="utf-8").partition(COMPLETENESS)[0].rstrip("\n")
        section = "\n".join(completeness_lines(completenesses))
        TABLE.write_text(f"{before}\n\n{section}\n", encoding="utf-8")
    return completenesses


def write_page(verdicts: list[DocumentVerdict]) -> None:
    """Writes every section of `results.md` except the last, and the page of deviations."""
    _, heading, section = TABLE.read_text(encoding="utf-8").partition(COMPLETENESS)
    text = "\n".join(lines(verdicts)) + "\n"
    TABLE.write_text(f"{text}\n{heading}{section}" if heading else text, encoding="utf-8")
    DEVIATIONS.write_text("\n".join(deviation_lines(verdicts)) + "\n", encoding="utf-8")


def main() -> None:
    """Writes the page; fails if a request is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="documents to judge, without writing the table")
    parser.add_argument("--all", action="store_true", help="every tool of every document")
    parser.add_argument("--tools", type=int, default=30, help="tools of each document")
    parser.add_argument("--draws", type=int, help="draws for each tool: 3, twice; complete: 12")
    parser.add_argument("--complete", action="store_true", help="draw from the documents instead")
    parser.add_argument("--kept", type=Path, help="folder with the verdicts of other runs")
    options = parser.parse_args()
    documents = documents_to_draw() if options.complete else judged_documents()
    if unknown := [name for name in options.names if name not in documents]:
        parser.error(f"no document {', '.join(unknown)}; there are {', '.join(documents)}")
    maximum = sys.maxsize if options.all else options.tools
    if options.complete:
        completenesses = asyncio.run(complete(options.draws or 12, maximum, options.names))
        sys.exit(any(result.faults for result in completenesses))
    verdicts = asyncio.run(run(options.draws or 3, maximum, options.names, options.kept))
    sys.exit(any(result.wrong for result in verdicts))


if __name__ == "__main__":
    main()
