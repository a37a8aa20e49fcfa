"""Access, credentials, limits and observability of a server: decided by `lower`, written by `emit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class PassthroughSpec:
    """The caller's own credential. `trusted` hosts: `example.com` exactly, `*.example.com` with
    all subdomains."""

    trusted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenExchange:
    """A token from an issuer for the caller's token; https://www.rfc-editor.org/rfc/rfc8693."""

    token_url: str
    audience: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()


Outward: TypeAlias = PassthroughSpec | TokenExchange
"""How a caller's credential becomes an upstream credential."""


def origin(url: str) -> tuple[str, str | None, int | None]:
    """Returns scheme, host and port of a URL, default ports filled in.

    `https://example.com/a` gives `("https", "example.com", 443)`. An invalid URL such as
    `https://[::1` is its own origin.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return url, None, None
    return parts.scheme, parts.hostname, port


@dataclass(frozen=True, slots=True)
class AuthenticationSpec:
    """How callers authenticate; the environment may override addresses. Fields:
    `runtime/mcpgen_runtime/auth/config.py`."""

    issuer: str = ""
    jwks_url: str = ""
    audience: str = ""
    introspection_url: str = ""
    algorithms: tuple[str, ...] = ()
    key_header: str = ""
    scope_claim: str = "scope"
    role_claim: str = "roles"
    unscoped: bool = False
    operator_roles: tuple[str, ...] = ()
    path_claims: Mapping[str, str] = field(default_factory=dict)
    owner_prefixes: tuple[str, ...] = ()
    owner_claims: Mapping[str, str] = field(default_factory=dict)
    error_code: int = 0
    documentation_url: str = ""
    policy_url: str = ""
    signing_algorithms: tuple[str, ...] = ()
    challenge: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OptInSpec:
    """Tools available together once all their settings have values."""

    name: str
    tools: tuple[str, ...]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """Access to a server.

    `path`: endpoint path, parameters in braces. `public_url`: URL seen by clients, or `""`.
    `samples`: values of the path parameters for scenarios. `authentication`: None for open servers.
    `scopes` and `roles`: by tool. `family_scopes`: scopes of every request about `resources` or
    `prompts`. `known_scopes` and `known_roles`: the user's complete lists, if given.
    """

    path: str = "/mcp"
    enabled: bool = True
    samples: Mapping[str, str] = field(default_factory=dict)
    authentication: AuthenticationSpec | None = None
    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    known_scopes: tuple[str, ...] = ()
    known_roles: tuple[str, ...] = ()
    family_scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hide: bool = False
    step_up: bool = False
    features: tuple[OptInSpec, ...] = ()
    public_url: str = ""

    @property
    def is_moved(self) -> bool:
        """True if the endpoint path is configured."""
        return self.path != "/mcp"

    @property
    def all_scopes(self) -> tuple[str, ...]:
        """All required scopes, sorted."""
        every = (*self.scopes.values(), *self.family_scopes.values())
        return tuple(sorted({scope for needed in every for scope in needed}))

    @property
    def challenged(self) -> Mapping[str, tuple[str, ...]]:
        """Scopes named in a 403 response, by tool, without hidden tools, whose existence a
        challenge would reveal."""
        if not self.step_up:
            return {}
        return {tool: needed for tool, needed in self.scopes.items() if tool not in self.secret}

    @property
    def secret(self) -> frozenset[str]:
        """Tools that do not exist for every caller."""
        of_features = (tool for feature in self.features for tool in feature.tools)
        return frozenset((*self.roles, *of_features))

    @property
    def unlisted(self) -> frozenset[str]:
        """Tools missing in the list of some callers."""
        return self.secret.union(self.scopes) if self.hide else self.secret


@dataclass(frozen=True, slots=True)
class RatesSpec:
    """Rate limits, `""` for no limit; `tools` and `subject_tools` by tool name.

    `code`: JSON-RPC error code. `messages`: count every message. `by_address`: separate unknown
    callers by address. `open`: let calls pass while the store is unreachable.
    """

    all: str = ""
    subject: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    subject_tools: Mapping[str, str] = field(default_factory=dict)
    code: int = 429
    messages: bool = False
    by_address: bool = False
    open: bool = False

    @property
    def some(self) -> bool:
        """True if any rate is limited."""
        return bool(self.all or self.subject or self.tools or self.subject_tools)


@dataclass(frozen=True, slots=True)
class CapsSpec:
    """Limits of concurrency, duration in seconds and result size in bytes; 0 for no limit."""

    concurrent: int = 0
    concurrent_subject: int = 0
    call_seconds: int = 0
    result_bytes: int = 0


@dataclass(frozen=True, slots=True)
class LimitsSpec:
    """The limits of a server.

    `retries` is 0 without retries, `breaker_failures` 0 without a circuit breaker. `shared`:
    counts, circuits, used confirmations and changes are in Redis.
    """

    rates: RatesSpec = field(default_factory=RatesSpec)
    caps: CapsSpec = field(default_factory=CapsSpec)
    retries: int = 0
    retry_wait_seconds: int = 0
    breaker_failures: int = 0
    breaker_seconds: int = 0
    shared: bool = False


@dataclass(frozen=True, slots=True)
class ObservabilitySpec:
    """Audit, logs and metrics.

    `audit_lines` and `audit_records`: destinations of audit events. `audit_required`: refuse calls
    whose audit line cannot be written.
    """

    audit_lines: bool = False
    audit_records: bool = False
    audit_arguments: bool = False
    audit_required: bool = False
    json_logs: bool = False
    request_ids: bool = False
    opentelemetry: bool = False
    propagate: bool = True
    prometheus: bool = False


@dataclass(frozen=True, slots=True)
class RegistrySpec:
    """Registration of the server.

    `name`: name in the official MCP registry, or `""`. `url`: agent registry of a running server,
    or `""`; registered by server card, or as a plain agent if `generic`. `ttl`: seconds of an
    ephemeral agent; otherwise the server sends heartbeats.
    """

    name: str = ""
    url: str = ""
    ttl: int = 0
    generic: bool = False
