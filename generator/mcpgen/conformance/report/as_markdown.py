"""A report as Markdown, short enough for a comment on a change or the summary of a CI job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.model import CheckStatus, Report
from mcpgen.conformance.report.as_text import summary_line
from mcpgen.conformance.report.grouping import (
    CheckSummary,
    Violation,
    columns,
    judgements,
    sources,
    worst,
)

SIGNS = {
    CheckStatus.FAILED: "❌",
    CheckStatus.WARNING: "⚠️",
    CheckStatus.KNOWN: "📌",
    CheckStatus.PASSED: "✅",
    CheckStatus.NOT_APPLICABLE: "➖",
}

TITLES = {CheckStatus.FAILED: "Failures", CheckStatus.WARNING: "Warnings"}

LONGEST = 55_000
"""Characters of all findings together: a comment on a code host holds 65,536 with the rest."""

VIOLATIONS = 5
"""How many violations of one check are told."""


def as_markdown(report: Report) -> str:
    """The verdict, a table of the profiles, and the failures and warnings, folded.

    What the server said stands in code spans only, where it is no link, no mention and no markup.
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    sign = SIGNS[CheckStatus.FAILED if report.failed else CheckStatus.PASSED]
    yield f"## {sign} MCP conformance of {code(report.target)}"
    yield ""
    yield summary_line(report)
    yield ""
    yield "| profile | | failed | warned | known | held |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for column in columns(report):
        counts = column.counts
        numbers = [
            counts[status]
            for status in (
                CheckStatus.FAILED,
                CheckStatus.WARNING,
                CheckStatus.KNOWN,
                CheckStatus.PASSED,
            )
        ]
        cells = " | ".join(str(number) for number in numbers)
        yield f"| `{column.word}` | {SIGNS[worst(column.checks.values())]} | {cells} |"
    yield from _findings(judgements(report))
    for note in report.notes:
        yield from ("", f"> {code(note)}")


def _findings(summaries: tuple[CheckSummary, ...]) -> Iterator[str]:
    """The failures and the warnings, as many as fit; the rest is counted."""
    remaining = LONGEST
    for status, title in TITLES.items():
        texts = ["\n".join(_check(summary)) for summary in summaries if summary.status is status]
        if texts:
            yield from ("", f"### {title}", "")
        for number, text in enumerate(texts):
            remaining -= len(text)
            if remaining < 0:
                yield f"… and {len(texts) - number} more checks."
                break
            yield text


def _check(summary: CheckSummary) -> Iterator[str]:
    check = summary.check
    yield f"<details><summary>{SIGNS[summary.status]} <code>{check.id}</code></summary>"
    yield ""
    links = "; ".join(f"[{source.clause}]({source.url})" for source in sources(summary.outcomes))
    yield f"{check.sentence} ({links})"
    yield ""
    for violation in summary.violations[:VIOLATIONS]:
        yield from _violation(violation)
    if len(summary.violations) > VIOLATIONS:
        yield f"- … and {len(summary.violations) - VIOLATIONS} more"
    yield ""
    yield f"**What to do:** {check.fix}"
    yield ""
    yield "</details>"


def _violation(violation: Violation) -> Iterator[str]:
    parts = [code(violation.tool)] if violation.tool else []
    parts += [", ".join(violation.revisions)] if violation.revisions else []
    yield f"- {' '.join([*parts, ''])}expected {code(violation.expected)}, saw {code(violation.saw)}"


def code(text: str) -> str:
    """The text as a code span on one line, whatever backticks it has."""
    clean = printable(text, 300)
    longest = max((len(run) for run in re.findall("`+", clean)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if longest else ""
    return f"{fence}{padding}{clean}{padding}{fence}" if clean else "nothing"
