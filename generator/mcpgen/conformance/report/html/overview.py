"""The top of the page: what was checked, the verdict, and how each profile fared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mcpgen.conformance.model import CheckStatus, Report
from mcpgen.conformance.report.grouping import WORST, CheckSummary, worst
from mcpgen.conformance.report.html.components import bar, chips, css, prose, sign
from mcpgen.conformance.report.html.markup import Markup, element
from mcpgen.conformance.report.profiles import Column

TILES = {
    CheckStatus.FAILED: "failed",
    CheckStatus.WARNING: "warned",
    CheckStatus.KNOWN: "known",
    CheckStatus.PASSED: "held",
    CheckStatus.NOT_APPLICABLE: "not applicable",
}
"""What the number of checks with a status is called, in the order of the tiles."""


def overview_section(report: Report, judged: tuple[CheckSummary, ...]) -> Markup:
    """The target, the verdict in a word, and the numbers of checks behind it."""
    found = Counter(judgement.status for judgement in judged)
    counts = {status: found[status] for status in WORST}
    verdict = "Failed" if report.failed else "Passed"
    spoken = report.revisions
    return element(
        "header",
        element("p", "MCP conformance", class_="eyebrow"),
        element("h1", report.target),
        element(
            "p",
            element("strong", verdict, class_=f"verdict {verdict.lower()}"),
            element("span", f"{len(judged)} checks in {report.seconds:.1f} s", class_="quiet"),
            element("span", ["speaks ", chips(spoken)] if spoken else "speaks no MCP"),
            class_="facts",
        ),
        element("ul", [_tile(status, counts) for status in TILES], class_="tiles"),
        bar(counts),
    )


def notes(report: Report) -> Markup | None:
    """What was left out on purpose, if anything was."""
    if not report.notes:
        return None
    return element("ul", [element("li", prose(note)) for note in report.notes], class_="notes")


def profiles(columns: tuple[Column, ...]) -> Markup:
    """A card for each profile: how its checks ended."""
    return element(
        "section",
        element("h2", "Profiles"),
        element("ul", [_card(column) for column in columns], class_="cards"),
        id="profiles",
    )


def _tile(status: CheckStatus, counts: Mapping[CheckStatus, int]) -> Markup:
    number = counts[status]
    return element(
        "li",
        element("b", number),
        " ",
        element("span", TILES[status]),
        class_=css(status) if number else f"{css(status)} none",
    )


def _card(column: Column) -> Markup:
    counts = column.counts
    told = [f"{counts[status]} {TILES[status]}" for status in TILES if counts[status]]
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
        element("p", ", ".join(told), class_="quiet"),
    )
