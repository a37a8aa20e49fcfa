"""Renders the scenario matrix as JUnit XML, the format CI systems show."""

from __future__ import annotations

from xml.etree import ElementTree

from mcpgen.conformance.report.as_junit import COMMAND, legal
from mcpgen.openspec.report.matrix import OPEN, ScenarioMatrix, ScenarioRow


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
