"""`package/discovery.py`: the discovery tools, and the groups of the tools to discover."""

from __future__ import annotations

from mcpgen.emit.code import docstring, identifier, literal
from mcpgen.emit.declaration import builtin_tool_call
from mcpgen.emit.literal import CallExpr, NameExpr
from mcpgen.emit.package_files import api_name
from mcpgen.emit.views import BuiltinToolView, DiscoveryView
from mcpgen.ir.server import DiscoverySpec, Server, ToolSpec

_GROUPS = "GROUPS: dict[str, tuple[str, ...]] = "
_ABOUT = "ABOUT = "


def discovery_view(server: Server, found: DiscoverySpec) -> DiscoveryView:
    """`package/discovery.py` of a server in discovery mode."""
    roles = (
        ("search", found.search),
        ("describe", found.describe),
        ("reading", found.reading),
        ("writing", found.writing),
    )
    declared = [(role, tool) for role, tool in roles if tool]
    keywords = [(role, NameExpr(role.upper())) for role, _ in declared]
    told = [("about", NameExpr("ABOUT"))] if found.about else []
    pinned = [("pinned", found.pinned)] if found.pinned else []
    call = CallExpr(
        "Discovery", (NameExpr("TOOLS"), NameExpr("GROUPS")), (*keywords, *told, *pinned)
    )
    return DiscoveryView(
        package=identifier(server.package),
        summary=docstring(
            f"Tools that search, describe and call the tools of the {api_name(server)}"
        ),
        tools=tuple(_declared(role.upper(), tool) for role, tool in declared),
        groups=literal(dict(found.groups), before=len(_GROUPS)),
        has_about=bool(found.about),
        about=literal(dict(found.about), before=len(_ABOUT)),
        discovery=literal(call, before=len("DISCOVERY = ")),
    )


def _declared(constant: str, tool: ToolSpec) -> BuiltinToolView:
    return BuiltinToolView(identifier(constant), builtin_tool_call(tool, before=len(constant) + 3))
