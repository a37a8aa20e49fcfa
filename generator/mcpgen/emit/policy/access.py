"""The rules about access to the server: endpoint, features, authentication."""

from __future__ import annotations

from dataclasses import fields

from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.policy.rule_declaration import RuleDeclaration
from mcpgen.ir.policy import AuthenticationSpec
from mcpgen.ir.server import Server

_SETTINGS = NameExpr("settings")
_UNTOLD = AuthenticationSpec()
_ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""The runtime's default algorithms."""


def endpoint(server: Server) -> RuleDeclaration | None:
    """`Endpoint(path)`, for a server at another path than `/mcp`."""
    if not server.policy.is_moved:
        return None
    return RuleDeclaration(
        CallExpr("Endpoint", (server.policy.path,)), {"server.endpoint": ("Endpoint",)}
    )


def features(server: Server) -> RuleDeclaration | None:
    """`OptInTools(settings, (OptInGroup(…), …))`."""
    listed: tuple[Value, ...] = tuple(
        CallExpr(
            "OptInGroup", (each.name, each.tools), (("needs", each.needs),) if each.needs else ()
        )
        for each in server.policy.features
    )
    if not listed:
        return None
    return RuleDeclaration(
        CallExpr("OptInTools", (_SETTINGS, listed)),
        {"server.opt_in_tools": ("OptInGroup", "OptInTools")},
        settings=("server.opt_in_tools", "OptInSettings"),
    )


def authentication(server: Server) -> RuleDeclaration | None:
    """`Authentication(settings, AuthConfig(…))`, or `SteppingUp` for a server that asks for scopes
    on use."""
    chosen = server.policy.authentication
    if chosen is None:
        return None
    policy = server.policy
    asks = policy.challenged or policy.family_scopes
    callee = "SteppingUp" if asks else "Authentication"
    return RuleDeclaration(
        CallExpr(
            callee, (_SETTINGS, CallExpr("AuthConfig", (), _changed_keywords(server, chosen)))
        ),
        {"auth.config": ("AuthConfig",), "auth.authentication": (callee,)},
        settings=("auth.config", "CallerSettings"),
        requires=("pyjwt[crypto]>=2.10,<3",),
    )


def _changed_keywords(server: Server, chosen: AuthenticationSpec) -> tuple[tuple[str, Value], ...]:
    """The keywords with values other than the runtime's defaults."""
    policy = server.policy
    same: list[tuple[str, Value]] = [
        (each.name, _plain(getattr(chosen, each.name)))
        for each in fields(AuthenticationSpec)
        if getattr(chosen, each.name) != getattr(_UNTOLD, each.name)
        and (each.name, getattr(chosen, each.name)) != ("algorithms", _ALGORITHMS)
    ]
    more: tuple[tuple[str, Value], ...] = (
        ("address", policy.path if policy.is_moved else ""),
        ("scopes", policy.all_scopes),
        ("known_scopes", policy.known_scopes),
        ("known_roles", policy.known_roles),
        ("step_up", dict(policy.challenged)),
        ("family_scopes", dict(policy.family_scopes)),
    )
    return (*same, *(pair for pair in more if pair[1]))


def _plain(value: Value) -> Value:
    return dict(value) if isinstance(value, dict) else value
