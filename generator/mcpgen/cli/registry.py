"""`mcpgen card` prints the card of a running server; `mcpgen register` registers a server with a
registry and sends heartbeats."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from mcpgen.cli.console import Format, echo, echo_json, say
from mcpgen.cli.options import ADDRESS, BEARER_ENV, FORMAT, HEADER, count

if TYPE_CHECKING:
    from mcpgen.pipeline.registry_client import RegisteredAgent, RegistryConnection
    from mcpgen.pipeline.server_card import Card


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


class RegistrationWay(StrEnum):
    """The way of registration."""

    NATIVE = "native"
    GENERIC = "generic"


def register(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="The URL of any MCP server, stdio:COMMAND, a project's folder, or a card in a file.",
            show_default=False,
        ),
    ],
    registry: Annotated[
        str, typer.Option(metavar="URL", help="The base URL of the registry.", show_default=False)
    ],
    flow: Annotated[
        RegistrationWay,
        typer.Option(
            help="native sends the whole card, with the schemas of the tools; generic sends the "
            "name, address and capabilities, without schemas."
        ),
    ] = RegistrationWay.NATIVE,
    ttl: Annotated[
        int,
        typer.Option(
            metavar="SECONDS",
            min=0,
            max=604_800,
            help="With --flow generic: the registry drops the entry after so many seconds without a "
            "renewal; 0 (the default) keeps the entry.",
            show_default=False,
        ),
    ] = 0,
    stay: Annotated[
        bool,
        typer.Option("--stay", help="Send heartbeats until interrupted, then remove the entry."),
    ] = False,
    every: Annotated[
        int,
        typer.Option(
            metavar="SECONDS",
            min=1,
            max=86_400,
            help="Seconds between two heartbeats; not used with --ttl.",
        ),
    ] = 30,
    address: Annotated[str, ADDRESS] = "",
    header: Annotated[list[str] | None, HEADER] = None,
    bearer_env: Annotated[str, BEARER_ENV] = "",
    registry_header: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:VALUE", help="Send this header to the registry. Repeatable."),
    ] = None,
    registry_bearer_env: Annotated[
        str,
        typer.Option(
            metavar="VAR", help="Send the registry the token in this variable.", show_default=False
        ),
    ] = "",
    timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=300,
            help="Seconds to wait for each answer of the registry.",
        ),
    ] = 10.0,
    format: Annotated[Format, FORMAT] = Format.TEXT,
) -> None:
    """Register a server, read its card back, and compare.

    Exit codes: 0 registered (with --stay: until interrupted), 1 the registry refuses or shows another
    card, 2 the server or the registry could not be asked, 3 a bug in mcpgen.
    """
    from mcpgen.cli.registry_options import load_card, registry_of
    from mcpgen.pipeline.registration import (
        RegistrationFlow,
        RegistrationPlan,
        keep_registered,
        register_agent,
    )
    from mcpgen.pipeline.registry_client import RegistryFailure

    if ttl and flow is RegistrationWay.NATIVE:
        raise typer.BadParameter("--ttl needs --flow generic: a card is persistent.")
    where = registry_of(registry, tuple(registry_header or ()), registry_bearer_env, timeout)
    card = load_card(target, address, tuple(header or ()), bearer_env)
    terms = RegistrationPlan(RegistrationFlow(flow), float(every), ttl)
    try:
        agent = register_agent(card, where, terms)
        _print_registration(card, where, agent, flow, format)
        if stay:
            keep_registered(card, where, terms, agent, say)
    except RegistryFailure as trouble:
        say(f"error: {trouble.kind}: {where.url}: {trouble}")
        code = 2 if trouble.kind.passes else 1
        if format is Format.JSON:
            details = {"status": "error", "kind": trouble.kind, "error": str(trouble)}
            echo_json({"version": 1, "exit_code": code, **details}, indent=None)
        raise typer.Exit(code) from None
    except KeyboardInterrupt:
        if not stay:
            raise


def _print_registration(
    card: Card,
    registry: RegistryConnection,
    agent: RegisteredAgent,
    flow: RegistrationWay,
    format: Format,
) -> None:
    """Prints the registration."""
    tools = len(card.announced.tools)
    if format is Format.JSON:
        tree = {
            "version": 1,
            "command": "register",
            "exit_code": 0,
            "registry": registry.url,
            "id": agent.id,
            "endpoint": agent.endpoint,
            "flow": flow,
            "address": card.address,
            "tools": tools,
        }
        echo_json(tree)
        return
    same = (
        "its card came back as it was" if flow is RegistrationWay.NATIVE else "its card leads there"
    )
    echo(f"{card.address}: registered as {agent.id} with {count(tools, 'tool')}; {same}")
