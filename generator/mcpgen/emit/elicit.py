"""`package/elicit.py`: the tool by which models ask the user."""

from __future__ import annotations

from mcpgen.emit.asking import ASKING
from mcpgen.emit.assembly import api_name
from mcpgen.emit.code import docstring, identifier
from mcpgen.emit.declaration import own_tool
from mcpgen.emit.offered import Offered
from mcpgen.emit.views import ElicitView
from mcpgen.ir.server import Server


def elicit(server: Server) -> Offered | None:
    """What asks the user for a model, if anything does."""
    if server.elicit is None:
        return None
    view = ElicitView(
        package=identifier(server.package),
        summary=docstring(f"How models that use the {api_name(server)} ask their user"),
        tool=own_tool(server.elicit, before=len("TOOL = ")),
    )
    return Offered("elicit", "ELICIT", view, variables=ASKING)
