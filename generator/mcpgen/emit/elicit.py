"""`package/elicit.py`: the tool with which models ask the user."""

from __future__ import annotations

from mcpgen.emit.code import docstring, identifier
from mcpgen.emit.declaration import builtin_tool_call
from mcpgen.emit.elicitation_settings import ASKING
from mcpgen.emit.feature_module import FeatureModule
from mcpgen.emit.package_files import api_name
from mcpgen.emit.views import ElicitView
from mcpgen.ir.server import Server


def elicit(server: Server) -> FeatureModule | None:
    """The module of the elicitation tool, or None if the server has no such tool."""
    if server.elicit is None:
        return None
    view = ElicitView(
        package=identifier(server.package),
        summary=docstring(f"Tool by which a model that uses the {api_name(server)} asks the user"),
        tool=builtin_tool_call(server.elicit, before=len("TOOL = ")),
    )
    return FeatureModule("elicit", "ELICIT", view, variables=ASKING)
