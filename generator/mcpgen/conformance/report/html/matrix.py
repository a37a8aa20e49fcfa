"""The matrix: a row for each check, a column for each profile."""

from __future__ import annotations

from mcpgen.conformance.report.grouping import VIOLATED, CheckSummary
from mcpgen.conformance.report.html.components import anchor, css, prose, sign
from mcpgen.conformance.report.html.markup import Markup, element
from mcpgen.conformance.report.profiles import Column

LABEL = "How each check ended in each profile"


def matrix(judged: tuple[CheckSummary, ...], columns: tuple[Column, ...]) -> Markup:
    """The table; a check with violations links to where they are told."""
    heads = [
        element("th", element("span", column.word), scope="col", title=column.title)
        for column in columns
    ]
    table = element(
        "table",
        element("caption", LABEL, class_="spoken"),
        element("thead", element("tr", element("th", "Check", scope="col"), heads)),
        element("tbody", [_row(judgement, columns) for judgement in judged]),
    )
    return element(
        "section",
        element("h2", "Checks and profiles"),
        element("div", table, class_="scroll", tabindex=0, role="region", aria_label=LABEL),
        id="matrix",
    )


def _row(judgement: CheckSummary, columns: tuple[Column, ...]) -> Markup:
    check = judgement.check
    name: Markup = element("code", check.id)
    if judgement.status in VIOLATED:
        name = element("a", name, href=f"#{anchor('check', check.id)}")
    return element(
        "tr",
        element("th", name, element("span", prose(check.sentence)), scope="row"),
        [_cell(column, check.id) for column in columns],
        data_status=css(judgement.status),
    )


def _cell(column: Column, id: str) -> Markup:
    status = column.checks.get(id)
    if status is None:
        return element("td")
    return element("td", sign(status), class_=css(status))
