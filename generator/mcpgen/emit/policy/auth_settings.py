"""The settings about callers, as rows of the README."""

from __future__ import annotations

from mcpgen.emit.credentials import feature_settings
from mcpgen.ir.credentials import PassthroughSpec, TokenExchange
from mcpgen.ir.server import Server

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
