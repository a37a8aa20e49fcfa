"""Sections of the page: overview, profiles, the matrix of checks and profiles, tools."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from mcpgen.conformance.model import CheckOutcome, CheckStatus, Comparison, Report, StatusChange
from mcpgen.conformance.report.as_text import STATUS_WORDS
from mcpgen.conformance.report.grouping import (
    STATUS_ORDER,
    VIOLATION_STATUSES,
    CheckSummary,
    ProfileColumn,
    blocked_checks,
    profiles_of,
    worst,
)
from mcpgen.conformance.report.html.markup import (
    Child,
    Markup,
    anchor,
    badge,
    bar,
    chips,
    css,
    element,
    prose,
    sign,
)
from mcpgen.conformance.sizes import Size, size_of
from mcpgen.conformance.strict_json import Json

TILES = (
    CheckStatus.FAILED,
    CheckStatus.WARNING,
    CheckStatus.KNOWN,
    CheckStatus.BLOCKED,
    CheckStatus.PASSED,
    CheckStatus.NOT_APPLICABLE,
)
"""The statuses with a number of checks, in order."""

CHANGES_LABEL = "Statuses that differ from the earlier report"
MATRIX_LABEL = "How each check ended in each profile"
MAX_CHARACTERS = 20_000
"""Limit for the characters of a tool's JSON on the page."""


def overview_section(report: Report, summaries: tuple[CheckSummary, ...]) -> Markup:
    """Target, verdict and number of checks for each status."""
    by_status = Counter(summary.status for summary in summaries)
    counts = {status: by_status[status] for status in STATUS_ORDER}
    verdict = "Failed" if report.failed else "Passed"
    return element(
        "header",
        element("p", "MCP conformance", class_="eyebrow"),
        element("h1", report.target),
        element(
            "p",
            element("strong", verdict, class_=f"verdict {verdict.lower()}"),
            element("span", f"{len(summaries)} checks in {report.seconds:.1f} s", class_="quiet"),
            element("span", _revisions(report)),
            class_="facts",
        ),
        element("ul", [_tile(status, counts) for status in TILES], class_="tiles"),
        bar(counts),
    )


def _revisions(report: Report) -> Child:
    """The supported revisions, or for a saved list the revisions it was judged by."""
    if report.judged_as:
        return ["a saved list; judged as ", chips(report.judged_as)]
    return ["speaks ", chips(report.revisions)] if report.revisions else "speaks no MCP"


def notes(report: Report) -> Markup | None:
    """The notes of the report and the blocked checks by cause, None without both."""
    blocked = [
        f"{len(checks)} checks are blocked by `{cause}`: {', '.join(check.id for check in checks)}"
        for cause, checks in blocked_checks(report).items()
    ]
    texts = (*blocked, *report.notes)
    if not texts:
        return None
    return element("ul", [element("li", prose(text)) for text in texts], class_="notes")


def profiles_section(columns: tuple[ProfileColumn, ...]) -> Markup:
    """Cards of the profiles with the number of checks per status."""
    return element(
        "section",
        element("h2", "Profiles"),
        element("ul", [_card(column) for column in columns], class_="cards"),
        id="profiles",
    )


def changes_section(comparison: Comparison | None) -> Markup | None:
    """A table of the statuses that differ from an earlier report; None without a comparison."""
    if comparison is None:
        return None
    worse, better = len(comparison.worse), len(comparison.better)
    changes = (*comparison.worse, *comparison.better)
    heads = [
        element("th", word, scope="col") for word in ("Check", "Revision", "Tool", "Before", "Now")
    ]
    table = element(
        "table",
        element("caption", CHANGES_LABEL, class_="spoken"),
        element("thead", element("tr", heads)),
        element("tbody", [_change_row(change) for change in changes]),
    )
    scroll = element(
        "div", table, class_="scroll", tabindex=0, role="region", aria_label=CHANGES_LABEL
    )
    lists = {
        "Made only in this run: ": comparison.added,
        "Made only in the earlier run, or no longer applicable: ": comparison.omitted,
    }
    return element(
        "section",
        element("h2", "Changes"),
        element("p", f"{worse} worse, {better} better since ", element("code", comparison.name)),
        scroll if changes else None,
        [element("p", label, chips(ids), class_="quiet") for label, ids in lists.items() if ids],
        id="changes",
    )


def _change_row(change: StatusChange) -> Markup:
    name: Markup = element("code", change.check)
    if change.after in VIOLATION_STATUSES:
        name = element("a", name, href=f"#{anchor('check', change.check)}")
    return element(
        "tr",
        element("th", name, scope="row"),
        element("td", change.revision),
        element("td", element("code", change.tool) if change.tool else None),
        element("td", badge(change.before)),
        element("td", badge(change.after)),
        data_status=css(change.after),
    )


def _tile(status: CheckStatus, counts: Mapping[CheckStatus, int]) -> Markup:
    number = counts[status]
    return element(
        "li",
        element("b", number),
        " ",
        element("span", STATUS_WORDS[status]),
        class_=css(status) if number else f"{css(status)} none",
    )


