"""`mcpgen tools`: what a server's tools cost, who would not take them, and what would be saved."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mcpgen.cli.console import echo_report
from mcpgen.cli.texts import BEARER_ENV, CAPABILITY, CHANGE, CONFIG, HEADER, nearest


class Form(StrEnum):
    """How a survey is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


def tools(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="An API description, a project's folder, the URL of any MCP server, or a saved "
            "answer to tools/list (- for standard input).",
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
    limit: Annotated[int, typer.Option(min=0, help="Show so many tools; 0 shows all.")] = 0,
    capability: Annotated[str, CAPABILITY] = "",
    change: Annotated[str, CHANGE] = "",
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
        Form, typer.Option("--format", help="Text, JSON for programs, or a page for a browser.")
    ] = Form.TEXT,
) -> None:
    """Show the size of every tool, and the hosts that reject it.

    Per tool: bytes, tokens and arguments.

    Nothing is built or written. Exit codes: 0 shown, 1 errors in the description, 2 the target could
    not be read or asked, 3 a bug in mcpgen.
    """
    from mcpgen.cli.asking import asked
    from mcpgen.conformance.strict_json import dumps
    from mcpgen.pipeline import Options
    from mcpgen.survey.show.as_html import as_html
    from mcpgen.survey.show.as_json import as_json
    from mcpgen.survey.show.as_text import as_text
    from mcpgen.survey.table import SORTS, survey

    if sort not in SORTS:
        there = ", ".join(SORTS)
        told = f"there is no key `{sort}`.{nearest(sort, SORTS)} There are {there}."
        raise typer.BadParameter(told, param_hint="--sort")
    found = asked(
        target,
        Options(config=config, capability=capability, change=change),
        tuple(header or ()),
        bearer_env,
        command="tools" if format is Form.JSON else "",
    )
    seen = survey(found)
    rows = seen.sorted(sort)[: limit or None]
    if save:
        Path(save).write_bytes(dumps({"tools": [*found.tools]}) + b"\n")
    if format is Form.JSON:
        tree = {"version": 1, "command": "tools", "exit_code": 0, **as_json(seen, rows)}
        text = json.dumps(tree, indent=2) + "\n"
    else:
        text = as_html(seen, rows) if format is Form.HTML else as_text(seen, rows)
    echo_report(text, format)
