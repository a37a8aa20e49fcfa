"""Access to a server and credentials for the API: decided by `lower`, written by `emit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urlsplit

from mcpgen.config.tables.access import AuthenticationConfig


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
    """Returns scheme, host and port of a URL, default ports filled in; None as host or port that
    the URL does not have.

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
    authentication: AuthenticationConfig | None = None
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
