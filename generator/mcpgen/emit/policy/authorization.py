"""The rules about the rights of callers: roles and scopes."""

from __future__ import annotations

from mcpgen.emit.literal import CallExpr
from mcpgen.emit.policy.rule_declaration import RuleDeclaration
from mcpgen.ir.server import Server


def roles_rule(server: Server) -> RuleDeclaration | None:
    """`Roles({tool: roles})`."""
    if not server.policy.roles:
        return None
    return RuleDeclaration(
        CallExpr("Roles", (dict(server.policy.roles),)), {"auth.scopes": ("Roles",)}
    )


def scopes_rule(server: Server) -> RuleDeclaration | None:
    """`Scopes({tool: scopes})`, or `HiddenScopes` if tools are hidden from callers without the
    scopes."""
    if not server.policy.scopes:
        return None
    callee = "HiddenScopes" if server.policy.hide else "Scopes"
    return RuleDeclaration(
        CallExpr(callee, (dict(server.policy.scopes),)), {"auth.scopes": (callee,)}
    )
