"""What `mcpgen explain` says about a check."""

from __future__ import annotations

from textwrap import indent

from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.examples import EXAMPLES
from mcpgen.conformance.hosts.facts import facts
from mcpgen.conformance.model import Check
from mcpgen.conformance.profiles import PROFILES


def explain(id: str) -> str | None:
    """The meaning of a check, why it matters and how to mend it, with an example; None for an
    unknown id."""
    check = TABLE.get(id)
    if check is None:
        return None
    revisions = ", ".join(check.revisions) or "made once, in the newest revision"
    # The official suite brings its own messages; our examples would only guess at them.
    example = EXAMPLES.get(id)
    shown = (
        f"\nNot so:\n\n{_code(example.bad)}\n\nBut so:\n\n{_code(example.good)}\n"
        if example
        else ""
    )
    return (
        f"{check.id} ({check.level}, {check.profile})\n"
        f"\n{check.sentence}\n"
        f"\nWhy it matters: {check.explanation}\n"
        f"\nWhat to do: {check.fix}\n"
        f"{shown}"
        f"\n{_sources(check)}\n"
        f"Revisions: {revisions}\n"
    )


def _sources(check: Check) -> str:
    """Where the demand comes from; for one that differs from host to host, each host's page."""
    known = [
        f"        {PROFILES[fact.host].title}: {fact.consequence}\n"
        f"        {fact.url} (read {fact.read})"
        for found in facts().values()
        for fact in found
        if check.profile == "hosts" and check.id == f"host-{fact.check}"
    ]
    return (
        "\n".join(["Source:", *known]) if known else f"Source: {check.clause}\n        {check.url}"
    )


def _code(text: str) -> str:
    return indent(text, "    ")
