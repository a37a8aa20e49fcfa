"""Renders a report as one HTML page without external resources."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.conformance.model import Report
from mcpgen.conformance.report.grouping import columns, judgements
from mcpgen.conformance.report.html import sections
from mcpgen.conformance.report.html.document import SECTIONS, html_document
from mcpgen.conformance.report.html.findings import findings_section
from mcpgen.conformance.report.html.latency import latency
from mcpgen.conformance.report.html.markup import Child, element, fragment

NOTHING: Mapping[str, Child] = {}
"""No further sections."""


def as_html(report: Report, other_sections: Mapping[str, Child] = NOTHING) -> str:
    """The page: verdict, profiles, findings, matrix of checks and profiles, tools, latency.

    `other_sections` are further sections by their id in SECTIONS. The page works without script and
    network. Text of the server is escaped. Equal reports give equal bytes.
    """
    summaries, profiles = judgements(report), columns(report)
    verdict = "failed" if report.failed else "passed"
    footer = fragment(
        "Made by ",
        element("code", "mcpgen check"),
        ". What a check means is also told by ",
        element("code", "mcpgen explain ID"),
        ".",
    )
    parts: Mapping[str, Child] = {
        "changes": sections.changes_section(report.comparison),
        "profiles": sections.profiles_section(profiles),
        "findings": findings_section(report, summaries),
        "matrix": sections.matrix(summaries, profiles),
        "tools": sections.tools_section(report),
        "latency": latency(report),
        **other_sections,
    }
    ordered = {id: parts[id] for id in SECTIONS if id in parts}
    header = fragment(sections.overview_section(report, summaries), sections.notes(report))
    return html_document(f"{report.target} {verdict}: MCP conformance", header, ordered, footer)
