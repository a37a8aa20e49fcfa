"""Measures how well tools are found: `python -m benchmarks.search [--no-peers] [--part PART] [--only API]`.

Every query of `queries/`, in the user's words and in a model's words, is sent to the search of the project
that mcpgen builds from the document, and to the search of other tools. hit@1 and hit@5: the share of queries
with a correct operation first, and among the first five.

A query has the words of a user (`ask`), the words of a language model that was told `ask` (`call`), and the
correct operations (`right`). A model wrote each `call` at the first attempt from the sentence, the server's
instructions and the description of `search_tools`, without the document. Held-out queries were written before
their first run. `why` gives the reason for correct operations that were added to a tuning query later.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.competitors import (
    FASTMCP_SCRIPT,
    Absent,
    install_fastmcp,
    last_line,
    shorten_error,
)
from benchmarks.documents import WORK, MeasuredDocument, corpus_files
from benchmarks.markdown import decimal_size, markdown_table
from benchmarks.mcpgen_runs import build_command, make_empty
from benchmarks.measure import run_process
from mcpgen.diagnostics import Diagnostics
from mcpgen.parse import parse
from mcpgen.read import read

QUERIES = Path(__file__).with_name("queries")
INVENTED = Path(__file__).with_name("apis")
"""Documents that were invented for the benchmark."""

TIMEOUT_SECONDS = 900
"""Time limit of all queries about one document."""

HEAD = ("search", "queries", "hit@1", "hit@5", "bytes per answer", "ms per query")


class QuerySet(StrEnum):
    """Sets of queries. `TUNING`: used to tune the search. The others are held out: `KNOWN` about documents
    of the tuning set, `STRANGERS` about other documents, `INVENTED` about documents of `apis/`, which no
    model has seen."""

    TUNING = "tuning"
    KNOWN = "known"
    STRANGERS = "strangers"
    INVENTED = "invented"


class Wording(StrEnum):
    """The user's words, or the words of the model between the user and the search."""

    ASK = "as a user says it"
    CALL = "as a model asks for it"


@dataclass(frozen=True, slots=True)
class Query:
    """A query about one document. `right` holds ids of correct operations, or `GET /path` for operations
    without an id."""

    api: str
    part: QuerySet
    wording: Wording
    words: str
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The answer to a query: operations, best first, bytes of the text, and milliseconds."""

    query: Query
    operations: tuple[str, ...]
    bytes: int
    ms: float

    def hit(self, most: int) -> bool:
        """True if a correct operation is among the first `most`."""
        return bool(self.query.right & set(self.operations[:most]))


Answer = dict[str, Any]
"""`names` of operations as `GET /path`, best first; `bytes`; `ms`."""

Search = Callable[[MeasuredDocument, list[str]], "list[Answer] | Absent"]
"""Sends queries about a document; answers are in the order of the queries."""


def load_queries() -> Iterator[Query]:
    """All queries in both wordings, by document."""
    for path in sorted(QUERIES.glob("*.json")):
        file = json.loads(path.read_text("utf-8"))
        api, part = file["api"], QuerySet(file["part"])
        for query in file["queries"]:
            right = frozenset(query["right"])
            yield Query(api, part, Wording.ASK, query["ask"], right)
            yield Query(api, part, Wording.CALL, query["call"], right)


def search_mcpgen(document: MeasuredDocument, queries: list[str]) -> list[Answer] | Absent:
    """Sends the queries to the project that mcpgen builds in discovery mode."""
    folder = make_empty(WORK / "search" / document.name)
    folder.mkdir(parents=True)
    (folder / "mcpgen.toml").write_text('[discovery]\nmode = "on"\n', encoding="utf-8")
    build = run_process(build_command(document, folder))
    if build.failed:
        return Absent(last_line(build))
    package = next(folder.glob("*/discovery.py")).parent.name
    script = Path(__file__).with_name("search_mcpgen.py")
    answers = _run_search([sys.executable, script, package], queries, folder)
    if isinstance(answers, Absent):
        return answers
    lock = json.loads((folder / "mcpgen.lock").read_text("utf-8"))
    keys = {name: key for key, name in lock["tools"].items()}
    return [{**answer, "names": [keys[name] for name in answer["names"]]} for answer in answers]


def search_fastmcp(document: MeasuredDocument, queries: list[str]) -> list[Answer] | Absent:
    """Sends the queries to FastMCP's BM25 transform."""
    python = install_fastmcp(WORK)
    if isinstance(python, Absent):
        return python
    return _run_search([python, FASTMCP_SCRIPT, "search", document.path], queries, None)


