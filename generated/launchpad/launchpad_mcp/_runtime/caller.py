# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The authenticated caller of a request."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from .server.asgi import Scope

_KEY = "caller"


@dataclass(frozen=True)
class Caller:
    """The sender of a request, as far as authenticated. `scopes` are the granted scopes; None means
    all, for an operator or during development. `credential` is the credential as received; `token`:
    a verified access token. `path` has the values of the endpoint's path parameters, and `toolset`
    names the toolset of the endpoint, `""` for the default. `headers` are the credentials passed on
    to the API unchanged, if enabled."""

    subject: str = "anonymous"
    scopes: frozenset[str] | None = None
    roles: frozenset[str] = frozenset()
    credential: str = field(default="", repr=False)
    path: Mapping[str, str] = field(default_factory=dict)
    toolset: str = ""
    token: bool = False
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def mark(self) -> str:
        """A hash that identifies the caller at an endpoint. For a caller with a token only the
        subject counts, so that the token may be renewed; for other callers the credential
        counts."""
        credentials = [] if self.token else [self.credential, *sorted(self.headers.items())]
        text = json.dumps([self.subject, self.toolset, sorted(self.path.items()), credentials])
        return hashlib.sha256(text.encode()).hexdigest()


ANYBODY = Caller()  # The caller of a server without authentication


def scope_with_caller(scope: Scope, caller: Caller) -> Scope:
    """The ASGI scope with the caller."""
    return {**scope, _KEY: caller}


def caller_of(scope: Scope) -> Caller:
    """The caller in an ASGI scope."""
    caller: Caller = scope.get(_KEY, ANYBODY)
    return caller
