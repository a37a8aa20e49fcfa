"""The rule that registers the server with a registry."""

from __future__ import annotations

from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.policy.auth_settings import without_public_url
from mcpgen.emit.policy.rule_declaration import PolicyVariable, RuleDeclaration
from mcpgen.ir.server import Server

_VARIABLES = (
    PolicyVariable("registers", "whether the server registers with the registry", "true"),
    PolicyVariable("registry_url", "URL of the registry", ""),
    PolicyVariable("registry_token", "bearer token for the registry", "no token"),
)


def registration(server: Server) -> RuleDeclaration | None:
    """`SelfRegistration(settings, ...)`, if a registry is configured."""
    chosen = server.registry
    if not chosen.url:
        return None
    keywords: tuple[tuple[str, Value], ...] = ()
    if server.policy.is_moved:
        keywords += (("path", server.policy.path),)
    if chosen.ttl:
        keywords += (("ttl", chosen.ttl),)
    elif chosen.generic:
        keywords += (("generic", True),)
    # With authentication of callers, the README has a row for the public address already.
    public = () if server.policy.authentication else (_public_url(server),)
    return RuleDeclaration(
        CallExpr("SelfRegistration", (NameExpr("settings"),), keywords),
        {"registry.registration": ("SelfRegistration",)},
        ("registry.registration", "RegistrationSettings"),
        variables=(*public, *_VARIABLES),
    )


def _public_url(server: Server) -> PolicyVariable:
    meaning = "address at which clients reach the server, without the path"
    return PolicyVariable("public_url", meaning, without_public_url(server))
