"""`mcpgen tools`: shows the size of each tool, the hosts that reject the tool, and possible
savings."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mcpgen.cli.console import echo_report
from mcpgen.cli.options import BEARER_ENV, CAPABILITY, CHANGE, CONFIG, HEADER, OPENAPI, did_you_mean


class ToolsFormat(StrEnum):
    """Output format of the sizes."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


def tools(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="An API description, a project's folder, the URL of any MCP server, stdio:COMMAND, "
            "or a saved answer to tools/list (- for standard input).",
            show_default=False,
        ),
    ],
    sort: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            help="Sort by bytes, name, arguments, description, schema, output, hosts or order.",
        ),
    ] = "bytes",
    limit: Annotated[
        int, typer.Option(min=0, help="Maximum number of tools shown; 0 shows all.")
    ] = 0,
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
    openapi: Annotated[str, OPENAPI] = "",
    config: Annotated[str, CONFIG] = "",
    header: Annotated[list[str] | None, HEADER] = None,
    bearer_env: Annotated[str, BEARER_ENV] = "",
    save: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write the announced tools to a file, for mcpgen diff and mcpgen check.",
            show_default=False,
        ),
    ] = "",
    format: Annotated[
        ToolsFormat,
        typer.Option("--format", help="Text, JSON for programs, or a page for a browser."),
    ] = ToolsFormat.TEXT,
) -> None:
    """Show the size of every tool, and the hosts that reject it.

    Per tool: bytes, tokens and arguments.

    Nothing is built or written. Exit codes: 0 the sizes were shown, 1 errors in the description,
    2 the target could not be read or asked, 3 a bug in mcpgen.
    """
    from mcpgen.analysis.render_html import listing_as_html
    from mcpgen.analysis.render_text import listing_as_json, listing_as_text
    from mcpgen.analysis.report import SORTS, build_listing_report
    from mcpgen.cli.load_target import load_listing
    from mcpgen.conformance.strict_json import dumps
    from mcpgen.pipeline import BuildOptions

    if sort not in SORTS:
        keys = ", ".join(SORTS)
        message = f"there is no key `{sort}`.{did_you_mean(sort, SORTS)} There are {keys}."
        raise typer.BadParameter(message, param_hint="--sort")
    listing = load_listing(
        target,
        BuildOptions(config=config, capability=capability, change=change, openapi=openapi),
        tuple(header or ()),
        bearer_env,
        # With a command, errors are printed as JSON too.
        command="tools" if format is ToolsFormat.JSON else "",
    )
    report = build_listing_report(listing)
    rows = report.sorted(sort)[: limit or None]
    if save:
        Path(save).write_bytes(dumps({"tools": [*listing.tools]}) + b"\n")
    if format is ToolsFormat.JSON:
        tree = {"version": 1, "command": "tools", "exit_code": 0, **listing_as_json(report, rows)}
        text = json.dumps(tree, indent=2) + "\n"
    else:
        text = (
            listing_as_html(report, rows)
            if format is ToolsFormat.HTML
            else listing_as_text(report, rows)
        )
    echo_report(text, format)
