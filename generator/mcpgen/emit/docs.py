"""`package/docs.py`: the tool that returns documentation of the other tools."""

from __future__ import annotations

from mcpgen.emit.code import docstring, identifier, literal
from mcpgen.emit.declaration import builtin_tool_call
from mcpgen.emit.examples import examples
from mcpgen.emit.feature_module import FeatureModule
from mcpgen.emit.package_files import api_name
from mcpgen.emit.policy.rule_declaration import PolicyVariable
from mcpgen.emit.views import DocsView
from mcpgen.ir.server import Server

_GROUPS = "GROUPS: dict[str, tuple[str, ...]] = "

BYTES = PolicyVariable("docs_bytes", "size of an answer of documentation", "8000")


def docs(server: Server) -> FeatureModule | None:
    """The module of the documentation tool, or None if the server has no such tool."""
    found = server.docs
    if found is None:
        return None
    view = DocsView(
        package=identifier(server.package),
        summary=docstring(f"Documentation of the {api_name(server)} on request"),
        tool=builtin_tool_call(found.tool, before=len("DOCS = ")),
        groups=literal(dict(found.groups), before=len(_GROUPS)),
        examples=examples(server),
    )
    return FeatureModule(
        "docs",
        "docs",
        view,
        asks_settings=True,
        settings=("scripts.documentation", "DocsSettings"),
        variables=(BYTES,),
    )
