"""`mcpgen lint`: reports names, texts and arguments of an API description that mislead models."""

from __future__ import annotations

import sys
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from mcpgen.cli.console import echo, echo_json, say, shows_color
from mcpgen.cli.options import CAPABILITY, CHANGE, CONFIG, OPENAPI, VERBOSE, count
from mcpgen.diagnostics import Severity

if TYPE_CHECKING:
    from mcpgen.pipeline import LoadedTools

MAX_SHOWN = {Severity.ERROR: 100, Severity.WARNING: 10, Severity.NOTE: 3}
"""Most findings of one code shown in full, by severity; further findings are counted."""


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
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
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

    Tool hints such as `readOnlyHint` and hidden text are checked, too.

    Exit codes: 0 no errors (with --strict: and no warnings), 1 errors (with --strict: or warnings),
    2 wrong usage or environment, 3 a bug in mcpgen.
    """
    from mcpgen.cli.build_output import finding_as_json, format_findings
    from mcpgen.cli.load_target import load_with_progress
    from mcpgen.pipeline import BuildOptions, lint_target

    loaded_tools = load_with_progress(
        lambda stdin, tell: lint_target(
            spec,
            BuildOptions(config=config, capability=capability, change=change, openapi=openapi),
            stdin=stdin,
            tell=tell,
        ),
        spec,
    )
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    exit_code = 1 if any(finding.severity in failing for finding in loaded_tools.diagnostics) else 0
    if format is LintFormat.JSON:
        report = {
            "version": 1,
            "command": "lint",
            "exit_code": exit_code,
            "tools": len(loaded_tools.server.tools) if loaded_tools.server else 0,
            "diagnostics": [
                finding_as_json(finding, loaded_tools.places)
                for finding in loaded_tools.diagnostics
            ],
        }
        echo_json(report)
    elif format is LintFormat.SARIF:
        # Imported here: `--help` of every command loads this module.
        from mcpgen.diagnostics.sarif import diagnostics_as_sarif

        log = diagnostics_as_sarif(
            loaded_tools.diagnostics, loaded_tools.places.position, "mcpgen lint"
        )
        echo_json(log)
    else:
        max_shown = None if verbose else MAX_SHOWN
        if text := format_findings(
            loaded_tools.diagnostics, loaded_tools.places, max_shown, color=shows_color(sys.stderr)
        ):
            say(text)
        echo(_findings_summary(spec, loaded_tools))
    raise typer.Exit(exit_code)


def _findings_summary(spec: str, loaded_tools: LoadedTools) -> str:
    """Returns the last line: findings per severity and the number of tools."""
    counts = Counter(finding.severity for finding in loaded_tools.diagnostics)
    parts = [count(counts[severity], severity.value) for severity in Severity if counts[severity]]
    tools = count(len(loaded_tools.server.tools) if loaded_tools.server else 0, "tool")
    return f"{spec}: {', '.join(parts) or 'nothing to mend'} ({tools})"
