"""The rule that shows long results in pages."""

from __future__ import annotations

from mcpgen.emit.literal import CallExpr
from mcpgen.emit.policy.rule_declaration import RuleDeclaration
from mcpgen.ir.server import Server


def pages(server: Server) -> RuleDeclaration | None:
    """`ResultPager()`; each tool says how large its own are."""
    if not any(tool.page for tool in server.tools):
        return None
    return RuleDeclaration(CallExpr("ResultPager"), {"server.pagination": ("ResultPager",)})
