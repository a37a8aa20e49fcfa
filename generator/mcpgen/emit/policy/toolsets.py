"""The rule that serves each toolset at an endpoint."""

from __future__ import annotations

from mcpgen.emit.literal import CallExpr
from mcpgen.emit.policy.rule_declaration import RuleDeclaration
from mcpgen.ir.server import Server


def toolsets_rule(server: Server) -> RuleDeclaration | None:
    """`Toolsets({…})`."""
    if not server.toolsets:
        return None
    sets = {each.name: each.tools for each in server.toolsets}
    default = (("default", server.toolset),) if server.toolset else ()
    return RuleDeclaration(
        CallExpr("Toolsets", (sets,), default), {"server.toolsets": ("Toolsets",)}
    )
