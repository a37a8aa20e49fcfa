"""The rule that serves sets of tools at endpoints of their own."""

from __future__ import annotations

from mcpgen.emit.literal import Call
from mcpgen.emit.policy.declared import Declared
from mcpgen.ir.server import Server


def toolsets(server: Server) -> Declared | None:
    """`Toolsets({…})`."""
    if not server.toolsets:
        return None
    sets = {each.name: each.tools for each in server.toolsets}
    default = (("default", server.toolset),) if server.toolset else ()
    return Declared(Call("Toolsets", (sets,), default), {"toolsets": ("Toolsets",)})
