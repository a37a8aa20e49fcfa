"""`package/docs.py`: the tool that documents the others."""

from __future__ import annotations

from mcpgen.emit.assembly import api_name
from mcpgen.emit.code import docstring, identifier, literal
from mcpgen.emit.declaration import own_tool
from mcpgen.emit.examples import examples
from mcpgen.emit.offered import Offered
from mcpgen.emit.policy.declared import Variable
from mcpgen.emit.views import DocsView
from mcpgen.ir.server import Server

_GROUPS = "GROUPS: dict[str, tuple[str, ...]] = "

BYTES = Variable("docs_bytes", "how large an answer of documentation may be", "8000")


def docs(server: Server) -> Offered | None:
    """What gives documentation, if anything does."""
    found = server.docs
    if found is None:
        return None
    view = DocsView(
        package=identifier(server.package),
        summary=docstring(f"Documentation of the {api_name(server)} on request"),
        tool=own_tool(found.tool, before=len("DOCS = ")),
        groups=literal(dict(found.groups), before=len(_GROUPS)),
        examples=examples(server),
    )
    return Offered(
        "docs",
        "docs",
        view,
        asks_settings=True,
        settings=("docs_settings", "DocsSettings"),
        variables=(BYTES,),
    )
