"""Renders the verdict of a report as an SVG badge for a README."""

from __future__ import annotations

from html import escape

from mcpgen.conformance.model import CheckStatus, Level, Report
from mcpgen.conformance.report.grouping import totals

LABEL = "MCP"
GREEN, YELLOW, RED = "#2f7d32", "#8a6d00", "#b3261e"
"""Fills with a contrast of at least 4.5 to white text (WCAG 2.2, 1.4.3)."""

CHARACTER = 7
"""Width of a character in pixels, for DejaVu Sans at 11 pixels; `textLength` scales other fonts."""

PADDING = 10


def as_badge(report: Report) -> str:
    """The badge: `MCP`, and `failed`, or the newest revision with the numbers of violated MUST
    checks in the baseline and of warnings.

    Example: `MCP | 2025-11-25, 1 known failure, 3 warnings`. Equal verdicts give equal bytes.
    """
    text, fill = _badge_verdict(report)
    left, right = (len(word) * CHARACTER + PADDING for word in (LABEL, text))
    title = escape(f"{LABEL}: {text}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        f'<rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{fill}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="DejaVu Sans,Verdana,sans-serif" '
        f'font-size="11">{_svg_text(LABEL, 0, left)}{_svg_text(text, left, right)}</g></svg>\n'
    )


def _badge_verdict(report: Report) -> tuple[str, str]:
    counts = totals(report)
    failures, warnings = counts[CheckStatus.FAILED], counts[CheckStatus.WARNING]
    if report.failed:
        return (f"{failures} failed" if failures else "failed"), RED
    revision = ([*report.revisions, *report.judged_as] or ["passed"])[-1]
    known_failures = {
        outcome.check.id
        for outcome in report.outcomes
        if outcome.status is CheckStatus.KNOWN and outcome.check.level is Level.MUST
    }
    numbers = ((len(known_failures), "known failure"), (warnings, "warning"))
    remarks = [f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in numbers if count]
    return ", ".join([revision, *remarks]), YELLOW if remarks else GREEN


def _svg_text(word: str, start: int, width: int) -> str:
    length = width - PADDING
    return f'<text x="{start + width / 2:g}" y="14" textLength="{length}">{escape(word)}</text>'
