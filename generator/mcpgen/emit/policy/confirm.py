"""The rule about what users confirm."""

from __future__ import annotations

from mcpgen.emit.asking import ASKING
from mcpgen.emit.literal import Call, Name, Value
from mcpgen.emit.policy.declared import Declared, Variable
from mcpgen.ir.server import Server

_VARIABLES = (
    *ASKING,
    Variable("confirm_calls", "whether users are asked before calls that need a yes", "true"),
)


def confirmation(server: Server) -> Declared | None:
    """`Confirmation(settings, tools, ...)`, if users are asked before calls."""
    found = server.confirmation
    if found is None:
        return None
    keywords: tuple[tuple[str, Value], ...] = (("open", True),) if found.open else ()
    return Declared(
        Call("Confirmation", (Name("settings"), found.tools), keywords),
        {"confirm": ("Confirmation",)},
        ("confirm", "ConfirmSettings"),
        variables=_VARIABLES,
    )
