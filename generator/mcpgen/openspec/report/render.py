"""Renders the scenario matrix as text, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance.exchange import mark_invisible, printable
from mcpgen.conformance.report.as_markdown import SIGNS, code
from mcpgen.conformance.strict_json import Json
from mcpgen.openspec.report.matrix import STATUSES, ScenarioMatrix, ScenarioRow

LONGEST = 200
"""Characters of a reason on a line."""


def scenarios_as_text(found: ScenarioMatrix) -> str:
    """Renders scenarios by requirement, snippets for unbound steps, and a summary."""
    return "".join(f"{line}\n" for line in (*_lines(found), f"{found.name}: {found.summary}"))


def _lines(found: ScenarioMatrix) -> Iterator[str]:
    requirement = ""
    for row in found.rows:
        if row.requirement != requirement:
            requirement = row.requirement
            yield printable(requirement)
        told = f": {printable(row.told, LONGEST)}" if row.told else ""
        yield f"  {row.spoken:<14} {printable(row.scenario)}{told}"
    snippets = [row.snippet for row in found.rows if row.snippet]
    if snippets:
        yield from ("", "To bind the rest, paste below `scenarios:` of mcp.yaml:", "")
        yield from (mark_invisible(line) for snippet in snippets for line in snippet.splitlines())
        yield ""


def scenarios_as_json(found: ScenarioMatrix) -> dict[str, Json]:
    """Renders the matrix for programs; described in docs/json.md."""
    return {
        "target": found.name,
        "counts": dict(found.counts),
        "percent": found.percent,
        "scenarios": [_row(row) for row in found.rows],
    }


def _row(row: ScenarioRow) -> dict[str, Json]:
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


def scenarios_as_markdown(found: ScenarioMatrix) -> str:
    """Renders the matrix as a table; text of the document only in code spans."""
    lines = [f"## Scenarios of {code(found.name)}", "", found.summary, ""]
    lines += ["| requirement | scenario | status | |", "| --- | --- | --- | --- |"]
    for row in found.rows:
        told = _cell(row.told) if row.told else ""
        cells = (_cell(row.requirement), _cell(row.scenario), row.spoken, told)
        lines.append(
            f"| {cells[0]} | {cells[1]} | {SIGNS[STATUSES[row.status]]} {cells[2]} | {told} |"
        )
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Renders a text in a table cell."""
    return code(text).replace("|", r"\|")
