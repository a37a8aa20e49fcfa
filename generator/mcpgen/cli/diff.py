"""`mcpgen diff`: compares two lists of tools."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from mcpgen.cli.console import echo_report
from mcpgen.cli.options import CONFIG


class DiffFormat(StrEnum):
    """Output format of a difference."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class FailOn(StrEnum):
    """Changes with exit code 1."""

    NEVER = "never"
    BREAKING = "breaking"
    ANY = "any"


TARGET = (
    "an API description, a project's folder, a server's URL, stdio:COMMAND, or a saved answer to "
    "tools/list"
)


def diff(
    old: Annotated[
        str,
        typer.Argument(metavar="OLD", help=f"The old version: {TARGET}.", show_default=False),
    ],
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW", help="The new version: a target of the same kinds.", show_default=False
        ),
    ],
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="End with exit code 1 if there are such changes.")
    ] = FailOn.NEVER,
    config: Annotated[str, CONFIG] = "",
    format: Annotated[
        DiffFormat,
        typer.Option("--format", help="Text, JSON for programs, or Markdown for a comment."),
    ] = DiffFormat.TEXT,
) -> None:
    """Compare the tools of two versions.

    A version is a description, a project, a server or a saved list.

    Each change is safe or breaking, for saved references and for callers. Exit codes: 0 compared,
    1 changes that --fail-on names or errors in a description, 2 a target could not be read or asked,
    3 a bug in mcpgen.
    """
    from mcpgen.analysis.diff import diff_listings
    from mcpgen.analysis.render_diff import diff_as_json, diff_as_markdown, diff_as_text
    from mcpgen.cli.load_target import load_listing
    from mcpgen.pipeline import BuildOptions

    if old == new == "-":
        raise typer.BadParameter("only one of the two can come from standard input.")
    command = "diff" if format is DiffFormat.JSON else ""
    before, after = (
        load_listing(target, BuildOptions(config=config), command=command) for target in (old, new)
    )
    difference = diff_listings(before, after)
    counted = {
        FailOn.NEVER: 0,
        FailOn.BREAKING: len(difference.breaking_changes),
        FailOn.ANY: len(difference.changes),
    }
    exit_code = 1 if counted[fail_on] else 0
    if format is DiffFormat.JSON:
        tree = {"version": 1, "command": "diff", "exit_code": exit_code, **diff_as_json(difference)}
        text = json.dumps(tree, indent=2) + "\n"
    else:
        text = (
            diff_as_markdown(difference)
            if format is DiffFormat.MARKDOWN
            else diff_as_text(difference)
        )
    echo_report(text, format)
    raise typer.Exit(exit_code)
