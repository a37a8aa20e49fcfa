"""The text of `mcpgen explain CHECK`."""

from __future__ import annotations

from textwrap import fill, indent

from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.checks.clauses import Clause, all_clauses
from mcpgen.conformance.checks.texts import TEXTS
from mcpgen.conformance.hosts.facts import facts
from mcpgen.conformance.model import Check
from mcpgen.conformance.profiles import PROFILES


def explain(id: str) -> str | None:
    """The requirement of a check, the harm, the fix, an example and the source; None for an unknown
    id.

    Example: `explain("ping-answers")` begins with `ping-answers (MUST, protocol)`.
    """
    check = TABLE.get(id)
    if check is None:
        return None
    revisions = (
        ", ".join(check.revisions)
        or "made once, in the newest revision that states the requirement"
    )
    # The official suite brings its own messages; our examples would only guess at them.
    text = TEXTS.get(id)
    example = (
        f"\nWrong:\n\n{_inline_code(text.bad)}\n\nRight:\n\n{_inline_code(text.good)}\n"
        if text
        else ""
    )
    return (
        f"{check.id} ({check.level}, {check.profile})\n"
        f"\n{check.sentence}\n"
        f"\nWhy it matters: {check.explanation}\n"
        f"\nWhat to do: {check.fix}\n"
        f"{example}"
        f"\n{_sources(check)}\n"
        f"{_clauses(id)}"
        f"\nRevisions: {revisions}\n"
    )


def _sources(check: Check) -> str:
    """The clause and URL of a check; for a check of host facts, the page of each host."""
    sources = [
        f"        {PROFILES[fact.host].title}: {fact.consequence}\n"
        f"        {fact.url} (read {fact.read})"
        for host_facts in facts().values()
        for fact in host_facts
        if check.profile == "hosts" and check.id == f"host-{fact.check}"
    ]
    return (
        "\n".join(["Source:", *sources])
        if sources
        else f"Source: {check.clause}\n        {check.url}"
    )


def _clauses(id: str) -> str:
    """The sentences of each revision with their pages, an empty text for a check without clauses."""
    return "".join(_quoted_clause(clause) for clause in all_clauses().get(id, ()))


def _quoted_clause(clause: Clause) -> str:
    newest = clause.revisions[-1]
    words = f"“{clause.sentence}”" + (f" ({clause.heading})" if clause.heading else "")
    return f"\n{', '.join(clause.revisions)}:\n{indent(fill(words, 92), '    ')}\n    {clause.url(newest)}\n"


def _inline_code(text: str) -> str:
    return indent(text, "    ")