def _card(column: ProfileColumn) -> Markup:
    counts = column.counts
    parts = [f"{counts[status]} {STATUS_WORDS[status]}" for status in TILES if counts[status]]
    verdict = worst(column.checks.values())
    return element(
        "li",
        element(
            "h3",
            element("span", sign(verdict), class_=f"dot {css(verdict)}"),
            element("span", column.title),
        ),
        element("code", column.word) if column.word != column.title else None,
        element("p", column.about, class_="about") if column.about else None,
        bar(counts),
        element("p", ", ".join(parts), class_="quiet"),
    )


def matrix(summaries: tuple[CheckSummary, ...], columns: tuple[ProfileColumn, ...]) -> Markup:
    """The matrix of checks and profiles; a violated check links to its findings."""
    heads = [
        element("th", element("span", column.word), scope="col", title=column.title)
        for column in columns
    ]
    table = element(
        "table",
        element("caption", MATRIX_LABEL, class_="spoken"),
        element("thead", element("tr", element("th", "Check", scope="col"), heads)),
        element("tbody", [_matrix_row(summary, columns) for summary in summaries]),
    )
    return element(
        "section",
        element("h2", "Checks and profiles"),
        element("div", table, class_="scroll", tabindex=0, role="region", aria_label=MATRIX_LABEL),
        id="matrix",
    )


def _matrix_row(summary: CheckSummary, columns: tuple[ProfileColumn, ...]) -> Markup:
    check = summary.check
    name: Markup = element("code", check.id)
    if summary.status in VIOLATION_STATUSES:
        name = element("a", name, href=f"#{anchor('check', check.id)}")
    return element(
        "tr",
        element("th", name, element("span", prose(check.sentence)), scope="row"),
        [_matrix_cell(column, check.id) for column in columns],
        data_status=css(summary.status),
    )


def _matrix_cell(column: ProfileColumn, id: str) -> Markup:
    status = column.checks.get(id)
    if status is None:
        return element("td")
    return element("td", sign(status), class_=css(status))


def tools_section(report: Report) -> Markup | None:
    """A collapsed line for each tool; None without tools."""
    if not report.tools:
        return None
    violations: dict[str, list[CheckOutcome]] = {}
    for outcome in report.outcomes:
        if outcome.tool and outcome.status in VIOLATION_STATUSES:
            violations.setdefault(outcome.tool, []).append(outcome)
    sizes = [size_of(tool) for tool in report.tools]
    largest = max(size.bytes for size in sizes) or 1
    rows = [
        _tool_section(tool, size, largest, violations.get(str(tool.get("name")), []))
        for tool, size in zip(report.tools, sizes, strict=True)
    ]
    total = Size(sum(size.bytes for size in sizes), sum(size.tokens for size in sizes))
    label = f"{len(rows):,} tools, {_format_size(total)} in every conversation that loads them all."
    return element(
        "section",
        element("h2", "Tools"),
        element("p", label, class_="quiet"),
        element("div", rows, class_="tools"),
        id="tools",
    )


def _tool_section(
    tool: Mapping[str, Json], size: Size, largest: int, violations: list[CheckOutcome]
) -> Markup:
    name = str(tool.get("name"))
    profiles = dict.fromkeys(word for outcome in violations for word in profiles_of(outcome))
    status = (
        worst(violation.status for violation in violations) if violations else CheckStatus.PASSED
    )
    title = tool.get("title")
    return element(
        "details",
        element(
            "summary",
            element("code", name),
            element("span", title, class_="quiet") if isinstance(title, str) else None,
            badge(status) if violations else None,
            element("span", _meter(size, largest), _format_size(size), class_="size"),
        ),
        _description(tool),
        element("p", "Not as it should be for: ", chips(profiles)) if profiles else None,
        (
            element("ul", [_finding(violation) for violation in _once(violations)], class_="names")
            if violations
            else None
        ),
        element("pre", _tool_row(tool)),
        data_status=css(status),
    )


def _description(tool: Mapping[str, Json]) -> Markup | None:
    text = tool.get("description")
    return element("p", text, class_="description") if isinstance(text, str) else None


def _once(outcomes: list[CheckOutcome]) -> list[CheckOutcome]:
    """The first outcome of each check."""
    return list({outcome.check.id: outcome for outcome in reversed(outcomes)}.values())[::-1]


def _finding(outcome: CheckOutcome) -> Markup:
    check = outcome.check
    link = element("a", element("code", check.id), href=f"#{anchor('check', check.id)}")
    return element("li", badge(outcome.status), " ", link)


def _format_size(size: Size) -> str:
    return f"{size.bytes:,} bytes, ≈ {size.tokens:,} tokens"


def _meter(size: Size, largest: int) -> Markup:
    width = f"{100 * size.bytes / largest:.1f}"
    return element(
        "svg",
        element("rect", x=0, y=0, width=width, height=1),
        class_="meter",
        viewBox="0 0 100 1",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _tool_row(tool: Mapping[str, Json]) -> str:
    try:
        text = json.dumps(tool, indent=2, ensure_ascii=False)
    except RecursionError:
        return "nested too deep to be shown"
    if len(text) <= MAX_CHARACTERS:
        return text
    return f"{text[:MAX_CHARACTERS]}\n… {len(text) - MAX_CHARACTERS:,} more characters"
