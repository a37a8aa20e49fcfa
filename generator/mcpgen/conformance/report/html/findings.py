"""The findings section: an article for each violated check with explanation, fix and example."""

from __future__ import annotations

from mcpgen.conformance.checks.texts import TEXTS, CheckText
from mcpgen.conformance.model import Check, CheckStatus, Report
from mcpgen.conformance.report.grouping import (
    VIOLATION_STATUSES,
    CheckSummary,
    Reason,
    Violation,
    common_findings,
    group_violations,
    sources,
    violations,
)
from mcpgen.conformance.report.html.markup import (
    Child,
    Markup,
    anchor,
    badge,
    chips,
    css,
    element,
    prose,
)

AT_ONCE = 5
"""Number of violations shown without unfolding."""


def findings_section(report: Report, summaries: tuple[CheckSummary, ...]) -> Markup:
    """Failures, warnings, known violations; a cause common to several checks comes first."""
    articles: list[Markup] = []
    for status in VIOLATION_STATUSES:
        common = common_findings(outcome for outcome in report.outcomes if outcome.status is status)
        articles += [_reason_markup(status, reason, checks) for reason, checks in common.items()]
        articles += [
            article
            for summary in summaries
            if summary.status is status and (article := _article(summary, common)) is not None
        ]
    no_findings = element("p", "Nothing to mend.", class_="quiet")
    return element("section", element("h2", "Findings"), articles or no_findings, id="findings")


def _reason_markup(status: CheckStatus, reason: Reason, checks: tuple[Check, ...]) -> Markup:
    expected, saw = reason
    names = [element("li", element("code", check.id)) for check in checks]
    return element(
        "article",
        element("h3", badge(status), f" {len(checks)} checks for one reason"),
        _expected_saw(expected, saw),
        element(
            "details", element("summary", "Which checks"), element("ul", names, class_="names")
        ),
        class_=css(status),
        data_status=css(status),
    )


def _article(summary: CheckSummary, common: dict[Reason, tuple[Check, ...]]) -> Markup | None:
    """The violations of one check; None if all are listed under a common cause."""
    check = summary.check
    own_violations = violations(
        outcome for outcome in summary.outcomes if (outcome.expected, outcome.saw) not in common
    )
    if not own_violations:
        return None
    items = [_violations(group) for group in group_violations(own_violations)]
    more = items[AT_ONCE:]
    more_label = element("summary", f"{len(more)} more")
    return element(
        "article",
        element("h3", badge(summary.status), " ", element("code", check.id)),
        element("p", prose(check.sentence), class_="sentence"),
        element("ul", items[:AT_ONCE], class_="violations"),
        element("details", more_label, element("ul", more, class_="violations")) if more else None,
        _advice(check, sources(summary.outcomes)),
        id=anchor("check", check.id),
        class_=css(summary.status),
        data_status=css(summary.status),
    )


def _violations(group: list[Violation]) -> Markup:
    """One expectation with the observation of each tool."""
    first = group[0]
    where = element("p", chips(first.revisions)) if first.revisions else None
    if len(group) == 1:
        tool = element("p", element("code", first.tool, class_="tool")) if first.tool else None
        return element("li", tool, where, _expected_saw(first.expected, first.saw))
    rows = [
        element("div", element("dt", element("code", violation.tool)), element("dd", violation.saw))
        for violation in group
    ]
    table: Markup = element("dl", rows, class_="seen")
    if len(group) > AT_ONCE:
        heading = element("summary", _times(group))
        table = element("details", heading, table, open=len(group) <= 4 * AT_ONCE)
    return element("li", where, element("dl", _expected(first.expected)), table)


def _times(group: list[Violation]) -> str:
    """The number of violations; the last of many stands for those only counted."""
    last = group[-1]
    return f"{len(group)} times" if last.tool else f"{len(group) - 1} times, and {last.saw}"


def _expected(text: str) -> Markup:
    return element("div", element("dt", "expected"), element("dd", prose(text)))


def _expected_saw(expected: str, saw: str) -> Markup:
    return element(
        "dl",
        _expected(expected),
        element("div", element("dt", "saw"), element("dd", saw, class_="saw")),
    )


def _advice(check: Check, sources: tuple[Check, ...]) -> Markup:
    links: list[Child] = []
    for source in sources:
        link = element("a", source.clause, href=source.url, rel="noreferrer", target="_blank")
        links += ["; ", link] if links else [link]
    example = TEXTS.get(check.id)
    return element(
        "details",
        element("summary", "Why it matters and what to do"),
        element("p", prose(check.explanation)),
        element("p", element("b", "What to do: "), prose(check.fix)),
        _example(example) if example else None,
        element("p", f"{check.level} · ", links, class_="quiet"),
        class_="advice",
    )


def _example(example: CheckText) -> Markup:
    pairs = (("Wrong", example.bad, "failed"), ("Right", example.good, "passed"))
    return element(
        "div",
        [
            element("figure", element("figcaption", title), element("pre", text), class_=css_class)
            for title, text, css_class in pairs
        ],
        class_="example",
    )
