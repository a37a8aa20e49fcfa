"""How well tools are found: `python -m benchmarks.search [--no-peers] [--part PART]`.

Every query of `queries/`, as a user says it and as a model asks for it, is put to the search of the
project that mcpgen builds from the document, and to what others offer. A hit is a right operation at
the first place, or among the first five.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.competitors import Absent, fastmcp, last_line, shortened
from benchmarks.documents import CORPUS, WORK
from benchmarks.markdown import size, table
from benchmarks.mcpgen_runs import MCPGEN, empty
from benchmarks.measure import run
from benchmarks.search_queries import Asked, Part, Way, asked
from mcpgen.diagnostics import Diagnostics
from mcpgen.parse import parse
from mcpgen.read import read

PATIENCE = 900
"""Seconds that all the questions about one document may take."""

INVENTED = Path(__file__).with_name("apis")
"""The descriptions that were invented for the benchmark."""

HEAD = ("search", "queries", "hit@1", "hit@5", "bytes per answer", "ms per query")


@dataclass(frozen=True, slots=True)
class Answered:
    """What a search said to a query: operations, best first, its size, and how long it took."""

    query: Asked
    operations: tuple[str, ...]
    bytes: int
    ms: float

    def hit(self, most: int) -> bool:
        """Whether a right operation is among the first."""
        return bool(self.query.right & set(self.operations[:most]))


@dataclass(frozen=True, slots=True)
class Document:
    """A description, and the ids of its operations by method and path, which stand in for an id that is
    not there."""

    name: str
    path: Path
    ids: dict[str, str]


Answer = dict[str, Any]
"""`names` of operations by method and path, best first; `bytes`; `ms`."""

Search = Callable[[Document, list[str]], "list[Answer] | Absent"]
"""Asks questions about a document."""


def places() -> dict[str, Path]:
    """The descriptions that are here, by name: the invented ones, and those of the corpus, if any."""
    manifest = CORPUS / "manifest.json"
    entries = json.loads(manifest.read_text("utf-8")) if manifest.exists() else []
    invented = {path.stem: path for path in sorted(INVENTED.glob("*.yaml"))}
    return invented | {entry["name"]: CORPUS / entry["file"] for entry in entries}


def document(name: str, path: Path) -> Document:
    """The description of this name."""
    diagnostics = Diagnostics()
    source = read(str(path), diagnostics)
    api = parse(source, diagnostics) if source else None
    if api is None:
        raise ValueError(f"{name} cannot be read")
    return Document(
        name, path, {operation.key: operation.id or operation.key for operation in api.operations}
    )


def own(document: Document, questions: list[str]) -> list[Answer] | Absent:
    """The search of the project that mcpgen builds in discovery mode."""
    folder = empty(WORK / "search" / document.name)
    folder.mkdir(parents=True)
    (folder / "mcpgen.toml").write_text('[discovery]\nmode = "on"\n', encoding="utf-8")
    build: list[str | Path] = [
        *MCPGEN,
        "build",
        document.path,
        "-o",
        folder,
        "--no-verify",
        "--keep-going",
    ]
    made = run(build)
    if made.failed:
        return Absent(last_line(made))
    package = next(folder.glob("*/discovery.py")).parent.name
    script = Path(__file__).with_name("search_mcpgen.py")
    answers = _asked([sys.executable, script, package], questions, folder)
    if isinstance(answers, Absent):
        return answers
    lock = json.loads((folder / "mcpgen.lock").read_text("utf-8"))
    keys = {name: key for key, name in lock["tools"].items()}
    return [{**each, "names": [keys[name] for name in each["names"]]} for each in answers]


def of_fastmcp(document: Document, questions: list[str]) -> list[Answer] | Absent:
    """FastMCP's BM25 transform."""
    python = fastmcp(WORK)
    if isinstance(python, Absent):
        return python
    script = Path(__file__).with_name("search_fastmcp.py")
    return _asked([python, script, document.path], questions, None)


