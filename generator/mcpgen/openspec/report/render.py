"""Renders the scenario matrix as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from mcpgen.conformance.exchange import mark_invisible, printable
from mcpgen.conformance.report.as_junit import COMMAND, legal
from mcpgen.conformance.report.as_markdown import SIGNS, code
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
            f"| {cells[0]} | {cells[1]} | {SIGNS[STATUSES[row.status]]} {cells[2]} | {detail} |"
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
