"""Named toolsets, each served at a separate endpoint below `/mcp`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..caller import Caller, caller_of, scope_with_caller
from ..tool import Tool
from .asgi import Asgi, Receive, Scope, Send
from .middleware import Middleware
from .transport_guard import PATHS


class Toolsets(Middleware):
    """Toolsets by name. `default` is the toolset of `/mcp` itself, `""` for all tools.

    At the endpoint of a toolset all other tools are unknown.
    """

    def __init__(self, sets: Mapping[str, tuple[str, ...]], default: str = "") -> None:
        self._sets = {name: frozenset(tools) for name, tools in sets.items()}
        self._default = default

    def gate(self, app: Asgi) -> Asgi:
        """Puts the toolset into the caller and the standard path into the scope."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            name = _path_below(scope["path"])
            if name in self._sets:
                caller = replace(caller_of(scope), toolset=name)
                scope = scope_with_caller({**scope, "path": PATHS[0]}, caller)
            await app(scope, receive, send)

        return gated

    def knows(self, caller: Caller, tool: Tool) -> bool:
        """True if the tool is in the toolset of the caller's endpoint."""
        name = caller.toolset or self._default
        return not name or tool.name in self._sets[name]


def _path_below(path: str) -> str:
    """The path below the MCP path, without trailing slash; `""` if empty."""
    root = PATHS[-1]
    return path[len(root) :].removesuffix("/") if path.startswith(root) else ""
