"""The views of a project's policy tests."""

from __future__ import annotations

from mcpgen.emit.code import SourceText, literal
from mcpgen.emit.literal import Value
from mcpgen.emit.views import AuthFixtureView, PolicyTestView
from mcpgen.ir.credentials import PassthroughSpec, TokenExchange
from mcpgen.ir.server import Server
from mcpgen.ir.source import Json


def comes_in_otherwise(server: Server) -> bool:
    """True if the tests need the endpoint's path, features or credentials of callers."""
    policy = server.policy
    return bool(
        policy.authentication
        or policy.features
        or policy.is_moved
        or not policy.enabled
        or server.outward
    )


def entrance_view(server: Server) -> AuthFixtureView:
    """`tests/auth_fixture.py`."""
    policy = server.policy
    address = policy.path
    for name, value in policy.samples.items():
        address = address.replace(f"{{{name}}}", value)
    introspects = bool(policy.authentication and policy.authentication.introspection_url)
    hands_on = isinstance(server.outward, PassthroughSpec)
    exposed = [feature.name for feature in policy.features]
    tried = policy.challenged or policy.scopes
    roles = sorted({role for needed in policy.roles.values() for role in needed})
    return AuthFixtureView(
        address=_named("ADDRESS", address),
        path=_named("PATH: dict[str, str]", dict(policy.samples)),
        scopes=_named("SCOPES: dict[str, list[str]]", {tool: list(s) for tool, s in tried.items()}),
        roles=_named("ROLES: list[str]", roles),
        features=_named("FEATURES: dict[str, Any]", {"expose": exposed} if exposed else {}),
        has_callers=policy.authentication is not None,
        has_introspection=introspects,
        names_credential=introspects or hands_on,
        hands_on=hands_on,
        outward=_named("OUTWARD: dict[str, Any]", _outward(server)),
    )


def _outward(server: Server) -> dict[str, Json]:
    """The settings about forwarded credentials with which test calls reach the stub API."""
    match server.outward:
        case PassthroughSpec():
            return {"trusted_hosts": "127.0.0.1"}
        case TokenExchange():
            return {"exchange_tokens": False}
        case None:
            return {}


def policy_test_view(server: Server) -> PolicyTestView:
    """`tests/test_policy.py`."""
    policy = server.policy
    needy = policy.challenged or policy.scopes
    sending = [tool for tool in server.tools if tool.scenarios and tool.name in needy]
    return PolicyTestView(
        has_path=bool(policy.samples),
        has_scopes=bool(policy.scopes),
        has_sending=bool(sending),
        has_envelope=bool(policy.scopes) and not policy.challenged,
        steps_up=bool(policy.challenged),
    )


def _named(name: str, value: Value) -> SourceText:
    return literal(value, before=len(f"{name} = "))
