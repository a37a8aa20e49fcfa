"""Conformance of any MCP server over HTTP: checks on a raw probe, and a report.

Knows nothing of the generator; the only module of ours it uses makes sample values.
"""

from mcpgen.conformance.checks import TABLE
from mcpgen.conformance.explain import explain
from mcpgen.conformance.model import Check, Level, Measurement, Outcome, Report, Status
from mcpgen.conformance.options import Calls, Options
from mcpgen.conformance.profiles import PROFILES, Profile
from mcpgen.conformance.report import (
    as_html,
    as_json,
    as_junit,
    as_markdown,
    as_sarif,
    as_text,
    schema,
)
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
