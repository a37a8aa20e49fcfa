"""The rules about who comes in, and where: endpoint, features, authentication."""

from __future__ import annotations

from dataclasses import fields

from mcpgen.emit.literal import Call, Name, Value
from mcpgen.emit.policy.declared import Declared
from mcpgen.ir.policy import Authentication
from mcpgen.ir.server import Server

_SETTINGS = Name("settings")
_UNTOLD = Authentication()
_ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""What the runtime takes unless it is told."""


def endpoint(server: Server) -> Declared | None:
    """`Endpoint(path)`, of a server that is not at the usual path."""
    if not server.policy.is_moved:
        return None
    return Declared(Call("Endpoint", (server.policy.path,)), {"endpoint": ("Endpoint",)})


def features(server: Server) -> Declared | None:
    """`Features(settings, (Feature(…), …))`."""
    listed: tuple[Value, ...] = tuple(
        Call("Feature", (each.name, each.tools), (("needs", each.needs),) if each.needs else ())
        for each in server.policy.features
    )
    if not listed:
        return None
    return Declared(
        Call("Features", (_SETTINGS, listed)),
        {"features": ("Feature", "Features")},
        settings=("features", "FeatureSettings"),
    )


def authentication(server: Server) -> Declared | None:
    """`Authentication(settings, Access(…))`, or `SteppingUp` in its place."""
    chosen = server.policy.authentication
    if chosen is None:
        return None
    policy = server.policy
    asks = policy.challenged or policy.family_scopes
    callee = "SteppingUp" if asks else "Authentication"
    return Declared(
        Call(callee, (_SETTINGS, Call("Access", (), _told(server, chosen)))),
        {"access": ("Access",), "authentication": (callee,)},
        settings=("caller_settings", "CallerSettings"),
        requires=("pyjwt[crypto]>=2.10,<3",),
    )


def _told(server: Server, chosen: Authentication) -> tuple[tuple[str, Value], ...]:
    """What differs from what the runtime assumes."""
    policy = server.policy
    same: list[tuple[str, Value]] = [
        (each.name, _plain(getattr(chosen, each.name)))
        for each in fields(Authentication)
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
    """The value as one that can be printed."""
    return dict(value) if isinstance(value, dict) else value
