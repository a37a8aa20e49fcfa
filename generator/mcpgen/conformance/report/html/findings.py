"""What is wrong, why it matters and how to mend it: an article for each check with violations."""

from __future__ import annotations

from mcpgen.conformance.checks.texts import TEXTS, CheckText
from mcpgen.conformance.model import Check, CheckStatus, Report
from mcpgen.conformance.report.grouping import (
    VIOLATED,
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
"""Violations of a check that are shown unfolded."""


def findings_section(report: Report, judged: tuple[CheckSummary, ...]) -> Markup:
    """The failures, then the warnings, then what the baseline lists; one reason that many checks
    have in common is told once, before all."""
    told: list[Markup] = []
    for status in VIOLATED:
        common = common_findings(outcome for outcome in report.outcomes if outcome.status is status)
        told += [_reason(status, reason, checks) for reason, checks in common.items()]
        told += [
            article
            for judgement in judged
            if judgement.status is status and (article := _article(judgement, common)) is not None
        ]
    nothing = element("p", "Nothing to mend.", class_="quiet")
    return element("section", element("h2", "Findings"), told or nothing, id="findings")


def _reason(status: CheckStatus, reason: Reason, checks: tuple[Check, ...]) -> Markup:
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


def _article(judgement: CheckSummary, common: dict[Reason, tuple[Check, ...]]) -> Markup | None:
    """The violations of one check; None where all have a reason that was told before."""
    check = judgement.check
    own = violations(
        outcome for outcome in judgement.outcomes if (outcome.expected, outcome.saw) not in common
    )
    if not own:
        return None
    shown = [_violations(group) for group in group_violations(own)]
    more = shown[AT_ONCE:]
    rest = element("summary", f"{len(more)} more")
    return element(
        "article",
        element("h3", badge(judgement.status), " ", element("code", check.id)),
        element("p", prose(check.sentence), class_="sentence"),
        element("ul", shown[:AT_ONCE], class_="violations"),
        element("details", rest, element("ul", more, class_="violations")) if more else None,
        _advice(check, sources(judgement.outcomes)),
        id=anchor("check", check.id),
        class_=css(judgement.status),
        data_status=css(judgement.status),
    )


def _violations(group: list[Violation]) -> Markup:
    """What was expected, told once, and what was seen of each tool."""
    first = group[0]
    where = element("p", chips(first.revisions)) if first.revisions else None
    if len(group) == 1:
        tool = element("p", element("code", first.tool, class_="tool")) if first.tool else None
        return element("li", tool, where, _expected_saw(first.expected, first.saw))
    seen = [
        element("div", element("dt", element("code", one.tool)), element("dd", one.saw))
        for one in group
    ]
    listed: Markup = element("dl", seen, class_="seen")
    if len(group) > AT_ONCE:
        heading = element("summary", _times(group))
        listed = element("details", heading, listed, open=len(group) <= 4 * AT_ONCE)
    return element("li", where, element("dl", _expected(first.expected)), listed)


def _times(group: list[Violation]) -> str:
    """How often; the last of very many stands for those that were only counted."""
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


def _advice(check: Check, found: tuple[Check, ...]) -> Markup:
    links: list[Child] = []
    for source in found:
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
    pairs = (("Not so", example.bad, "failed"), ("But so", example.good, "passed"))
    return element(
        "div",
        [
            element("figure", element("figcaption", title), element("pre", text), class_=colour)
            for title, text, colour in pairs
        ],
        class_="example",
    )
