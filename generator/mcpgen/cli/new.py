"""`mcpgen new`: makes a new project."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated

import typer

from mcpgen.cli.build import require_hosts, stdin_of
from mcpgen.cli.console import Format, echo, echo_json, progress, say
from mcpgen.cli.options import ALLOW_REMOTE, CAPABILITY, CHANGE, FORMAT, VERBOSE


def new(
    name: Annotated[str, typer.Argument(help="Name of the project and of its folder.")],
    spec: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="SPEC",
            help="Copy this API description, or these requirements with what stands beside them.",
            show_default=False,
        ),
    ] = "",
    overlay: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Copy this overlay too, and repair the description with it; may be repeated.",
            show_default=False,
        ),
    ] = None,
    allow_remote: Annotated[list[str] | None, ALLOW_REMOTE] = None,
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
    verbose: Annotated[bool, VERBOSE] = False,
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """Make a new project that holds a copy of the API description.

    It has a configuration, the server, tests, a CI workflow and a README.
    """
    from mcpgen import pipeline
    from mcpgen.cli import build_output
    from mcpgen.config.validators import is_slug

    if not is_slug(PurePath(name).name):
        words = "lower-case words of letters and digits joined by `-`"
        raise typer.BadParameter(f"`{name}` cannot name a project; use {words}.", param_hint="NAME")
    require_hosts(allow_remote)
    if overlay and not spec:
        raise typer.BadParameter(
            "an overlay repairs the description of --from", param_hint="--overlay"
        )
    with progress() as tell:
        outcome = pipeline.new(
            name,
            spec,
            overlays=overlay or (),
            allow_remote=allow_remote or (),
            capability=capability,
            change=change,
            stdin=stdin_of(spec),
            tell=tell,
        )
    code = 0 if outcome.status.good else 1
    if format is Format.JSON:
        echo_json(build_output.outcome_as_json(outcome, "new", code))
    else:
        if findings := build_output.findings_as_text(outcome, verbose=verbose):
            say(findings)
        echo(build_output.of_build(outcome, ""))
    raise typer.Exit(code)
