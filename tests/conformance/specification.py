"""Compares the clauses of checks with the specification's repository.

`python -m tests.conformance.specification REPOSITORY` (a clone of
modelcontextprotocol/modelcontextprotocol) reports each sentence that the published text lacks, and
writes the digests of the sentences found to `published_sentences.txt`. Only the comparison adds a
digest, so a sentence without one was never found in the published text. The command also writes the
JSON Schema of each revision, without descriptions, to `generator/mcpgen/conformance/published/`.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import mcpgen.conformance
from mcpgen.conformance.checks.clauses import STANDARDS, Clause, all_clauses
from mcpgen.conformance.revisions import ALL
from mcpgen.conformance.strict_json import Json

DIGESTS = Path(__file__).with_name("published_sentences.txt")
SCHEMAS = Path(mcpgen.conformance.__file__).with_name("published")
_ANNOTATIONS = frozenset({"description", "title", "examples", "default"})
_NAMED = frozenset({"properties", "definitions", "$defs"})
_HEADING = re.compile(r"#{1,6} +(.*)")
_LIST_MARK = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
_COMMENT_MARK = re.compile(r"^\s*(?:/\*\*|\*/|\*)\s?")


def quotes() -> list[tuple[str, Clause, str]]:
    """Check id, clause and revision of every quoted sentence."""
    return [
        (id, clause, revision)
        for id, clauses in all_clauses().items()
        for clause in clauses
        for revision in clause.revisions
    ]


def digest(clause: Clause, revision: str) -> str:
    """SHA-256 of the place and the sentence.

    A standard other than MCP is not in the repository; the three sentences of RFC 9110 and the
    sentence of JSON-RPC were compared with copies of the texts by hand.
    """
    place = clause.page if clause.page in STANDARDS else clause.path(revision)
    text = f"{place}\n{clause.heading}\n{clause.sentence}"
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def problem(repository: Path, clause: Clause, revision: str) -> str:
    """The reason why the published text does not carry the clause, or `""`."""
    if clause.page in STANDARDS:
        return ""
    sections = _sections(repository, clause.path(revision))
    if clause.heading not in sections:
        return f"{clause.path(revision)} has no heading `{clause.heading}`"
    if not any(clause.sentence in text for text in sections[clause.heading]):
        return f"{clause.path(revision)}, {clause.heading}, lacks: {clause.sentence}"
    return ""


@cache
def _sections(repository: Path, path: str) -> dict[str, list[str]]:
    """The normalized text below each heading of a page, or of each interface of a `schema.ts`."""
    text = _published_text(repository, path)
    return _interfaces(text) if path.endswith(".ts") else _sections_by_heading(text)


def _published_text(repository: Path, path: str) -> str:
    """The text of a file, `""` for a file that does not exist."""
    git = ["git", "-C", str(repository), "show", f"HEAD:{path}"]
    return subprocess.run(git, capture_output=True, check=False).stdout.decode("utf-8")


def published_schema(repository: Path, revision: str) -> str:
    """The JSON Schema of a revision without annotations, as compact JSON with a line end."""
    tree = json.loads(_published_text(repository, f"schema/{revision}/schema.json"))
    return json.dumps(_without_annotations(tree), separators=(",", ":")) + "\n"


def _without_annotations(value: Json, *, names: bool = False) -> Json:
    """The schema without annotations; `names`: the members are names of properties."""
    if isinstance(value, list):
        return [_without_annotations(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without_annotations(item, names=key in _NAMED and not names)
        for key, item in value.items()
        if names or key not in _ANNOTATIONS
    }


def _sections_by_heading(text: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    heading, lines, is_code = "", list[str](), False
    for line in [*text.splitlines(), "# "]:
        if line.strip().startswith("```"):
            is_code = not is_code
        match = None if is_code else _HEADING.match(f"{line} ")
        if match:
            sections.setdefault(heading, []).append(_normalize(" ".join(lines)))
            heading, lines = match[1].strip(), []
        else:
            lines.append(_LIST_MARK.sub("", line))
    return sections


def _interfaces(text: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for match in re.finditer(r"^export interface (\w+).*?^}", text, re.M | re.S):
        body = "\n".join(_COMMENT_MARK.sub("", line) for line in match[0].splitlines())
        sections.setdefault(f"interface {match[1]}", []).append(_normalize(body))
    return sections


def _normalize(text: str) -> str:
    return " ".join(text.split())


def main(repository: Path) -> int:
    """Compares every quote and writes the digests. Exit code 1 if the text lacks a sentence."""
    problems = {problem(repository, clause, revision) for _, clause, revision in quotes()} - {""}
    print("\n".join(sorted(problems)))
    digests = {
        digest(clause, revision)
        for _, clause, revision in quotes()
        if not problem(repository, clause, revision)
    }
    for revision in ALL:
        text = published_schema(repository, revision)
        (SCHEMAS / f"{revision}.json").write_text(text, "utf-8")
    DIGESTS.write_text("".join(f"{line}\n" for line in sorted(digests)), "utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
