"""The published sentences that carry a check, from `clauses.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mcpgen.conformance.revisions import ALL, SPECIFICATION

STANDARDS = {
    "JSON-RPC 2.0": "https://www.jsonrpc.org/specification",
    "RFC 9110": "https://www.rfc-editor.org/rfc/rfc9110",
}
"""Standards beside the specification of MCP, with their addresses."""

SCHEMA = "schema.ts"
TUTORIALS = "tutorials/"


@dataclass(frozen=True, slots=True)
class Clause:
    """A published sentence, the same in each of `revisions`.

    `page`: a page below the revision (`basic/lifecycle`), a tutorial (`tutorials/security/…`),
    `schema.ts`, or a key of `STANDARDS`. White space of `sentence` is normalized, marks of Markdown
    are kept.
    """

    page: str
    heading: str
    sentence: str
    revisions: tuple[str, ...]

    def path(self, revision: str) -> str:
        """The file in the specification's repository, `""` for another standard."""
        if self.page in STANDARDS:
            return ""
        if self.page == SCHEMA:
            return f"schema/{revision}/{SCHEMA}"
        if self.page.startswith(TUTORIALS):
            return f"docs/docs/{revision}/{self.page}.mdx"
        return f"docs/specification/{revision}/{self.page}.mdx"

    def url(self, revision: str) -> str:
        """The address of the page in a revision."""
        if self.page in STANDARDS:
            return STANDARDS[self.page]
        if self.page.startswith(TUTORIALS):
            return f"{SPECIFICATION.removesuffix('specification')}docs/{revision}/{self.page}"
        page = "schema" if self.page == SCHEMA else self.page.removesuffix("/index")
        return f"{SPECIFICATION}/{revision}/{page}"


@cache
def all_clauses() -> Mapping[str, tuple[Clause, ...]]:
    """The clauses of each check, by check id. Checks of hosts and of mcpgen have none."""
    rows = json.loads(Path(__file__).with_name("clauses.json").read_text("utf-8"))
    return {
        id: tuple(
            Clause(row["page"], row["heading"], row["sentence"], tuple(row["revisions"]))
            for row in check_rows
        )
        for id, check_rows in rows.items()
    }


def revisions_with_clause(id: str) -> tuple[str, ...]:
    """The revisions that state the requirement of a check, oldest first; every revision for a check
    without clauses.
    """
    clauses = all_clauses().get(id, ())
    stated = {revision for clause in clauses for revision in clause.revisions}
    return tuple(revision for revision in ALL if revision in stated) or ALL
