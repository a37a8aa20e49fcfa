"""Conformance of any MCP server over HTTP: checks on a raw probe, and a report.

Knows nothing of the generator; the only module of ours it uses makes sample values.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.conformance.checks import TABLE
    from mcpgen.conformance.meanings import explain
    from mcpgen.conformance.model import Check, Level, Measurement, Outcome, Report, Status
    from mcpgen.conformance.options import Calls, Options
    from mcpgen.conformance.profiles import PROFILES, Profile
    from mcpgen.conformance.report.as_html import as_html
    from mcpgen.conformance.report.as_json import as_json, schema
    from mcpgen.conformance.report.as_junit import as_junit
    from mcpgen.conformance.report.as_markdown import as_markdown
    from mcpgen.conformance.report.as_sarif import as_sarif
    from mcpgen.conformance.report.as_text import as_text
    from mcpgen.conformance.run import check
    from mcpgen.conformance.static import check_list

__all__ = [
    "PROFILES",
    "TABLE",
    "Calls",
    "Check",
    "Level",
    "Measurement",
    "Options",
    "Outcome",
    "Profile",
    "Report",
    "Status",
    "as_html",
    "as_json",
    "as_junit",
    "as_markdown",
    "as_sarif",
    "as_text",
    "check",
    "check_list",
    "explain",
    "schema",
]

_HOMES = {
    "TABLE": "checks",
    "explain": "meanings",
    **dict.fromkeys(("Check", "Level", "Measurement", "Outcome", "Report", "Status"), "model"),
    **dict.fromkeys(("Calls", "Options"), "options"),
    **dict.fromkeys(("PROFILES", "Profile"), "profiles"),
    **dict.fromkeys(
        ("as_html", "as_json", "as_junit", "as_markdown", "as_sarif", "as_text", "schema"), "report"
    ),
    "check": "run",
    "check_list": "static",
}
"""The module of each name. A build weighs the tools of a large server with one module of this package;
to load all checks for that would cost it a tenth of a second."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
