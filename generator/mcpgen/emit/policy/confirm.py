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
    is_shared = server.limits.shared
    states = (Call("redis_states", (Name("settings"),)),) if is_shared else ()
    shared = {"redis_states": ("redis_states",)} if is_shared else {}
    keywords: tuple[tuple[str, Value], ...] = (("open", True),) if found.open else ()
    return Declared(
        Call("Confirmation", (Name("settings"), found.tools, *states), keywords),
        {"confirm": ("Confirmation",), **shared},
        ("confirm", "ConfirmSettings"),
        variables=_VARIABLES,
    )
