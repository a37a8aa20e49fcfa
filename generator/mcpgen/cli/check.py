"""`mcpgen check`: checks a server or a project."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from mcpgen.cli.console import echo_report, progress, say
from mcpgen.cli.options import (
    ALL_PROJECTS,
    BEARER_ENV,
    JOBS,
    VERBOSE,
    ReportFormat,
    given_parameters,
)


class CallOption(StrEnum):
    """The tools a check may call."""

    NONE = "none"
    SAFE = "safe"
    ALL = "all"


def check(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="The URL of any MCP server, a project's folder, or a saved answer to tools/list "
            "(- for standard input).",
            show_default=False,
        ),
    ] = "",
    run: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="Start the server with this command, and stop it at the end. {port} in it and in "
            "TARGET is a free port, also found in PORT.",
            show_default=False,
        ),
    ] = "",
    stdio: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="Check the server that this command starts, over stdio, in place of TARGET.",
            show_default=False,
        ),
    ] = "",
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:VALUE", help="Send this header, too. Repeatable."),
    ] = None,
    bearer_env: Annotated[str, BEARER_ENV] = "",
    oauth_token_url: Annotated[
        str,
        typer.Option(
            metavar="URL", help="Fetch an access token there, as a client.", show_default=False
        ),
    ] = "",
    oauth_client_id: Annotated[
        str, typer.Option(metavar="ID", help="The client's id.", show_default=False)
    ] = "",
    oauth_secret_env: Annotated[
        str,
        typer.Option(
            metavar="VAR", help="The variable with the client's secret.", show_default=False
        ),
    ] = "",
    oauth_scope: Annotated[
        list[str] | None, typer.Option(metavar="SCOPE", help="Ask for this scope. Repeatable.")
    ] = None,
    oauth_resource: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The server the token is for, if it is not TARGET.",
            show_default=False,
        ),
    ] = "",
    profile: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            help="Check this profile: a revision (mcp-2025-11-25), universal, security, latency, "
            "a host. Repeatable, or with commas.",
        ),
    ] = None,
    call: Annotated[
        CallOption, typer.Option(help="Which tools to call: those announced read-only are safe.")
    ] = CallOption.SAFE,
    active: Annotated[
        bool,
        typer.Option(
            "--active",
            help="Also send hostile and malformed requests; use only on a server of your own.",
        ),
    ] = False,
    official: Annotated[
        bool,
        typer.Option(
            "--official",
            help="Ask the official conformance suite, too (needs Node 22 or mcpgen[official]).",
        ),
    ] = False,
    trusted_domain: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DOMAIN",
            help="Experience Workspace trusts this domain; *.example.com and all below. Repeatable.",
        ),
    ] = None,
    pace: Annotated[
        float,
        typer.Option(
            metavar="FACTOR",
            min=0.01,
            help="Multiply the time limits of hosts by this factor, such as 2 on a slow network.",
        ),
    ] = 1.0,
    refused_token: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD=VAR",
            help="Check that the server refuses the token in environment variable VAR. WORD says what "
            "is wrong with it: expired=OLD_TOKEN. Repeatable.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Make only this check. Repeatable.")
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Leave this check out. Repeatable.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Seconds to wait for each answer.")
    ] = 10.0,
    call_timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            help="Seconds to wait for the answer of a tool; progress extends the time.",
        ),
    ] = 60.0,
    deadline: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=1,
            help="Seconds for the whole run (default: 120).",
            show_default=False,
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Take warnings for failures.")] = False,
    baseline: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Fail only on findings that this file does not list, and on listed ones that are gone.",
            show_default=False,
        ),
    ] = "",
    write_baseline: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write the findings of this run to a file for --baseline.",
            show_default=False,
        ),
    ] = "",
    compare: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="An earlier JSON report: fail only if a check became worse since.",
            show_default=False,
        ),
    ] = "",
    badge: Annotated[
        str,
        typer.Option(metavar="FILE", help="Write the verdict as an SVG badge.", show_default=False),
    ] = "",
    sarif_artifact: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="The file of the repository that SARIF findings are shown in: the server's source.",
            show_default=False,
        ),
    ] = "",
    all_projects: Annotated[bool, ALL_PROJECTS] = False,
    jobs: Annotated[int, JOBS] = 0,
    verbose: Annotated[bool, VERBOSE] = False,
    format: Annotated[
        ReportFormat, typer.Option("--format", help="How the report is printed.")
    ] = ReportFormat.TEXT,
    report: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE",
            help="Write the report to a file, too: html=report.html. Repeatable.",
        ),
    ] = None,
) -> None:
    """Check an MCP server for conformance.

    A server behind a URL is checked as it stands. A project is started for the purpose, before an
    API that answers from its specification, and all of its tools are called. Exit codes: 0 it
    passed, 1 it did not, 2 it could not be asked, 3 a bug in mcpgen.
    """
    from mcpgen import pipeline
    from mcpgen.cli import build_output, check_output
    from mcpgen.cli.auth_options import OAuthOptions
    from mcpgen.cli.check_options import CheckChoices
    from mcpgen.cli.check_request import CheckArgs, parse_check_request
    from mcpgen.conformance.official import SuiteUnavailable
    from mcpgen.conformance.targets.credentials import TokenError

    if all_projects:
        from mcpgen.cli.all_projects import run_projects

        if format not in (ReportFormat.TEXT, ReportFormat.JSON):
            raise typer.BadParameter("--all prints text or json.", param_hint="--format")
        as_json = format is ReportFormat.JSON
        raise typer.Exit(
            run_projects(context, "check", target, jobs, as_json=as_json, verbose=verbose)
        )
    choices = CheckChoices(
        profiles=tuple(profile or ()),
        call=call.value,
        active=active,
        only=tuple(only or ()),
        skip=tuple(skip or ()),
        timeout=timeout,
        call_timeout=call_timeout,
        deadline=deadline,
        strict=strict,
        baseline=baseline,
        write_baseline=write_baseline,
        compare=compare,
        reports=tuple(report or ()),
        official=official,
        trusted_domains=tuple(trusted_domain or ()),
        pace=pace,
        refused_tokens=tuple(refused_token or ()),
    )
    arguments = CheckArgs(
        named=given_parameters(context),
        target=target,
        run=run,
        stdio=stdio,
        headers=tuple(header or ()),
        bearer_env=bearer_env,
        oauth=OAuthOptions(oauth_token_url, oauth_client_id, oauth_secret_env),
        scopes=tuple(oauth_scope or ()),
        resource=oauth_resource,
        sarif_artifact=sarif_artifact,
        choices=choices,
    )
    request = parse_check_request(arguments)
    try:
        with progress() as tell:
            if request.server is not None:
                outcome = pipeline.check_server(request.server, tell=tell)
            else:
                # Scenarios are shown in HTML only, and take seconds to run.
                page = ReportFormat.HTML in (format, *request.files.values())
                outcome = pipeline.check_project(
                    target, request.options, request.terms, scenarios=page, tell=tell
                )
    except TokenError as error:
        raise typer.BadParameter(str(error)) from error
    except SuiteUnavailable as error:
        raise typer.BadParameter(f"--official: {error}.") from error
    code = 0 if outcome.status.good else 1
    place = request.artifact or request.place
    if request.earlier is not None:
        outcome, code = check_output.compare_with(outcome, request.earlier)
    if badge:
        check_output.write_badge(outcome, badge)
    if write_baseline:
        code = check_output.write_baseline(outcome, write_baseline)
    for path, kind in request.files.items():
        check_output.write_report(outcome, kind, path, place, code)
    if format is ReportFormat.TEXT and (
        findings := build_output.findings_as_text(outcome, verbose=verbose)
    ):
        say(findings)
    text = check_output.format_report(
        outcome, format, place, code, paint=check_output.colorize, verbose=verbose
    )
    echo_report(text, format)
    raise typer.Exit(code)
