"""The rules about access: endpoint, authentication, rights of callers and credentials for the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from mcpgen.config.tables.access import AuthenticationConfig, UnscopedTokens
from mcpgen.config.tables.server import EndpointConfig
from mcpgen.emit.credentials import feature_settings
from mcpgen.emit.feature_declaration import PolicyVariable, RuleDeclaration, key_variable
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.ir.policy import PassthroughSpec, TokenExchange
from mcpgen.ir.server import Server

_SETTINGS = NameExpr("settings")
_DEFAULTS = AuthenticationConfig()


def endpoint(server: Server) -> RuleDeclaration | None:
    """`Endpoint(path)` for a server at another path than `/mcp`, else None."""
    if not server.policy.has_custom_path:
        return None
    return RuleDeclaration(
        CallExpr("Endpoint", (server.policy.path,)), {"server.endpoint": ("Endpoint",)}
    )


def features(server: Server) -> RuleDeclaration | None:
    """`OptInTools(settings, (OptInGroup(…), …))`; None without features."""
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
    on use; None if callers do not authenticate."""
    chosen = server.policy.authentication
    if chosen is None:
        return None
    policy = server.policy
    asks = policy.challenge_scopes or policy.family_scopes
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
        for name in (field.name for field in fields(AuthenticationConfig))
        if name != "required" and getattr(chosen, name) != getattr(_DEFAULTS, name)
    ]
    more: tuple[tuple[str, Value], ...] = (
        ("address", policy.path if policy.has_custom_path else ""),
        ("scopes", policy.all_scopes),
        ("known_scopes", policy.known_scopes),
        ("known_roles", policy.known_roles),
        ("step_up", dict(policy.challenge_scopes)),
        ("family_scopes", dict(policy.family_scopes)),
    )
    return (*same, *(pair for pair in more if pair[1]))


def _literal_value(value: Value) -> Value:
    if isinstance(value, UnscopedTokens):
        return value is UnscopedTokens.EVERYTHING
    return dict(value) if isinstance(value, Mapping) else value


def roles_rule(server: Server) -> RuleDeclaration | None:
    """`Roles({tool: roles})`; None if no tool requires a role."""
    if not server.policy.roles:
        return None
    return RuleDeclaration(
        CallExpr("Roles", (dict(server.policy.roles),)), {"auth.scopes": ("Roles",)}
    )


def scopes_rule(server: Server) -> RuleDeclaration | None:
    """`Scopes({tool: scopes})`, or `HiddenScopes` if tools are hidden from callers without the
    scopes; None if no tool requires a scope."""
    if not server.policy.scopes:
        return None
    callee = "HiddenScopes" if server.policy.hide else "Scopes"
    return RuleDeclaration(
        CallExpr(callee, (dict(server.policy.scopes),)), {"auth.scopes": (callee,)}
    )


def toolsets_rule(server: Server) -> RuleDeclaration | None:
    """`Toolsets({name: tools})`; None without toolsets."""
    if not server.toolsets:
        return None
    sets = {toolset.name: toolset.tools for toolset in server.toolsets}
    default = (("default", server.toolset),) if server.toolset else ()
    return RuleDeclaration(
        CallExpr("Toolsets", (sets,), default), {"server.toolsets": ("Toolsets",)}
    )


def credentials(server: Server) -> RuleDeclaration | None:
    """The rule, or None where the API gets the server's own credentials."""
    match server.forwarded_credential:
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


_INTROSPECTION = "required for introspection"

_EXCHANGED = (
    PolicyVariable("exchange_client_id", "OAuth 2 client id for token exchange", "required"),
    PolicyVariable("exchange_client_secret", "client secret for token exchange", "required"),
    PolicyVariable(
        "exchange_tokens", "false sends calls without a credential; for development", "true"
    ),
)


def access_variables(server: Server) -> tuple[PolicyVariable, ...]:
    """The settings about the callers of a server, in the order of the README."""
    return (
        *_feature_variables(server),
        *_caller_variables(server),
        *_credential_variables(server),
    )


def public_url_variable(server: Server) -> PolicyVariable:
    """The variable with the public address. Without the address a server with a registry does not
    start, and other servers use the loopback address."""
    needs_it = "the server does not start" if server.registry.url else "only the loopback"
    return key_variable(EndpointConfig, "public_url", absent=server.policy.public_url or needs_it)


def _feature_variables(server: Server) -> Iterator[PolicyVariable]:
    """The settings about opt-in features."""
    if features := ", ".join(feature.name for feature in server.policy.features):
        yield PolicyVariable("expose", f"features to expose: {features}", "none")
    for need, feature in feature_settings(server).items():
        meaning = f"credential for the feature {feature}"
        yield PolicyVariable(need, meaning, "without the tools of the feature")


def _caller_variables(server: Server) -> tuple[PolicyVariable, ...]:
    """The settings about the authentication of callers."""
    chosen = server.policy.authentication
    if chosen is None:
        return ()
    addresses = {
        "issuer": chosen.issuer,
        "jwks_url": chosen.jwks_url,
        "audience": chosen.audience or "the public address",
        "introspection_url": chosen.introspection_url,
    }
    return (
        PolicyVariable("caller_keys", "hashed keys of callers, as a JSON array", "no keys"),
        PolicyVariable("caller_keys_file", "path of a file with this array", "no keys"),
        public_url_variable(server),
        *(
            key_variable(AuthenticationConfig, name, absent=absent or "none")
            for name, absent in addresses.items()
        ),
        PolicyVariable(
            "caller_introspection_client_id",
            "OAuth 2 client id for token introspection",
            _INTROSPECTION,
        ),
        PolicyVariable(
            "caller_introspection_client_secret",
            "client secret for token introspection",
            _INTROSPECTION,
        ),
        PolicyVariable(
            "caller_anonymous",
            "true accepts callers without a credential; for development",
            "false",
        ),
    )


def _credential_variables(server: Server) -> tuple[PolicyVariable, ...]:
    """The settings about credentials for the API that come from callers."""
    match server.forwarded_credential:
        case PassthroughSpec(trusted=trusted):
            meaning = "hosts that callers' credentials may be sent to"
            return (PolicyVariable("trusted_hosts", meaning, ", ".join(trusted)),)
        case TokenExchange(token_url=url):
            meaning = "URL of the issuer for token exchange"
            return (PolicyVariable("exchange_token_url", meaning, url), *_EXCHANGED)
        case None:
            return ()
