"""The rules about access: endpoint, authentication, rights of callers and credentials for the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from mcpgen.config.tables.access import AuthenticationConfig, UnscopedTokens
from mcpgen.emit.credentials import feature_settings
from mcpgen.emit.feature_declaration import RuleDeclaration
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.ir.policy import PassthroughSpec, TokenExchange
from mcpgen.ir.server import Server

_SETTINGS = NameExpr("settings")
_DEFAULTS = AuthenticationConfig()


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
            "OptInGroup",
            (feature.name, feature.tools),
            (("needs", feature.needs),) if feature.needs else (),
        )
        for feature in server.policy.features
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


def _changed_keywords(
    server: Server, chosen: AuthenticationConfig
) -> tuple[tuple[str, Value], ...]:
    """The keywords with values other than the runtime's defaults."""
    policy = server.policy
    same: list[tuple[str, Value]] = [
        (name, _literal_value(getattr(chosen, name)))
        for name in (each.name for each in fields(AuthenticationConfig))
        if name != "required" and getattr(chosen, name) != getattr(_DEFAULTS, name)
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


def _literal_value(value: Value) -> Value:
    if isinstance(value, UnscopedTokens):
        return value is UnscopedTokens.EVERYTHING
    return dict(value) if isinstance(value, Mapping) else value


def roles_rule(server: Server) -> RuleDeclaration | None:
    """`Roles({tool: roles})`."""
    if not server.policy.roles:
        return None
    return RuleDeclaration(
        CallExpr("Roles", (dict(server.policy.roles),)), {"auth.scopes": ("Roles",)}
    )


def scopes_rule(server: Server) -> RuleDeclaration | None:
    """`Scopes({tool: scopes})`, or `HiddenScopes` if tools are hidden from callers without the
    scopes."""
    if not server.policy.scopes:
        return None
    callee = "HiddenScopes" if server.policy.hide else "Scopes"
    return RuleDeclaration(
        CallExpr(callee, (dict(server.policy.scopes),)), {"auth.scopes": (callee,)}
    )


def toolsets_rule(server: Server) -> RuleDeclaration | None:
    """`Toolsets({…})`."""
    if not server.toolsets:
        return None
    sets = {toolset.name: toolset.tools for toolset in server.toolsets}
    default = (("default", server.toolset),) if server.toolset else ()
    return RuleDeclaration(
        CallExpr("Toolsets", (sets,), default), {"server.toolsets": ("Toolsets",)}
    )


def credentials(server: Server) -> RuleDeclaration | None:
    """The rule, or None where the API gets the server's own credentials."""
    match server.outward:
        case PassthroughSpec() as passthrough:
            return RuleDeclaration(
                CallExpr("Passthrough", (NameExpr("settings"), passthrough.trusted)),
                {"auth.passthrough": ("Passthrough",)},
                ("auth.passthrough", "PassthroughSettings"),
            )
        case TokenExchange() as exchange:
            agent = f"{server.slug}/{server.version}"
            return RuleDeclaration(
                CallExpr(
                    "TokenExchanger", (NameExpr("settings"), agent, _requested_token(exchange))
                ),
                {"auth.token_exchange": ("TokenExchanger", "RequestedToken")},
                ("auth.token_exchange", "TokenExchangeSettings"),
            )
        case None:
            return None


def _requested_token(exchange: TokenExchange) -> CallExpr:
    facts = (
        ("audience", exchange.audience),
        ("resource", exchange.resource),
        ("scopes", exchange.scopes),
    )
    return CallExpr(
        "RequestedToken", (exchange.token_url,), tuple(fact for fact in facts if fact[1])
    )


Told = tuple[str, str, str]
"""The field of a setting, the meaning, and the value without the setting."""

_INTROSPECTION = "required for introspection"

_ALWAYS: tuple[Told, ...] = (
    ("caller_keys", "hashed keys of callers, as a JSON array", "no keys"),
    ("caller_keys_file", "path of a file with this array", "no keys"),
    ("public_url", "address at which clients reach the server, without the path", ""),
    ("caller_issuer", "issuer of the tokens, claim iss", ""),
    ("caller_jwks_url", "URL of the keys that sign tokens", ""),
    ("caller_audience", "claim aud of tokens for this server", ""),
    ("caller_introspection_url", "URL of the issuer for token introspection", ""),
    ("caller_introspection_client_id", "OAuth 2 client id for token introspection", _INTROSPECTION),
    ("caller_introspection_client_secret", "client secret for token introspection", _INTROSPECTION),
    ("caller_anonymous", "true accepts callers without a credential; for development", "false"),
)


_EXCHANGED: tuple[Told, ...] = (
    ("exchange_client_id", "OAuth 2 client id for token exchange", "required"),
    ("exchange_client_secret", "client secret for token exchange", "required"),
    ("exchange_tokens", "false sends calls without a credential; for development", "true"),
)


def setting_rows(server: Server) -> tuple[Told, ...]:
    """The settings about the callers of a server, in the order of the README."""
    features = ", ".join(feature.name for feature in server.policy.features)
    exposed = (("expose", f"features to expose: {features}", "none"),) if features else ()
    needs = tuple(
        (need, f"credential for the feature {feature}", "without the tools of the feature")
        for need, feature in feature_settings(server).items()
    )
    return exposed + needs + _told_of_callers(server) + _told_of_credentials(server)


def without_public_url(server: Server) -> str:
    """The value without the variable: the configured address; else a server with a registry does
    not start, and other servers use the loopback address."""
    needs_it = "the server does not start" if server.registry.url else "only the loopback"
    return server.policy.public_url or needs_it


def _told_of_callers(server: Server) -> tuple[Told, ...]:
    chosen = server.policy.authentication
    if chosen is None:
        return ()
    declared = {
        "public_url": without_public_url(server),
        "caller_issuer": chosen.issuer,
        "caller_jwks_url": chosen.jwks_url,
        "caller_audience": chosen.audience or "the public address",
        "caller_introspection_url": chosen.introspection_url,
    }
    return tuple(
        (field, meaning, absent or declared.get(field) or "none")
        for field, meaning, absent in _ALWAYS
    )


def _told_of_credentials(server: Server) -> tuple[Told, ...]:
    match server.outward:
        case PassthroughSpec() as passthrough:
            hosts = ", ".join(passthrough.trusted)
            return (("trusted_hosts", "hosts that callers' credentials may be sent to", hosts),)
        case TokenExchange() as exchange:
            url = ("exchange_token_url", "URL of the issuer for token exchange", exchange.token_url)
            return (url, *_EXCHANGED)
        case None:
            return ()
