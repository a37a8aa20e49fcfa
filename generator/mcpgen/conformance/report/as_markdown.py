"""Renders a report as Markdown for a pull request comment or a job summary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.model import CheckStatus, Comparison, Report
from mcpgen.conformance.report.as_text import summary_line
from mcpgen.conformance.report.grouping import (
    CheckSummary,
    Violation,
    blocked_checks,
    check_summaries,
    columns,
    sources,
    worst,
)

SIGNS = {
    CheckStatus.FAILED: "❌",
    CheckStatus.WARNING: "⚠️",
    CheckStatus.KNOWN: "📌",
    CheckStatus.BLOCKED: "⛔",
    CheckStatus.PASSED: "✅",
    CheckStatus.NOT_APPLICABLE: "➖",
}

TITLES = {CheckStatus.FAILED: "Failures", CheckStatus.WARNING: "Warnings"}

MAX_COMMENT = 55_000
"""Limit for the characters of all findings; GitHub comments allow 65,536."""

VIOLATIONS = 5
"""Number of violations shown for one check."""


CHANGES = 50
"""Number of changes shown since an earlier report."""


def as_markdown(report: Report) -> str:
    """The verdict, a table of profiles, and collapsed failures and warnings.

    Text of the server appears in code spans only, so links, mentions and markup have no effect.
    """
    return "\n".join(_report_markdown(report)) + "\n"


def _report_markdown(report: Report) -> Iterator[str]:
    sign = SIGNS[CheckStatus.FAILED if report.failed else CheckStatus.PASSED]
    yield f"## {sign} MCP conformance of {code(report.target)}"
    yield ""
    yield summary_line(report)
    yield ""
    yield "| profile | | failed | warned | known | blocked | passed |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for column in columns(report):
        counts = column.counts
        numbers = [
            counts[status]
            for status in (
                CheckStatus.FAILED,
                CheckStatus.WARNING,
                CheckStatus.KNOWN,
                CheckStatus.BLOCKED,
                CheckStatus.PASSED,
            )
        ]
        cells = " | ".join(str(number) for number in numbers)
        yield f"| `{column.word}` | {SIGNS[worst(column.checks.values())]} | {cells} |"
    if report.comparison:
        yield from _comparison(report.comparison)
    yield from _findings(check_summaries(report))
    for cause, checks in blocked_checks(report).items():
        ids = ", ".join(code(check.id) for check in checks)
        yield from ("", f"{SIGNS[CheckStatus.BLOCKED]} blocked by {code(cause)}: {ids}")
    for note in report.notes:
        yield from ("", f"> {code(note)}")


def _comparison(comparison: Comparison) -> Iterator[str]:
    worse, better = comparison.worse, comparison.better
    yield ""
    yield f"Compared with {code(comparison.name)}: {len(worse)} worse, {len(better)} better."
    if worse or better:
        yield ""
        yield "| check | revision | tool | before | now |"
        yield "| --- | --- | --- | --- | --- |"
    for change in (*worse, *better)[:CHANGES]:
        tool = code(change.tool) if change.tool else ""
        signs = f"{SIGNS[change.before]} {change.before} | {SIGNS[change.after]} {change.after}"
        yield f"| {code(change.check)} | {change.revision} | {tool} | {signs} |"
    if (more := len(worse) + len(better) - CHANGES) > 0:
        yield ""
        yield f"{more} more changes."


def _findings(summaries: tuple[CheckSummary, ...]) -> Iterator[str]:
    """The failures and the warnings, as many as fit; the rest is counted."""
    remaining = MAX_COMMENT
    for status, title in TITLES.items():
        texts = [
            "\n".join(_check_markdown(summary)) for summary in summaries if summary.status is status
        ]
        if texts:
            yield from ("", f"### {title}", "")
        for number, text in enumerate(texts):
            remaining -= len(text)
            if remaining < 0:
                yield f"… and {len(texts) - number} more checks."
                break
            yield text


def _check_markdown(summary: CheckSummary) -> Iterator[str]:
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
    """The text as a Markdown code span on one line; backticks are fenced."""
    clean = printable(text, 300)
    longest = max((len(run) for run in re.findall("`+", clean)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if longest else ""
    return f"{fence}{padding}{clean}{padding}{fence}" if clean else "nothing"