def _run_search(
    command: Sequence[str | Path], queries: list[str], folder: Path | None
) -> list[Answer] | Absent:
    try:
        process = subprocess.run(
            command,
            cwd=folder,
            input=json.dumps(queries),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Absent(f"no answer within {TIMEOUT_SECONDS} s")
    if process.returncode:
        return Absent(shorten_error(process.stderr))
    answers: list[Answer] = json.loads(process.stdout.splitlines()[-1])
    return answers


PEERS: dict[str, Search] = {"FastMCP 4.1.2, BM25 transform": search_fastmcp}
NOT_INSTALLABLE = "- mcpify, lazy mode: a program in Go; no package of npm or PyPI has it"


def measure_search(
    search: Search, queries: Sequence[Query]
) -> tuple[list[QueryResult], dict[str, Absent]]:
    """Results of the queries, and the documents without results by name."""
    results: list[QueryResult] = []
    absent: dict[str, Absent] = {}
    invented_files = {path.stem: path for path in INVENTED.glob("*.yaml")}
    files = invented_files | corpus_files()
    for name in dict.fromkeys(query.api for query in queries):
        if name not in files:
            absent[name] = Absent("the description is not here")
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        queries_of_api = [query for query in queries if query.api == name]
        ids = _operation_ids(files[name])
        document = MeasuredDocument(name, files[name])
        answers = search(document, [query.words for query in queries_of_api])
        if isinstance(answers, Absent):
            absent[name] = answers
            continue
        for query, answer in zip(queries_of_api, answers, strict=True):
            operations = tuple(ids[key] for key in answer["names"])
            results.append(QueryResult(query, operations, answer["bytes"], answer["ms"]))
    return results, absent


def _operation_ids(path: Path) -> dict[str, str]:
    """Operation ids by `GET /path`; an operation without an id has its key."""
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics)
    api = parse(source, diagnostics) if source else None
    if api is None:
        raise ValueError(f"{path} cannot be read")
    return {operation.key: operation.id or operation.key for operation in api.operations}


def _query_row(name: str, results: Sequence[QueryResult]) -> tuple[str, ...]:
    return (
        name,
        str(len(results)),
        f"{mean(result.hit(1) for result in results):.0%}",
        f"{mean(result.hit(5) for result in results):.0%}",
        decimal_size(mean(result.bytes for result in results)),
        f"{mean(result.ms for result in results):.1f}",
    )


def _wording_rows(name: str, results: Sequence[QueryResult]) -> list[tuple[str, ...]]:
    """A row for every wording that has results."""
    groups = {
        wording: [result for result in results if result.query.wording is wording]
        for wording in Wording
    }
    return [_query_row(f"{name}, {wording}", group) for wording, group in groups.items() if group]


def make_page(queries: Sequence[Query], peers: bool) -> str:
    """Tables by set and by document, and a list of the figures that are missing."""
    own_results, absent = measure_search(search_mcpgen, queries)
    notes = _search_notes("mcpgen", absent)
    if not own_results:
        return "\n".join(notes)
    rows = [
        row
        for part in QuerySet
        for row in _wording_rows(
            f"mcpgen, {part}", [result for result in own_results if result.query.part is part]
        )
    ]
    notes += [NOT_INSTALLABLE] if peers else []
    for peer, search in PEERS.items() if peers else ():
        results, absent = measure_search(search, queries)
        rows += _wording_rows(peer, results)
        if results:
            shared = {result.query for result in results}
            shared_results = [result for result in own_results if result.query in shared]
            rows += _wording_rows("mcpgen, same documents", shared_results)
        notes += _search_notes(peer, absent)
    by_document = [
        row
        for name in dict.fromkeys(result.query.api for result in own_results)
        for row in _wording_rows(
            name, [result for result in own_results if result.query.api == name]
        )
    ]
    tables = f"{markdown_table(HEAD, rows)}\n{markdown_table(('mcpgen, by document', *HEAD[1:]), by_document)}"
    return tables + ("\nNot measured:\n\n" + "\n".join(notes) + "\n" if notes else "")


def _search_notes(search: str, absent: dict[str, Absent]) -> list[str]:
    return [f"- {search}, {name}: {absence.reason}" for name, absence in absent.items()]


def main() -> None:
    """Prints the figures of the chosen queries."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search", description=(__doc__ or "").partition("\n\n")[0]
    )
    parser.add_argument("--no-peers", action="store_true", help="measure only mcpgen")
    parser.add_argument("--part", type=QuerySet, choices=tuple(QuerySet), help="measure one set")
    parser.add_argument("--only", metavar="API", help="measure one document")
    options = parser.parse_args()
    queries = [
        query
        for query in load_queries()
        if (not options.part or query.part is options.part)
        and (not options.only or query.api == options.only)
    ]
    print(make_page(queries, not options.no_peers))


if __name__ == "__main__":
    main()
