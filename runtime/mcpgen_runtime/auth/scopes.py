"""Scopes, roles, and the response to a call that lacks a scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..caller import Caller
from ..result import Result
from ..server.invocation import Finish, Invocation
from ..server.middleware import Middleware
from ..tool import Tool


def missing_scopes(granted: frozenset[str] | None, required: Iterable[str]) -> tuple[str, ...]:
    """The scopes of `required` that are not in `granted`, in order; `granted` is None for an
    operator.

    A scope contains the scopes below: `write` contains `write:ingest`.
    """
    if granted is None:
        return ()
    return tuple(scope for scope in required if not _is_granted(scope, granted))


def _is_granted(scope: str, granted: frozenset[str]) -> bool:
    while scope:
        if scope in granted:
            return True
        scope = scope.rpartition(":")[0]
    return False


class Scopes(Middleware):
    """Requires scopes by tool. A tool without scopes is open to every authenticated caller."""

    def __init__(self, scopes: Mapping[str, tuple[str, ...]]) -> None:
        self._scopes = scopes

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call, or denies with the first missing scope."""
        required = self._scopes.get(invocation.tool.name, ())
        missing = missing_scopes(invocation.caller.scopes, required)
        return _denied(invocation, missing[0]) if missing else await finish()

    def allows(self, caller: Caller, tool: Tool) -> bool:
        """True if the caller has every scope of the tool."""
        return not missing_scopes(caller.scopes, self._scopes.get(tool.name, ()))


class HiddenScopes(Scopes):
    """`Scopes` that also hides tools the caller may not call."""

    def shows(self, caller: Caller, tool: Tool) -> bool:
        """True if the caller may call the tool."""
        return self.allows(caller, tool)


class Roles(Middleware):
    """Restricts tools to callers with a role. For other callers the tool does not exist."""

    def __init__(self, roles: Mapping[str, tuple[str, ...]]) -> None:
        self._roles = {name: frozenset(roles) for name, roles in roles.items()}

    def knows(self, caller: Caller, tool: Tool) -> bool:
        """True if the caller has one of the tool's roles."""
        required = self._roles.get(tool.name)
        return required is None or not required.isdisjoint(caller.roles)


def _denied(invocation: Invocation, required: str) -> Result:
    caller = invocation.caller
    envelope = {
        "outcome": "denied",
        "code": "scope_required",
        "required": required,
        "subjectScopes": sorted(caller.scopes or ()),
        "message": f"{invocation.tool.name} needs the scope {required}",
    }
    return Result.denied(envelope)
