"""`mcpgen scenarios`: shows bound scenarios and test results."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from mcpgen.cli.console import echo_report, progress, say
from mcpgen.cli.options import BEARER_ENV, CAPABILITY, CHANGE, OPENAPI

if TYPE_CHECKING:
    from mcpgen.openspec.scenarios import ScenarioReport


class ScenariosFormat(StrEnum):
    """Output format of the matrix."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"
    JUNIT = "junit"


def scenarios(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A spec.md or an OpenSpec folder, or a project's folder.",
            show_default=False,
        ),
    ],
    against: Annotated[
        str,
        typer.Option(
            metavar="URL|COMMAND",
            help="Perform the scenarios against this server: its URL, or the command of a server on "
            "standard input and output.",
            show_default=False,
        ),
    ] = "",
    given: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIXTURE",
            help="With --against: the server has the state of this fixture. Repeatable.",
            show_default=False,
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:VALUE", help="With --against: send this header. Repeatable."),
    ] = None,
    bearer_env: Annotated[str, BEARER_ENV] = "",
    timeout: Annotated[
        float, typer.Option(min=0.1, help="With --against: seconds to wait for an answer.")
    ] = 30.0,
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
    openapi: Annotated[str, OPENAPI] = "",
    min_bound: Annotated[
        float,
        typer.Option(
            metavar="PERCENT",
            min=0,
            max=100,
            help="Fail if fewer steps are bound; manual, drafted and stale ones do not count.",
        ),
    ] = 0.0,
    fail_on_pending: Annotated[
        bool, typer.Option("--fail-on-pending", help="Fail if anything is unbound or stale.")
    ] = False,
    format: Annotated[
        ScenariosFormat,
        typer.Option("--format", help="Text, Markdown, JSON for programs, a page, or JUnit XML."),
    ] = ScenariosFormat.TEXT,
) -> None:
    """Show which scenarios are bound, or perform them.

    The scenarios of a project are performed, or --against a running server. Of requirements alone nothing is built or run; of a project its tests are. Against a server every
    call of the scenarios is made, also calls that change something. Exit codes: 0 good enough, 1
    not, or errors in the text, 2 nothing could be told, 3 a bug in mcpgen.
    """
    from mcpgen.cli.load_target import exit_with_errors
    from mcpgen.openspec.report import render
    from mcpgen.openspec.scenarios import scenarios as scenarios_of
    from mcpgen.pipeline import BuildOptions, TargetUnreadable

    try:
        with progress() as tell:
            if against:
                chosen = _Chosen(tuple(given or ()), tuple(header or ()), bearer_env, timeout)
                report = _against(target, against, chosen, change, capability, openapi)
            else:
                options = BuildOptions(capability=capability, change=change, openapi=openapi)
                report = scenarios_of(target, options, tell=tell)
    except TargetUnreadable as error:
        raise typer.BadParameter(str(error)) from error
    if report.matrix is None:
        exit_with_errors(report.seen, "scenarios" if format is ScenariosFormat.JSON else "")
    lacking = report.matrix.lacking(min_bound, fail_on_pending)
    code = 1 if lacking else 0
    if format is ScenariosFormat.JSON:
        head = {"version": 1, "command": "scenarios", "exit_code": code}
        text = json.dumps({**head, **render.scenarios_as_json(report.matrix)}, indent=2) + "\n"
    else:
        renderers = {
            ScenariosFormat.TEXT: render.scenarios_as_text,
            ScenariosFormat.MARKDOWN: render.scenarios_as_markdown,
            ScenariosFormat.HTML: render.scenarios_as_html,
            ScenariosFormat.JUNIT: render.scenarios_as_junit,
        }
        text = renderers[format](report.matrix)
    echo_report(text, format)
    if lacking:
        say(f"error: {lacking}")
    raise typer.Exit(code)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The options that need --against."""

    given: tuple[str, ...]
    headers: tuple[str, ...]
    bearer_env: str
    seconds: float


def _against(
    spec: str, target: str, chosen: _Chosen, change: str, capability: str, openapi: str
) -> ScenarioReport:
    """Performs the scenarios against a server. Raises BadParameter for unusable options."""
    from mcpgen.cli.auth_options import resolve_header_options
    from mcpgen.openspec.against.run import AgainstOptions
    from mcpgen.openspec.scenarios import scenarios_against

    credentials = resolve_header_options(chosen.headers, chosen.bearer_env)
    options = AgainstOptions(credentials.headers, chosen.given, chosen.seconds)
    return scenarios_against(
        spec,
        target,
        options,
        change=change,
        capability=capability,
        openapi=openapi,
        secrets=credentials.secrets,
    )
