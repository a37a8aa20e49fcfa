"""`mcpgen lint`: finds texts of a description with risks for models."""

from __future__ import annotations

import sys
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from mcpgen.cli.console import coloured, echo, echo_json, say
from mcpgen.cli.options import CAPABILITY, CHANGE, CONFIG, OPENAPI, VERBOSE, count
from mcpgen.diagnostics import Severity

if TYPE_CHECKING:
    from mcpgen.pipeline import LoadedTools

SHOWN = {Severity.ERROR: 100, Severity.WARNING: 10, Severity.NOTE: 3}
"""Findings of one code shown in full, by severity; further findings are counted."""


class LintFormat(StrEnum):
    """Output format of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def lint(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            help="An API description or a project's folder (- for standard input).",
            show_default=False,
        ),
    ],
    strict: Annotated[bool, typer.Option("--strict", help="Take warnings for errors.")] = False,
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
    openapi: Annotated[str, OPENAPI] = "",
    config: Annotated[str, CONFIG] = "",
    verbose: Annotated[bool, VERBOSE] = False,
    format: Annotated[
        LintFormat,
        typer.Option("--format", help="Text, JSON for programs, or SARIF for code hosts."),
    ] = LintFormat.TEXT,
) -> None:
    """Find descriptions, names and arguments that mislead models.

    Hints and hidden text are searched, too.

    Exit codes: 0 no errors (with --strict: and no warnings), 1 findings, 2 wrong usage or environment,
    3 a bug in mcpgen.
    """
    from mcpgen.cli.build_output import finding_as_json, format_findings
    from mcpgen.cli.load_target import load_silently
    from mcpgen.pipeline import BuildOptions, lint_target

    found = load_silently(
        lambda stdin, tell: lint_target(
            spec,
            BuildOptions(config=config, capability=capability, change=change, openapi=openapi),
            stdin=stdin,
            tell=tell,
        ),
        spec,
    )
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    exit_code = 1 if any(one.severity in failing for one in found.diagnostics) else 0
    if format is LintFormat.JSON:
        tree = {
            "version": 1,
            "command": "lint",
            "exit_code": exit_code,
            "tools": len(found.server.tools) if found.server else 0,
            "diagnostics": [finding_as_json(one, found.places) for one in found.diagnostics],
        }
        echo_json(tree)
    elif format is LintFormat.SARIF:
        # Imported here: `--help` of every command loads this module.
        from mcpgen.diagnostics.sarif import diagnostics_as_sarif

        log = diagnostics_as_sarif(found.diagnostics, found.places.position, "mcpgen lint")
        echo_json(log)
    else:
        most = None if verbose else SHOWN
        if text := format_findings(
            found.diagnostics, found.places, most, colour=coloured(sys.stderr)
        ):
            say(text)
        echo(_findings_summary(spec, found))
    raise typer.Exit(exit_code)


def _findings_summary(spec: str, found: LoadedTools) -> str:
    """Returns the last line: findings per severity and the number of tools."""
    counted = Counter(one.severity for one in found.diagnostics)
    parts = [count(counted[one], one.value) for one in Severity if counted[one]]
    looked = count(len(found.server.tools) if found.server else 0, "tool")
    return f"{spec}: {', '.join(parts) or 'nothing to mend'} ({looked})"
