"""Renders the text of `mcpgen explain CHECK`."""

from __future__ import annotations

from textwrap import fill, indent

from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.checks.clauses import Clause, all_clauses
from mcpgen.conformance.checks.texts import TEXTS
from mcpgen.conformance.hosts.facts import facts
from mcpgen.conformance.model import Check
from mcpgen.conformance.profiles import PROFILES

_WIDTH = 92
"""Characters per line of a quoted sentence, so that a line with its indent fits into 100 columns."""


def explain(id: str) -> str | None:
    """Returns the requirement of a check, the harm of a violation, the fix, an example, the sources and
    the revisions; None for an unknown id.

    Example: `explain("ping-answers")` begins with `ping-answers (MUST, protocol)`.
    """
    check = TABLE.get(id)
    if check is None:
        return None
    revisions = (
        ", ".join(check.revisions)
        or "run once, in the newest supported revision that states the requirement"
    )
    # Checks of the official suite have no example, since the suite chooses the messages.
    text = TEXTS.get(id)
    example = (
        f"\nWrong:\n\n{_code_block(text.bad)}\n\nRight:\n\n{_code_block(text.good)}\n"
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
    """Returns the clause and URL of a check. A check of the profile `hosts` has the reaction and the
    page of every host with such a limit instead."""
    if check.profile == "hosts":
        every_fact = (fact for host_facts in facts().values() for fact in host_facts)
        sources = [
            f"        {PROFILES[fact.host].title}: {fact.consequence}\n"
            f"        {fact.url} (read {fact.read})"
            for fact in every_fact
            if check.id == f"host-{fact.check}"
        ]
        if sources:
            return "\n".join(["Source:", *sources])
    return f"Source: {check.clause}\n        {check.url}"


def _clauses(id: str) -> str:
    """Returns the published sentences of a check with revisions and page, `""` without sentences."""
    return "".join(_quoted_clause(clause) for clause in all_clauses().get(id, ()))


def _quoted_clause(clause: Clause) -> str:
    newest = clause.revisions[-1]
    heading = f" ({clause.heading})" if clause.heading else ""
    quotation = indent(fill(f"“{clause.sentence}”{heading}", _WIDTH), "    ")
    return f"\n{', '.join(clause.revisions)}:\n{quotation}\n    {clause.url(newest)}\n"


def _code_block(text: str) -> str:
    return indent(text, "    ")
