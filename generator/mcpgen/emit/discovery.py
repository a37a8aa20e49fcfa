"""`package/discovery.py`: the tools that stand for all others, and the groups of those."""

from __future__ import annotations

from mcpgen.emit.assembly import api_name
from mcpgen.emit.code import docstring, identifier, literal
from mcpgen.emit.declaration import own_tool
from mcpgen.emit.literal import Call, Name
from mcpgen.emit.views import DeclaredView, DiscoveryView
from mcpgen.ir.server import Discovery, Server, Tool

_GROUPS = "GROUPS: dict[str, tuple[str, ...]] = "
_ABOUT = "ABOUT = "


def discovery_view(server: Server, found: Discovery) -> DiscoveryView:
    """`package/discovery.py` of a server in which `found` stands for all tools."""
    roles = (
        ("search", found.search),
        ("describe", found.describe),
        ("reading", found.reading),
        ("writing", found.writing),
    )
    declared = [(role, tool) for role, tool in roles if tool]
    keywords = [(role, Name(role.upper())) for role, _ in declared]
    told = [("about", Name("ABOUT"))] if found.about else []
    pinned = [("pinned", found.pinned)] if found.pinned else []
    call = Call("Discovery", (Name("TOOLS"), Name("GROUPS")), (*keywords, *told, *pinned))
    return DiscoveryView(
        package=identifier(server.package),
        summary=docstring(f"How clients find the tools of the {api_name(server)}: by asking"),
        tools=tuple(_declared(role.upper(), tool) for role, tool in declared),
        groups=literal(dict(found.groups), before=len(_GROUPS)),
        has_about=bool(found.about),
        about=literal(dict(found.about), before=len(_ABOUT)),
        discovery=literal(call, before=len("DISCOVERY = ")),
    )


def _declared(constant: str, tool: Tool) -> DeclaredView:
    return DeclaredView(identifier(constant), own_tool(tool, before=len(constant) + 3))
