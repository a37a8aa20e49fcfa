"""Renders the scenario matrix as text, JSON, Markdown, JUnit XML and HTML, and as a section of a
check's page."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from mcpgen.analysis.render_html import heading_row, section, tile
from mcpgen.conformance.exchange import mark_invisible, printable
from mcpgen.conformance.report import as_markdown
from mcpgen.conformance.report.as_junit import COMMAND, legal
from mcpgen.conformance.report.as_markdown import code
from mcpgen.conformance.report.html.document import html_document
from mcpgen.conformance.report.html.markup import SIGNS, Markup, css, element, fragment
from mcpgen.conformance.strict_json import Json
from mcpgen.openspec.report.matrix import OPEN, STATUSES, ScenarioMatrix, ScenarioRow

MAX_DETAIL = 200
"""Characters of a reason on a line."""


def scenarios_as_text(matrix: ScenarioMatrix) -> str:
    """Renders scenarios by requirement, snippets for unbound steps, and a summary."""
    return "".join(
        f"{line}\n" for line in (*_matrix_lines(matrix), f"{matrix.name}: {matrix.summary}")
    )


def _matrix_lines(matrix: ScenarioMatrix) -> Iterator[str]:
    requirement = ""
    for row in matrix.rows:
        if row.requirement != requirement:
            requirement = row.requirement
            yield printable(requirement)
        detail = f": {printable(row.told, MAX_DETAIL)}" if row.told else ""
        yield f"  {row.spoken:<14} {printable(row.scenario)}{detail}"
    snippets = [row.snippet for row in matrix.rows if row.snippet]
    if snippets:
        yield from ("", "To bind the rest, paste below `scenarios:` of mcp.yaml:", "")
        yield from (mark_invisible(line) for snippet in snippets for line in snippet.splitlines())
        yield ""


def scenarios_as_json(matrix: ScenarioMatrix) -> dict[str, Json]:
    """Renders the matrix for programs; described in docs/json.md."""
    return {
        "target": matrix.name,
        "counts": dict(matrix.counts),
        "percent": matrix.percent,
        "scenarios": [_scenario_row_json(row) for row in matrix.rows],
    }


def _scenario_row_json(row: ScenarioRow) -> dict[str, Json]:
    return {
        "requirement": row.requirement,
        "scenario": row.scenario,
        "status": row.status,
        "bound": row.bound,
        "steps": row.count,
        "at": row.at,
        "told": row.told,
        "snippet": row.snippet,
    }


def scenarios_as_markdown(matrix: ScenarioMatrix) -> str:
    """Renders the matrix as a table; text of the document only in code spans."""
    lines = [f"## Scenarios of {code(matrix.name)}", "", matrix.summary, ""]
    lines += ["| requirement | scenario | status | |", "| --- | --- | --- | --- |"]
    for row in matrix.rows:
        detail = _cell(row.told) if row.told else ""
        cells = (_cell(row.requirement), _cell(row.scenario), row.spoken, detail)
        lines.append(
            f"| {cells[0]} | {cells[1]} | {as_markdown.SIGNS[STATUSES[row.status]]} {cells[2]} | {detail} |"
        )
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Renders a text in a table cell."""
    return code(text).replace("|", r"\|")


def scenarios_as_junit(matrix: ScenarioMatrix) -> str:
    """Renders a test suite with a case for each scenario.

    Open and manual scenarios are skipped with the missing steps, so no unbound step is green.
    """
    statuses = [row.status for row in matrix.rows]
    suite = ElementTree.Element(
        "testsuite",
        name=legal(f"mcpgen scenarios {matrix.name}"),
        tests=str(len(statuses)),
        failures=str(statuses.count("failed")),
        errors="0",
        skipped=str(sum(status not in ("failed", "passed", "bound") for status in statuses)),
    )
    for row in matrix.rows:
        _case(suite, row)
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
    return COMMAND.sub(lambda match: f"&#{ord(match[0])};", text)


def _case(suite: ElementTree.Element, row: ScenarioRow) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=legal(row.requirement), name=legal(row.scenario), time="0"
    )
    if row.status == "failed":
        failure = ElementTree.SubElement(case, "failure", message=legal(row.told[:200]))
        failure.text = legal(f"{row.at}\n{row.told}")
    elif row.status in OPEN or row.status == "manual":
        ElementTree.SubElement(case, "skipped", message=legal(f"{row.spoken}: {row.told}"))


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
