"""The matrix of scenarios as a page, and as a part of the page of a check."""

from __future__ import annotations

from mcpgen.conformance.report.page.document import document
from mcpgen.conformance.report.page.markup import Markup, element, fragment
from mcpgen.conformance.report.page.parts import SIGNS, css
from mcpgen.survey.scenarios import STATUSES, Matrix, Row
from mcpgen.survey.show.as_html import line, section, tile


def as_html(found: Matrix) -> str:
    """The page: how many scenarios have which status, and each of them.

    It fetches nothing; what a document says is text on it, whatever it spells. The same matrix gives
    the same bytes.
    """
    tiles = {"scenarios": len(found.rows), **found.counts}
    header = element(
        "header",
        element("p", "Scenarios of requirements", class_="eyebrow"),
        element("h1", found.name),
        element("p", found.summary),
        element("ul", [tile(word, number) for word, number in tiles.items()], class_="tiles"),
    )
    footer = fragment("Made by ", element("code", "mcpgen scenarios"), ".")
    return document(f"{found.name}: scenarios", header, {"scenarios": scenarios(found)}, footer)


def scenarios(found: Matrix) -> Markup:
    """The table of scenarios, with their requirements and what is missing of them; or why there is
    none."""
    if found.failure:
        heading = element("h2", "Scenarios")
        return element("section", heading, element("pre", found.failure), id="scenarios")
    heads = ("Scenario", "Requirement", "Status", "What is missing")
    return section("scenarios", "Scenarios", heads, [_row(row) for row in found.rows])


def _row(row: Row) -> Markup:
    snippet = element("pre", row.snippet) if row.snippet else None
    missing = [element("p", row.told) if row.told else None, snippet]
    return line(row.scenario, row.requirement, _badge(row), missing)


def _badge(row: Row) -> Markup:
    """The word of a status on its colour."""
    status = STATUSES[row.status]
    shown = element("span", SIGNS[status], aria_hidden="true")
    return element("span", shown, " ", row.spoken, class_=f"badge {css(status)}")
