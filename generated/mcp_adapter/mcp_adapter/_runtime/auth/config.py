"""Declaration and settings of authentication, and the errors of a refused caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator

from ..settings import ServerSettings

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""The signatures that are taken unless others are declared. All are asymmetric: a key that is
published must never be enough to sign."""


@dataclass(frozen=True)
class AuthConfig:
    """What callers have to show. What the environment says wins over the addresses here.

    `address` is the path of the endpoint, with its parameters in braces. `scopes` are those that
    some tool asks for; `known_scopes` and `known_roles` are all that the keys of callers may hold, if
    any are listed. `scope_claim` and `role_claim` are where a token says what its bearer may do;
    one without the former may do what needs no scope, or everything if `unscoped`, as may whoever
    has one of `operator_roles`. `path_claims` are the claims that parameters of the address must
    agree with. Credentials that begin with one of `owner_prefixes`, or have one of `owner_claims`,
    are an owner's and never taken. `error_code` is the JSON-RPC code of a rejection, 0 for the HTTP
    status. `step_up` are the scopes, by tool, that are asked for with HTTP 403, and
    `family_scopes` those of every request about `resources` or `prompts`. The pages for people are
    named in the metadata, as are `signing_algorithms`, with which somebody signs the answers.
    `challenge` are the parameters that it has for clients older than RFC 9728.
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
    """A caller who is not let in: the HTTP status, the error of RFC 6750 and a sentence about it.

    `shown` tells that a credential came with the request; `kept` is for how many seconds the same
    answer holds. https://www.rfc-editor.org/rfc/rfc6750#section-3.1
    """

    def __init__(
        self,
        description: str,
        *,
        status: int = 401,
        error: str = "invalid_token",
        shown: bool = True,
        kept: float = 0,
    ) -> None:
        super().__init__(description)
        self.description = description
        self.status = status
        self.error = error
        self.shown = shown
        self.kept = kept


def malformed_error(description: str) -> AuthError:
    """The rejection of a request whose credentials cannot be told apart from an attack."""
    return AuthError(description, status=400, error="invalid_request")


def forbidden_error(description: str) -> AuthError:
    """The rejection of a caller who is known and has no business here."""
    return AuthError(description, status=403, error="access_denied")


def undecided_error(description: str) -> AuthError:
    """The rejection while whoever knows the caller does not answer; another try may succeed."""
    return AuthError(description, status=503, error="temporarily_unavailable")


_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class CallerSettings(ServerSettings):
    """The issuers of tokens, the keys of callers, and the public address of this server."""

    public_url: str = ""
    """The address clients reach this server at, without the path of the endpoint."""
    caller_issuer: str = ""
    """Who issues the tokens: the claim `iss`."""
    caller_jwks_url: str = ""
    """Where the issuer publishes the keys that sign tokens."""
    caller_audience: str = ""
    """The claim `aud` of tokens for this server; its public address if empty."""
    caller_introspection_url: str = ""
    """Where the issuer tells what an opaque token is worth."""
    caller_introspection_client_id: str = ""
    caller_introspection_client_secret: SecretStr = SecretStr("")
    caller_keys: SecretStr = SecretStr("")
    """The hashed keys of callers, as a JSON array."""
    caller_keys_file: str = ""
    """A file with such an array."""
    caller_anonymous: bool = False
    """Lets in whoever shows no credential, with every right; for development."""

    @field_validator("public_url", "caller_jwks_url", "caller_introspection_url")
    @classmethod
    def _check_address(cls, url: str) -> str:
        if url and not is_safe_url(url):
            raise ValueError("must be an https URL, or one of this machine")
        return url.rstrip("/")

    @property
    def address(self) -> str:
        """The public address, or the one that the server listens on if that is this machine's."""
        if self.public_url or self.host not in _LOOPBACK:
            return self.public_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def is_safe_url(url: str) -> bool:
    """Whether nobody on the way can read or change what is fetched from a URL."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    if not parts.hostname or parts.username is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
