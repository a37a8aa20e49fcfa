"""The rule that tells a registry of the server."""

from __future__ import annotations

from mcpgen.emit.literal import Call, Name, Value
from mcpgen.emit.policy.callers import without_public_url
from mcpgen.emit.policy.declared import Declared, Variable
from mcpgen.ir.server import Server

_VARIABLES = (
    Variable("registers", "whether the registry is told of the server", "true"),
    Variable("registry_url", "where the registry is", ""),
    Variable("registry_token", "bearer token for the registry", "none is sent"),
)


def registration(server: Server) -> Declared | None:
    """`Registering(settings, ...)`, if a registry is told."""
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
    # Where callers prove who they are, the README has the address already.
    public = () if server.policy.authentication else (_public_url(server),)
    return Declared(
        Call("Registering", (Name("settings"),), keywords),
        {"registration": ("Registering",)},
        ("registration", "RegistrationSettings"),
        variables=(*public, *_VARIABLES),
    )


def _public_url(server: Server) -> Variable:
    meaning = "address clients reach the server at, without the path"
    return Variable("public_url", meaning, without_public_url(server))
