"""`mcpgen check`: is this server, or this project, any good?"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from mcpgen.cli.console import progress, say

if TYPE_CHECKING:
    from mcpgen.pipeline import Outcome


class ReportFormat(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


class Call(StrEnum):
    """Which tools of a server may be called."""

    NONE = "none"
    SAFE = "safe"
    ALL = "all"


def check(
    context: typer.Context,
    target: Annotated[
        str, typer.Argument(help="A project's folder, or the URL of any MCP server.")
    ],
    call: Annotated[
        Call,
        typer.Option(help="Which tools to call: those announced read-only are safe. For a URL."),
    ] = Call.SAFE,
    header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:VALUE", help="Send this header, such as a credential. For a URL."
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds to wait for an answer. For a URL.")
    ] = 10.0,
    format: Annotated[
        ReportFormat, typer.Option("--format", help="Text for people, JSON or JUnit for programs.")
    ] = ReportFormat.TEXT,
) -> None:
    """Check an MCP server for conformance.

    A project is started for the purpose, before an API that answers from its specification, and all
    of its tools are called. A server behind a URL is checked as it stands.
    """
    from mcpgen import pipeline
    from mcpgen.cli import summary

    if pipeline.is_url(target):
        from mcpgen.conformance import Calls, Options

        options = Options(call=Calls(call.value), headers=_headers(header or []), timeout=timeout)
    else:
        _refuse_unfit(context, target)
        options = None
    with progress() as tell:
        outcome = pipeline.check(target, options, tell=tell)
    code = 0 if outcome.status.good else 1
    if format is ReportFormat.JSON:
        typer.echo(json.dumps(summary.as_json(outcome, "check", code), indent=2))
    else:
        if shown := summary.findings(outcome):
            say(shown)
        typer.echo(_text(outcome, format), nl=False)
    raise typer.Exit(code)


def _refuse_unfit(context: typer.Context, target: str) -> None:
    """Raises BadParameter for a target that is no project, and for options projects do not have."""
    from mcpgen import pipeline

    for name in ("call", "header", "timeout"):
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            raise typer.BadParameter(f"--{name} is for the URL of a server, not for a project.")
    if not pipeline.has_project(target):
        raise typer.BadParameter(
            f"{target} is neither a URL (http://…, https://…) nor the folder of a project.",
            param_hint="TARGET",
        )


def _text(outcome: Outcome, format: ReportFormat) -> str:
    """The outcome for standard output, but for its findings."""
    from mcpgen.cli import summary
    from mcpgen.conformance import as_junit, as_text

    report = outcome.report
    if format is ReportFormat.JUNIT:
        return as_junit(report) if report else ""
    if report and not outcome.tools:
        return as_text(report)
    return summary.of_check(outcome) + "\n"


def _headers(given: list[str]) -> dict[str, str]:
    """The headers of `Name: value` texts."""
    headers = {}
    for text in given:
        name, colon, value = text.partition(":")
        if not colon or not name.strip():
            raise typer.BadParameter(
                f"`{name}` has no value; write NAME:VALUE.", param_hint="--header"
            )
        headers[name.strip()] = value.strip()
    return headers
