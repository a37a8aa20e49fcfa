"""What `mcpgen explain` says about a check."""

from __future__ import annotations

from textwrap import indent

from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.examples import EXAMPLES


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
        f"\nSource: {check.clause}\n        {check.url}\n"
        f"Revisions: {revisions}\n"
    )


def _code(text: str) -> str:
    return indent(text, "    ")
