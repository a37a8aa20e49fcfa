"""`mcpgen scenarios`: shows bound scenarios and test results."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from mcpgen.cli.console import echo_report, progress, say
from mcpgen.cli.options import CAPABILITY, CHANGE, OPENAPI
from mcpgen.diagnostics import Severity


class ScenariosFormat(StrEnum):
    """Output format of the matrix."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


def scenarios(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A spec.md or an OpenSpec folder, or a project's folder.",
            show_default=False,
        ),
    ],
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
    openapi: Annotated[str, OPENAPI] = "",
    min_bound: Annotated[
        float,
        typer.Option(metavar="PERCENT", min=0, max=100, help="Fail if fewer steps are shown."),
    ] = 0.0,
    fail_on_pending: Annotated[
        bool, typer.Option("--fail-on-pending", help="Fail if anything is unbound or stale.")
    ] = False,
    format: Annotated[
        ScenariosFormat,
        typer.Option("--format", help="Text, Markdown, JSON for programs, or a page."),
    ] = ScenariosFormat.TEXT,
) -> None:
    """Show which scenarios are bound, or run a project's scenarios.

    Of requirements nothing is built or run; of a project its tests are. Exit codes: 0 good enough,
    1 not, or errors in the text, 2 nothing could be told, 3 a bug in mcpgen.
    """
    from mcpgen.cli.load_target import tell as tell_findings
    from mcpgen.openspec.report import render as show
    from mcpgen.openspec.report.render_html import scenarios_as_html
    from mcpgen.openspec.scenarios import scenarios as scenarios_of
    from mcpgen.pipeline import BuildOptions, TargetUnreadable

    try:
        with progress() as tell:
            options = BuildOptions(capability=capability, change=change, openapi=openapi)
            found = scenarios_of(target, options, tell=tell)
    except TargetUnreadable as error:
        raise typer.BadParameter(str(error)) from error
    if found.matrix is None:
        errors = [one for one in found.seen.diagnostics if one.severity is Severity.ERROR]
        tell_findings(found.seen, errors, "scenarios" if format is ScenariosFormat.JSON else "")
        raise typer.Exit(1)
    lacking = found.matrix.lacking(min_bound, fail_on_pending)
    code = 1 if lacking else 0
    if format is ScenariosFormat.JSON:
        head = {"version": 1, "command": "scenarios", "exit_code": code}
        text = json.dumps({**head, **show.scenarios_as_json(found.matrix)}, indent=2) + "\n"
    else:
        made = {
            ScenariosFormat.TEXT: show.scenarios_as_text,
            ScenariosFormat.MARKDOWN: show.scenarios_as_markdown,
            ScenariosFormat.HTML: scenarios_as_html,
        }
        text = made[format](found.matrix)
    echo_report(text, format)
    if lacking:
        say(f"error: {lacking}")
    raise typer.Exit(code)
