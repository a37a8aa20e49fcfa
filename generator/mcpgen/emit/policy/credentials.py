"""The rule that forwards callers' credentials to the API."""

from __future__ import annotations

from mcpgen.emit.literal import CallExpr, NameExpr
from mcpgen.emit.policy.rule_declaration import RuleDeclaration
from mcpgen.ir.credentials import PassthroughSpec, TokenExchange
from mcpgen.ir.server import Server


def credentials(server: Server) -> RuleDeclaration | None:
    """The rule, or None where the API gets the server's own credentials."""
    match server.outward:
        case PassthroughSpec() as passthrough:
            return RuleDeclaration(
                CallExpr("Passthrough", (NameExpr("settings"), passthrough.trusted)),
                {"auth.passthrough": ("Passthrough",)},
                ("auth.passthrough", "PassthroughSettings"),
            )
        case TokenExchange() as exchange:
            agent = f"{server.slug}/{server.version}"
            return RuleDeclaration(
                CallExpr("TokenExchanger", (NameExpr("settings"), agent, _wanted(exchange))),
                {"auth.token_exchange": ("TokenExchanger", "RequestedToken")},
                ("auth.token_exchange", "TokenExchangeSettings"),
            )
        case None:
            return None


def _wanted(exchange: TokenExchange) -> CallExpr:
    facts = (
        ("audience", exchange.audience),
        ("resource", exchange.resource),
        ("scopes", exchange.scopes),
    )
    return CallExpr(
        "RequestedToken", (exchange.token_url,), tuple(fact for fact in facts if fact[1])
    )
