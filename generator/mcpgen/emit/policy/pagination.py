"""The rule that splits long results into pages."""

from __future__ import annotations

from mcpgen.emit.literal import CallExpr
from mcpgen.emit.policy.rule_declaration import RuleDeclaration
from mcpgen.ir.server import Server


def pages(server: Server) -> RuleDeclaration | None:
    """`ResultPager()`; each tool declares the size of the tool's pages."""
    if not any(tool.page for tool in server.tools):
        return None
    return RuleDeclaration(CallExpr("ResultPager"), {"server.pagination": ("ResultPager",)})
