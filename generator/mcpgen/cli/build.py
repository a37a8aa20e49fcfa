"""`mcpgen build`: makes or updates a project, then checks the server it made."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mcpgen.cli.console import Format, echo, echo_json, progress, say
from mcpgen.cli.options import (
    ALL_PROJECTS,
    ALLOW_REMOTE,
    CAPABILITY,
    CHANGE,
    FORMAT,
    JOBS,
    OPENAPI,
    OVERLAY,
    ROOT,
    VERBOSE,
)


def build(
    context: typer.Context,
    spec: Annotated[
        str,
        typer.Argument(
            metavar="[SPEC]",
            help="The API description, or requirements (spec.md, or an OpenSpec folder), "
            "or - for standard input. The document at a URL is fetched and kept in the project. "
            "Without it, the one that the project's mcpgen.toml names.",
            show_default=False,
        ),
    ] = "",
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="The project's folder. Without it, the current one if it is a project, "
            "else one named after the API.",
            show_default=False,
        ),
    ] = "",
    check: Annotated[
        bool,
        typer.Option("--check", help="Change nothing; show what would change, and fail if any."),
    ] = False,
    refresh: Annotated[
        bool,
        typer.Option(
            "--refresh",
            help="Fetch the document again from `source` in mcpgen.toml; with --check, compare it.",
        ),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Take warnings for errors, and validate in full."),
    ] = False,
    no_verify: Annotated[
        bool, typer.Option("--no-verify", help="Do not start and check the new server.")
    ] = False,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going", help="Build the other tools when an operation cannot be generated."
        ),
    ] = False,
    root: Annotated[str, ROOT] = "",
    overlay: Annotated[list[str] | None, OVERLAY] = None,
    allow_remote: Annotated[list[str] | None, ALLOW_REMOTE] = None,
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
    openapi: Annotated[str, OPENAPI] = "",
    config: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Read this file instead of DIR/mcpgen.toml.", show_default=False
        ),
    ] = "",
    downgrade: Annotated[
        bool,
        typer.Option("--downgrade", help="Rewrite a project that a later mcpgen has built."),
    ] = False,
    all_projects: Annotated[bool, ALL_PROJECTS] = False,
    jobs: Annotated[int, JOBS] = 0,
    verbose: Annotated[bool, VERBOSE] = False,
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """Make or update the MCP server of an API, then check it."""
    from mcpgen import pipeline
    from mcpgen.cli import build_output

    require_hosts(allow_remote)
    if all_projects:
        from mcpgen.cli.all_projects import run_projects

        as_json = format is Format.JSON
        raise typer.Exit(
            run_projects(context, "build", spec, jobs, as_json=as_json, verbose=verbose)
        )
    options = pipeline.BuildOptions(
        check,
        strict,
        not no_verify,
        keep_going,
        config,
        root,
        tuple(overlay or ()),
        tuple(allow_remote or ()),
        capability,
        change,
        openapi,
        downgrade,
        refresh=refresh,
        verbose=verbose,
    )
    with progress() as tell:
        outcome = pipeline.build(spec, output, options, stdin=stdin_of(spec), tell=tell)
    code = 0 if outcome.status.good else 1
    if format is Format.JSON:
        echo_json(build_output.outcome_as_json(outcome, "build", code))
    else:
        if findings := build_output.findings_as_text(outcome, verbose=verbose):
            say(findings)
        echo(build_output.of_build(outcome, spec))
    raise typer.Exit(code)


def require_hosts(hosts: list[str] | None) -> None:
    """Raises BadParameter for an invalid host."""
    from mcpgen.config.validators import is_host

    for host in hosts or ():
        if not is_host(host):
            raise typer.BadParameter(
                f"`{host}` is no host; write a name or an address, with a port if need be.",
                param_hint="--allow-remote",
            )


def stdin_of(spec: str) -> bytes | None:
    """Reads standard input if the specification is `-`; else None."""
    return sys.stdin.buffer.read() if spec == "-" else None
