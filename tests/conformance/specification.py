"""Compares the clauses of checks with the specification's repository.

`python -m tests.conformance.specification REPOSITORY` (a clone of
modelcontextprotocol/modelcontextprotocol) reports each sentence that the published text lacks, and
writes the digests of the sentences found to `published_sentences.txt`. Only the comparison adds a
digest, so a sentence without one was never found in the published text.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from mcpgen.conformance.checks.clauses import STANDARDS, Clause, all_clauses

DIGESTS = Path(__file__).with_name("published_sentences.txt")
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
    """The normalised text below each heading of a page, or of each interface of a `schema.ts`."""
    git = ["git", "-C", str(repository), "show", f"HEAD:{path}"]
    shown = subprocess.run(git, capture_output=True, check=False)
    text = shown.stdout.decode("utf-8")
    return _interfaces(text) if path.endswith(".ts") else _headed(text)


def _headed(text: str) -> dict[str, list[str]]:
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
    DIGESTS.write_text("".join(f"{line}\n" for line in sorted(digests)), "utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
