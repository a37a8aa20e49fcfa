"""Tools in named sets, each served at an endpoint of its own below `/mcp`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..caller import Caller, caller_of, scope_with_caller
from ..tool import Tool
from .asgi import Asgi, Receive, Scope, Send
from .middleware import Middleware
from .transport_guard import PATHS


class Toolsets(Middleware):
    """The sets by name. `default` is the one that `/mcp` itself serves, `""` for all tools.

    At the endpoint of a set every other tool is unknown, whoever calls.
    """

    def __init__(self, sets: Mapping[str, tuple[str, ...]], default: str = "") -> None:
        self._sets = {name: frozenset(tools) for name, tools in sets.items()}
        self._default = default

    def gate(self, app: Asgi) -> Asgi:
        """The application, which finds the set in the caller and its usual path in the scope."""

        async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
            name = _below(scope["path"])
            if name in self._sets:
                caller = replace(caller_of(scope), toolset=name)
                scope = scope_with_caller({**scope, "path": PATHS[0]}, caller)
            await app(scope, receive, send)

        return chosen

    def knows(self, caller: Caller, tool: Tool) -> bool:
        """Whether the tool is in the set that the caller has come to."""
        name = caller.toolset or self._default
        return not name or tool.name in self._sets[name]


def _below(path: str) -> str:
    """What stands below the path of MCP, without a slash at its end; `""` if nothing does."""
    root = PATHS[-1]
    return path[len(root) :].removesuffix("/") if path.startswith(root) else ""
