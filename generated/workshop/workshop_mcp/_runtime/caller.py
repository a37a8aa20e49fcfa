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
    """Whoever sent a request, as far as the server has found out.

    `scopes` are those it was granted; None means that nothing is asked of it, as of an operator or
    during development. `credential` is what it showed, as it came; `token` tells that this is an
    access token, and that it was found good. `path` are the values of the parameters in the path of
    the endpoint, and `toolset` is the set of tools that it stands for, `""` for the server's own.
    `headers` are those that the API gets as they came, where that was chosen.
    """

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
        """What tells it from other callers, and the same one at another endpoint; of a caller with a
        good token the subject, so that it may renew the token, of others what they showed."""
        shown = [] if self.token else [self.credential, *sorted(self.headers.items())]
        text = json.dumps([self.subject, self.toolset, sorted(self.path.items()), shown])
        return hashlib.sha256(text.encode()).hexdigest()


ANYBODY = Caller()
"""The caller of a server that asks nobody who they are."""


def scope_with_caller(scope: Scope, caller: Caller) -> Scope:
    """The scope of a request whose caller is known."""
    return {**scope, _KEY: caller}


def caller_of(scope: Scope) -> Caller:
    """Who sent the request of a scope."""
    caller: Caller = scope.get(_KEY, ANYBODY)
    return caller
