"""The rules about what callers may do: roles and scopes."""

from __future__ import annotations

from mcpgen.emit.literal import Call
from mcpgen.emit.policy.declared import Declared
from mcpgen.ir.server import Server


def roles(server: Server) -> Declared | None:
    """`Roles({tool: roles})`."""
    if not server.policy.roles:
        return None
    return Declared(Call("Roles", (dict(server.policy.roles),)), {"scopes": ("Roles",)})


def scopes(server: Server) -> Declared | None:
    """`Scopes({tool: scopes})`, or `HiddenScopes` in its place."""
    if not server.policy.scopes:
        return None
    callee = "HiddenScopes" if server.policy.hide else "Scopes"
    return Declared(Call(callee, (dict(server.policy.scopes),)), {"scopes": (callee,)})