def _asked(
    command: Sequence[str | Path], questions: list[str], folder: Path | None
) -> list[Answer] | Absent:
    try:
        made = subprocess.run(
            command,
            cwd=folder,
            input=json.dumps(questions),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Absent(f"no answer within {PATIENCE} s")
    if made.returncode:
        return Absent(shortened(made.stderr))
    answers: list[Answer] = json.loads(made.stdout.splitlines()[-1])
    return answers


PEERS: dict[str, Search] = {"FastMCP 4.1.2, BM25 transform": of_fastmcp}
"""What others offer."""

NOT_HERE = "- mcpify, lazy mode: a program in Go; no package of npm or PyPI has it"


def answered(search: Search, queries: Sequence[Asked]) -> tuple[list[Answered], dict[str, Absent]]:
    """What a search said to the queries, and which documents it could not do, and why."""
    found: list[Answered] = []
    absent: dict[str, Absent] = {}
    here = places()
    for name in dict.fromkeys(query.api for query in queries):
        if name not in here:
            absent[name] = Absent("the description is not here")
            continue
        _tell(name)
        of_it = [query for query in queries if query.api == name]
        known = document(name, here[name])
        answers = search(known, [query.words for query in of_it])
        if isinstance(answers, Absent):
            absent[name] = answers
            continue
        for query, answer in zip(of_it, answers, strict=True):
            ids = tuple(known.ids[key] for key in answer["names"])
            found.append(Answered(query, ids, answer["bytes"], answer["ms"]))
    return found, absent


def row(name: str, found: Sequence[Answered]) -> tuple[str, ...]:
    """The figures of a search over some queries."""
    return (
        name,
        str(len(found)),
        f"{mean(one.hit(1) for one in found):.0%}",
        f"{mean(one.hit(5) for one in found):.0%}",
        size(mean(one.bytes for one in found)),
        f"{mean(one.ms for one in found):.1f}",
    )


def rows(search: str, found: Sequence[Answered]) -> list[tuple[str, ...]]:
    """The figures of a search for each way of asking."""
    ways = {way: [one for one in found if one.query.way is way] for way in Way}
    return [row(f"{search}, {way}", those) for way, those in ways.items() if those]


def page(queries: Sequence[Asked], peers: bool) -> str:
    """The tables, with what could not be measured below them."""
    ours, absent = answered(own, queries)
    notes = [f"- mcpgen, {name}: {one.reason}" for name, one in absent.items()]
    if not ours:
        return "\n".join(notes)
    lines = [
        line
        for part in Part
        for line in rows(f"mcpgen, {part}", [one for one in ours if one.query.part is part])
    ]
    notes += [NOT_HERE] if peers else []
    for peer, search in PEERS.items() if peers else ():
        found, absent = answered(search, queries)
        read = {one.query for one in found}
        lines += rows(peer, found)
        if found:
            lines += rows("mcpgen, same documents", [one for one in ours if one.query in read])
        notes += [f"- {peer}, {name}: {one.reason}" for name, one in absent.items()]
    each = [
        line
        for name in dict.fromkeys(one.query.api for one in ours)
        for line in rows(name, [one for one in ours if one.query.api == name])
    ]
    tables = f"{table(HEAD, lines)}\n{table(('mcpgen, by document', *HEAD[1:]), each)}"
    return tables + ("\nNot measured:\n\n" + "\n".join(notes) + "\n" if notes else "")


def main() -> None:
    """Prints the figures of the queries that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--no-peers", action="store_true", help="measure mcpgen alone")
    parser.add_argument("--part", type=Part, choices=tuple(Part), help="one part instead of all")
    parser.add_argument("--only", help="one document instead of all")
    options = parser.parse_args()
    queries = [
        query
        for query in asked()
        if (not options.part or query.part is options.part)
        and (not options.only or query.api == options.only)
    ]
    print(page(queries, not options.no_peers))


def _tell(name: str) -> None:
    """Which document is asked about, to whoever waits."""
    print(f"{name} ...", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
