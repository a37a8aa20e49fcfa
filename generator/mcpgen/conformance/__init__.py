"""Conformance of any MCP server over HTTP: checks on a raw probe, and a report.

Knows nothing of the generator; the only module of ours it uses makes sample values.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.conformance.checks import TABLE
    from mcpgen.conformance.checks.explain import explain
    from mcpgen.conformance.comparison import (
        EarlierReport,
        ReportUnreadable,
        compare_reports,
        read_earlier_report,
    )
    from mcpgen.conformance.model import (
        Check,
        CheckOutcome,
        CheckStatus,
        Level,
        Measurement,
        Report,
    )
    from mcpgen.conformance.options import CallableTools, CheckOptions
    from mcpgen.conformance.profiles import PROFILES, Profile
    from mcpgen.conformance.report.as_badge import as_badge
    from mcpgen.conformance.report.as_html import as_html
    from mcpgen.conformance.report.as_json import as_json, report_schema
    from mcpgen.conformance.report.as_junit import as_junit
    from mcpgen.conformance.report.as_markdown import as_markdown
    from mcpgen.conformance.report.as_sarif import as_sarif
    from mcpgen.conformance.report.as_text import as_text
    from mcpgen.conformance.run import check
    from mcpgen.conformance.saved_listing import check_list

__all__ = [
    "PROFILES",
    "TABLE",
    "CallableTools",
    "Check",
    "CheckOptions",
    "CheckOutcome",
    "CheckStatus",
    "EarlierReport",
    "Level",
    "Measurement",
    "Profile",
    "Report",
    "ReportUnreadable",
    "as_badge",
    "as_html",
    "as_json",
    "as_junit",
    "as_markdown",
    "as_sarif",
    "as_text",
    "check",
    "check_list",
    "compare_reports",
    "explain",
    "read_earlier_report",
    "report_schema",
]

_HOMES = {
    "TABLE": "checks",
    "explain": "checks.explain",
    **dict.fromkeys(
        ("Check", "Level", "Measurement", "CheckOutcome", "Report", "CheckStatus"), "model"
    ),
    **dict.fromkeys(("CallableTools", "CheckOptions"), "options"),
    **dict.fromkeys(("PROFILES", "Profile"), "profiles"),
    **{
        name: f"report.{name}"
        for name in (
            "as_badge",
            "as_html",
            "as_json",
            "as_junit",
            "as_markdown",
            "as_sarif",
            "as_text",
        )
    },
    **dict.fromkeys(
        ("EarlierReport", "ReportUnreadable", "compare_reports", "read_earlier_report"),
        "comparison",
    ),
    "report_schema": "report.as_json",
    "check": "run",
    "check_list": "saved_listing",
}
"""The module of each public name, loaded on first use. `mcpgen build` needs only the sizes of
tools; importing every check costs about 0.1 s.
"""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
