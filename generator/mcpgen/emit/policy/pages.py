"""The rule that shows long results in pages."""

from __future__ import annotations

from mcpgen.emit.literal import Call
from mcpgen.emit.policy.declared import Declared
from mcpgen.ir.server import Server


def pages(server: Server) -> Declared | None:
    """`Pages()`; each tool says how large its own are."""
    if not any(tool.page for tool in server.tools):
        return None
    return Declared(Call("Pages"), {"pages": ("Pages",)})
