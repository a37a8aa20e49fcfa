"""Starts and checks a built server."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Diagnostics, Location, Severity
from mcpgen.diagnostics.codes import config as config_codes
from mcpgen.diagnostics.codes import smoke_test as codes
from mcpgen.emit.runtime import runtime_environment
from mcpgen.ir.server import Server
from mcpgen.pipeline.project_checks import missing_extras
from mcpgen.pipeline.result import PhaseTimer

if TYPE_CHECKING:
    from mcpgen.conformance.model import Report
    from mcpgen.conformance.options import CheckOptions as Checks
    from mcpgen.conformance.run_config import PassCriteria

EVERYWHERE = "universal-tool-name"
"""The check of tool names with the strictest rule of all hosts."""

REPORTED = {config_codes.MANY_TOOLS: "universal-tool-count"}
"""Codes of a build with the id of the equivalent check on a running server."""


def _accept_declared_names(report: Report) -> Report:
    """Lowers the failed check of a tool name outside of mcpgen's own pattern to a warning: only the
    author can declare the name, and no known host refuses the name."""
    from mcpgen.conformance.model import CheckStatus
    from mcpgen.lower.names import is_legal_tool_name

    outcomes = tuple(
        (
            replace(outcome, status=CheckStatus.WARNING)
            if outcome.check.id == EVERYWHERE
            and outcome.status is CheckStatus.FAILED
            and not is_legal_tool_name(outcome.tool)
            else outcome
        )
        for outcome in report.outcomes
    )
    return replace(report, outcomes=outcomes)


def can_start(
    folder: Path, name: str, diagnostics: Diagnostics, severity: Severity | None = None
) -> bool:
    """True if the packages of the project are installed, for packages from extras of mcpgen. Adds
    PACKAGES_MISSING with `severity`."""
    missing = missing_extras(folder)
    if missing:
        diagnostics.add(
            config_codes.PACKAGES_MISSING,
            Location(name),
            severity=severity,
            packages=", ".join(f"`{distribution}`" for distribution in missing),
            extras=",".join(sorted(set(missing.values()))),
        )
    return not missing


def verify_project(
    server: Server,
    folder: Path,
    name: str,
    clock: PhaseTimer,
    diagnostics: Diagnostics,
    checks: Checks | None = None,
    terms: PassCriteria | None = None,
) -> Report:
    """Starts the project in a folder, named `name` in messages, and checks the server.

    Adds DID_NOT_START, CHECK_FAILED and CHECK_WARNED, at the operation of the affected tool.
    """
    with clock.phase("trial"):
        from mcpgen.conformance.run_config import apply_criteria
        from mcpgen.smoke_test.runner import run_smoke_test

        report = _accept_declared_names(
            run_smoke_test(server, folder, checks, environment=runtime_environment())
        )
        report = apply_criteria(report, terms) if terms else report
    report_outcomes(report, server, name, diagnostics)
    return report


def report_outcomes(report: Report, server: Server, name: str, diagnostics: Diagnostics) -> None:
    """Adds DID_NOT_START, CHECK_FAILED and CHECK_WARNED for the outcomes of a run, except for
    checks already reported by the build."""
    from mcpgen.conformance import CheckStatus
    from mcpgen.conformance.checks.run_checks import STARTS

    reported_checks = {
        REPORTED[diagnostic.code] for diagnostic in diagnostics if diagnostic.code in REPORTED
    }
    places = {tool.name: tool.at for tool in server.tools}
    kinds = {CheckStatus.FAILED: codes.CHECK_FAILED, CheckStatus.WARNING: codes.CHECK_WARNED}
    for outcome in report.outcomes:
        at = places.get(outcome.tool, Location(name))
        if outcome.check is STARTS and outcome.status is CheckStatus.FAILED:
            # A diagnostic has a single line.
            reason = ": ".join(outcome.saw.splitlines())
            diagnostics.add(codes.DID_NOT_START, at, reason=reason, package=server.package)
        elif (code := kinds.get(outcome.status)) and outcome.check.id not in reported_checks:
            subject = f"the tool `{outcome.tool}`" if outcome.tool else "the built server"
            facts = {"check": outcome.check.id, "expected": outcome.expected, "saw": outcome.saw}
            diagnostics.add(code, at, severity=None, subject=subject, **facts)
