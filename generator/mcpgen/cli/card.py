"""`mcpgen card`: prints the card of a running server."""

from __future__ import annotations

from typing import Annotated

import typer

from mcpgen.cli.options import ADDRESS, BEARER_ENV, HEADER


def card(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="The URL of any MCP server, or stdio:COMMAND.", show_default=False
        ),
    ],
    address: Annotated[str, ADDRESS] = "",
    header: Annotated[list[str] | None, HEADER] = None,
    bearer_env: Annotated[str, BEARER_ENV] = "",
) -> None:
    """Print the card of a running server, as JSON for registries.

    The card names the server, its address, and the tools, resources and prompts that it announces.

    Exit codes: 0 printed, 2 the server could not be asked, 3 a bug in mcpgen.
    """
    from mcpgen.cli.registry_options import fetch_card

    typer.echo(fetch_card(url, address, tuple(header or ()), bearer_env).text, nl=False)
