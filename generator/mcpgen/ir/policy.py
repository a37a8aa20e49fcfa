"""Access to a server and credentials for the API: decided by `lower`, written by `emit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urlsplit

from mcpgen.config.tables.access import AuthenticationConfig


@dataclass(frozen=True, slots=True)
class PassthroughSpec:
    """The server sends the caller's own credential to the API.

    `trusted`: hosts that may receive credentials; `example.com` is one host, `*.example.com` are all
    its subdomains.
    """

    trusted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenExchange:
    """The server sends a token that an issuer gives in exchange for the caller's token;
    https://www.rfc-editor.org/rfc/rfc8693."""

    token_url: str
    audience: tuple[str, ...] = ()
    resource: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()


ForwardedCredential: TypeAlias = PassthroughSpec | TokenExchange
"""The credential that the server sends to the API for a caller."""

DEFAULT_PATH = "/mcp"
"""The path of the endpoint without configuration."""


def origin(url: str) -> tuple[str, str | None, int | None]:
    """Returns scheme, host and port of a URL. The port is the default port of http or https if the URL
    has none; None is an absent host or port.

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
    """Tools of an opt-in feature. The server has the tools if the setting `expose` names the feature,
    and every setting in `needs` has a value."""

    name: str
    tools: tuple[str, ...]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """Access to a server.

    `path`: endpoint path, parameters in braces. `enabled`: False answers every request with 404,
    unless a setting enables the endpoint. `public_url`: URL seen by clients, or `""`. `samples`:
    values of the path parameters for scenarios. `authentication`: None for open servers.

    `scopes` and `roles`, by tool: a caller needs all scopes and one of the roles. `family_scopes`:
    scopes of every request about `resources` or `prompts`. `known_scopes` and `known_roles`: all
    that exist, as listed in `mcpgen.toml`; empty if not listed. `hide`: callers without the scopes of a tool do not see the tool.
    `step_up`: HTTP 403 asks for missing scopes.
    """

    path: str = DEFAULT_PATH
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
    def has_custom_path(self) -> bool:
        """True if the endpoint has another path than `DEFAULT_PATH`."""
        return self.path != DEFAULT_PATH

    @property
    def all_scopes(self) -> tuple[str, ...]:
        """All required scopes, sorted."""
        every = (*self.scopes.values(), *self.family_scopes.values())
        return tuple(sorted({scope for needed in every for scope in needed}))

    @property
    def challenge_scopes(self) -> Mapping[str, tuple[str, ...]]:
        """Scopes that a 403 response names, by tool. Concealed tools are left out: the response would
        reveal that the tool exists."""
        if not self.step_up:
            return {}
        return {
            tool: needed for tool, needed in self.scopes.items() if tool not in self.concealed_tools
        }

    @property
    def concealed_tools(self) -> frozenset[str]:
        """Tools of roles and opt-in features. Such a tool does not exist for callers without the role,
        and in a server that does not expose the feature."""
        of_features = (tool for feature in self.features for tool in feature.tools)
        return frozenset((*self.roles, *of_features))

    @property
    def unlisted_tools(self) -> frozenset[str]:
        """Tools missing in the list of some callers: concealed tools, and tools with scopes if
        `hide` is set."""
        return self.concealed_tools.union(self.scopes) if self.hide else self.concealed_tools
