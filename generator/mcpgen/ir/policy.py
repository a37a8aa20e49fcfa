"""Who may call a server, and where: what `lower` decides and `emit` writes down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AuthenticationSpec:
    """How callers prove who they are; the addresses are what holds unless the environment says
    otherwise. See `runtime/mcpgen_runtime/auth/config.py` for the fields."""

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
