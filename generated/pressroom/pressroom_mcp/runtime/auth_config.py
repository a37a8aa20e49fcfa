"""How callers prove who they are, as it was declared when the server was built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
