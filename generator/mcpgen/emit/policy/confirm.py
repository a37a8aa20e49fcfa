"""The rule that asks users to confirm calls."""

from __future__ import annotations

from mcpgen.emit.elicitation_settings import ASKING
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.policy.rule_declaration import PolicyVariable, RuleDeclaration
from mcpgen.ir.server import Server

_VARIABLES = (
    *ASKING,
    PolicyVariable(
        "confirm_calls", "whether users confirm the calls that need confirmation", "true"
    ),
)


def confirmation(server: Server) -> RuleDeclaration | None:
    """`Confirmation(settings, tools, ...)`, if users are asked before calls."""
    found = server.confirmation
    if found is None:
        return None
    is_shared = server.limits.shared
    states = (CallExpr("redis_states", (NameExpr("settings"),)),) if is_shared else ()
    shared = {"elicitation.request_states_redis": ("redis_states",)} if is_shared else {}
    keywords: tuple[tuple[str, Value], ...] = (("open", True),) if found.open else ()
    return RuleDeclaration(
        CallExpr("Confirmation", (NameExpr("settings"), found.tools, *states), keywords),
        {"elicitation.confirm": ("Confirmation",), **shared},
        ("elicitation.confirm", "ConfirmSettings"),
        variables=_VARIABLES,
    )
