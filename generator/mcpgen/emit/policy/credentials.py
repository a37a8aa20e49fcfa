"""The rule that hands on callers' credentials."""

from __future__ import annotations

from mcpgen.emit.literal import Call, Name
from mcpgen.emit.policy.declared import Declared
from mcpgen.ir.credentials import Exchange, Passthrough
from mcpgen.ir.server import Server


def credentials(server: Server) -> Declared | None:
    """The rule, None where the API gets the server's own credentials."""
    match server.outward:
        case Passthrough() as passthrough:
            return Declared(
                Call("Passthrough", (Name("settings"), passthrough.trusted)),
                {"passthrough": ("Passthrough",)},
                ("passthrough", "PassthroughSettings"),
            )
        case Exchange() as exchange:
            agent = f"{server.slug}/{server.version}"
            return Declared(
                Call("Exchange", (Name("settings"), agent, _wanted(exchange))),
                {"exchange": ("Exchange", "Wanted")},
                ("exchange", "ExchangeSettings"),
            )
        case None:
            return None


def _wanted(exchange: Exchange) -> Call:
    facts = (
        ("audience", exchange.audience),
        ("resource", exchange.resource),
        ("scopes", exchange.scopes),
    )
    return Call("Wanted", (exchange.token_url,), tuple(fact for fact in facts if fact[1]))
