# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Declaration and settings of authentication, and the errors of a refused caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator

from ..settings import ServerSettings

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""Signature algorithms accepted by default. All are asymmetric: a published key must never be
enough to sign."""


@dataclass(frozen=True)
class AuthConfig:
    """Authentication rules of the project. Environment settings override the URLs.

    `address` is the path of the endpoint, with parameters in braces. `scopes` are the scopes that
    tools need; `known_scopes` and `known_roles` are all names that API keys may hold, empty for
    any. `scope_claim` and `role_claim` name the claims with scopes and roles. A token without
    `scope_claim` may only call tools without scopes, or every tool if `unscoped`; a token with one
    of `operator_roles` may call every tool. `path_claims` maps path parameters to the claims that
    must contain the values. Credentials that begin with one of `owner_prefixes`, or have one of
    `owner_claims`, belong to an owner and are refused. `error_code` is the JSON-RPC code of a
    rejection, 0 for the HTTP status. `step_up` maps tools to the scopes asked for with HTTP 403,
    and `family_scopes` maps `resources` or `prompts` to the scopes of all such requests.
    `documentation_url`, `policy_url` and `signing_algorithms` (of signed responses) appear in the
    resource metadata. `challenge` lists `WWW-Authenticate` parameters for clients older than RFC
    9728.
    """

    address: str = "/mcp"
    issuer: str = ""
    jwks_url: str = ""
    audience: str = ""
    introspection_url: str = ""
    algorithms: tuple[str, ...] = ALGORITHMS
    key_header: str = ""
    scopes: tuple[str, ...] = ()
    known_scopes: tuple[str, ...] = ()
    known_roles: tuple[str, ...] = ()
    scope_claim: str = "scope"
    role_claim: str = "roles"
    unscoped: bool = False
    operator_roles: tuple[str, ...] = ()
    path_claims: Mapping[str, str] = field(default_factory=dict)
    owner_prefixes: tuple[str, ...] = ()
    owner_claims: Mapping[str, str] = field(default_factory=dict)
    error_code: int = 0
    step_up: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    family_scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    documentation_url: str = ""
    policy_url: str = ""
    signing_algorithms: tuple[str, ...] = ()
    challenge: tuple[str, ...] = ()


class AuthError(Exception):
    """A refused caller: HTTP status, error code of RFC 6750 and description.

    `has_credential`: the request had one. `cache_seconds`: time for which the rejection may be
    cached.
    https://www.rfc-editor.org/rfc/rfc6750#section-3.1
    """

    def __init__(
        self,
        description: str,
        *,
        status: int = 401,
        error: str = "invalid_token",
        has_credential: bool = True,
        cache_seconds: float = 0,
    ) -> None:
        super().__init__(description)
        self.description = description
        self.status = status
        self.error = error
        self.has_credential = has_credential
        self.cache_seconds = cache_seconds


def malformed_error(description: str) -> AuthError:
    """Rejects a request with malformed or ambiguous credentials: 400."""
    return AuthError(description, status=400, error="invalid_request")


def forbidden_error(description: str) -> AuthError:
    """Rejects an authenticated caller without access: 403."""
    return AuthError(description, status=403, error="access_denied")


def undecided_error(description: str) -> AuthError:
    """Rejects a request while the issuer does not answer: 503, so that clients retry."""
    return AuthError(description, status=503, error="temporarily_unavailable")


_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class CallerSettings(ServerSettings):
    """The issuers of tokens, the keys of callers, and the public address of this server."""

    public_url: str = ""
    """The URL at which clients reach this server, without the path of the endpoint."""
    caller_issuer: str = ""
    """The issuer of tokens: the claim `iss`."""
    caller_jwks_url: str = ""
    """The URL of the issuer's JWK set."""
    caller_audience: str = ""
    """The claim `aud` of tokens for this server; the public address if empty."""
    caller_introspection_url: str = ""
    """The URL of the issuer's introspection endpoint (RFC 7662)."""
    caller_introspection_client_id: str = ""
    caller_introspection_client_secret: SecretStr = SecretStr("")
    caller_keys: SecretStr = SecretStr("")
    """The hashed keys of callers, as a JSON array."""
    caller_keys_file: str = ""
    """A file with a JSON array of hashed keys."""
    caller_anonymous: bool = False
    """Accepts requests without a credential and with every right; for development only."""

    @field_validator("public_url", "caller_jwks_url", "caller_introspection_url")
    @classmethod
    def _check_address(cls, url: str) -> str:
        if url and not is_safe_url(url):
            raise ValueError("must be an https URL, or one of this machine")
        return url.rstrip("/")

    @property
    def address(self) -> str:
        """The public address; on a loopback host the listening address by default."""
        if self.public_url or self.host not in _LOOPBACK:
            return self.public_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def is_safe_url(url: str) -> bool:
    """True for URLs that are protected in transit: https, or http to a loopback host."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    if not parts.hostname or parts.username is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
