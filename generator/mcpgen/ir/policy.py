"""Who may call a server, and where: what `lower` decides and `emit` writes down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AuthenticationSpec:
    """How callers prove who they are; the addresses are what holds unless the environment says
    otherwise. See `templates/project/package/runtime/auth_config.py` for the fields."""

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
    """Tools, by name, that are there together, if all settings that they need have a value."""

    name: str
    tools: tuple[str, ...]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may call a server, and where.

    `path` is that of the endpoint, with parameters in braces, and `public_url` what clients have in
    front of it, `""` where nobody has said so; `samples` are the values that
    scenarios have for them. `authentication` is None where anybody may call. `scopes` and `roles`
    are what callers need, by tool, of tools that ask for any; `family_scopes` are what they need for every
    request about `resources` or `prompts`. `known_scopes` and `known_roles` are all there are, where
    the user has listed them.
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
        """Whether the endpoint is at a path of the user's own."""
        return self.path != "/mcp"

    @property
    def all_scopes(self) -> tuple[str, ...]:
        """The scopes that something asks for, in order of name."""
        every = (*self.scopes.values(), *self.family_scopes.values())
        return tuple(sorted({scope for needed in every for scope in needed}))

    @property
    def challenged(self) -> Mapping[str, tuple[str, ...]]:
        """The scopes that are asked for with HTTP 403, by tool. Those of a tool that does not exist
        for everybody are not: the challenge would tell that it does."""
        if not self.step_up:
            return {}
        return {tool: needed for tool, needed in self.scopes.items() if tool not in self.secret}

    @property
    def secret(self) -> frozenset[str]:
        """The tools that do not exist for everybody."""
        of_features = (tool for feature in self.features for tool in feature.tools)
        return frozenset((*self.roles, *of_features))

    @property
    def unlisted(self) -> frozenset[str]:
        """The tools that not everybody finds in the list."""
        return self.secret.union(self.scopes) if self.hide else self.secret


@dataclass(frozen=True, slots=True)
class RatesSpec:
    """How often tools may be called, `""` where nothing is said; `tools` and `subject_tools` by the
    name of a tool.

    `code` is that of the JSON-RPC error. `messages` counts every message, `by_address` unknown
    callers by their address; `open` lets calls through while the store is away.
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
        """Whether anything is limited."""
        return bool(self.all or self.subject or self.tools or self.subject_tools)


@dataclass(frozen=True, slots=True)
class CapsSpec:
    """How many calls at once, for how long and with how large a result; 0 for any."""

    concurrent: int = 0
    concurrent_subject: int = 0
    call_seconds: int = 0
    result_bytes: int = 0


@dataclass(frozen=True, slots=True)
class LimitsSpec:
    """The limits of a server. `retries` and `breaker_failures` are 0 where a request is never
    repeated, and where the API is never left alone. `shared` tells that all processes and machines share
    counts, circuits, used confirmations and changes in Redis."""

    rates: RatesSpec = field(default_factory=RatesSpec)
    caps: CapsSpec = field(default_factory=CapsSpec)
    retries: int = 0
    retry_wait_seconds: int = 0
    breaker_failures: int = 0
    breaker_seconds: int = 0
    shared: bool = False


@dataclass(frozen=True, slots=True)
class ObservabilitySpec:
    """`audit_lines` and `audit_records` say where events of the audit go; neither, nowhere.
    `audit_required` refuses calls whose lines cannot be written."""

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
    """`name` is what the official registry of MCP calls the server, `""` where nobody has said so. `url` is
    the registry of agents that a running server registers with, `""` for none. It is registered by its
    card or, if `generic`, as any agent; with a `ttl` in seconds, which is for agents, it is ephemeral there,
    otherwise it sends heartbeats."""

    name: str = ""
    url: str = ""
    ttl: int = 0
    generic: bool = False
