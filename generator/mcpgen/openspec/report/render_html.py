"""Renders the scenario matrix as a page, and as a section of a check's page."""

from __future__ import annotations

from mcpgen.analysis.render_html import heading_row, section, tile
from mcpgen.conformance.report.html.document import html_document
from mcpgen.conformance.report.html.markup import SIGNS, Markup, css, element, fragment
from mcpgen.openspec.report.matrix import STATUSES, ScenarioMatrix, ScenarioRow


def scenarios_as_html(matrix: ScenarioMatrix) -> str:
    """Renders the page: number of scenarios per status, and all scenarios.

    The page fetches nothing; text of documents is escaped. Equal matrices give equal bytes.
    """
    tiles = {"scenarios": len(matrix.rows), **matrix.counts}
    header = element(
        "header",
        element("p", "Scenarios of requirements", class_="eyebrow"),
        element("h1", matrix.name),
        element("p", matrix.summary),
        element("ul", [tile(word, number) for word, number in tiles.items()], class_="tiles"),
    )
    footer = fragment("Made by ", element("code", "mcpgen scenarios"), ".")
    return html_document(
        f"{matrix.name}: scenarios", header, {"scenarios": scenarios_table(matrix)}, footer
    )


def scenarios_table(matrix: ScenarioMatrix) -> Markup:
    """Renders the table of scenarios with missing bindings, or the failure."""
    if matrix.failure:
        heading = element("h2", "Scenarios")
        return element("section", heading, element("pre", matrix.failure), id="scenarios")
    heads = ("Scenario", "Requirement", "Status", "What is missing")
    return section(
        "scenarios", "Scenarios", heads, [_scenario_row_markup(row) for row in matrix.rows]
    )


def _scenario_row_markup(row: ScenarioRow) -> Markup:
    snippet = element("pre", row.snippet) if row.snippet else None
    missing = [element("p", row.told) if row.told else None, snippet]
    return heading_row(row.scenario, row.requirement, _badge(row), missing)


def _badge(row: ScenarioRow) -> Markup:
    """Renders a status as a colored badge."""
    status = STATUSES[row.status]
    sign = element("span", SIGNS[status], aria_hidden="true")
    return element("span", sign, " ", row.spoken, class_=f"badge {css(status)}")
