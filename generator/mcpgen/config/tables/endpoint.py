"""Where the server is reached."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.config.key import Key, Kind

PARAMETER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A parameter in the path of an endpoint."""

_SEGMENT = re.compile(rf"[A-Za-z0-9_~-][A-Za-z0-9._~-]*|{PARAMETER.pattern}")
_TAKEN = ("/healthz", "/readyz", "/metrics")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The path of the endpoint, with parameters in braces, and whether it is there by default."""

    path: str = "/mcp"
    enabled: bool = True


def endpoint(values: Mapping[str, Any]) -> Endpoint:
    """Where the keys put the server."""
    return Endpoint(values["endpoint.path"], values["endpoint.enabled"])


def is_endpoint(path: str) -> bool:
    """Whether MCP can be served at a path."""
    names = PARAMETER.findall(path)
    return (
        len(path) <= 200
        and path.startswith("/")
        and (path == "/" or all(_SEGMENT.fullmatch(segment) for segment in path[1:].split("/")))
        and len(set(names)) == len(names)
        and path not in _TAKEN
    )


KEYS = (
    Key(
        "endpoint.path",
        Kind.STRING,
        "/mcp",
        "Path of the endpoint; parameters in braces go into every request to the API.",
        "a path such as `/` or `/api/workspaces/{workspaceId}/mcp`, each parameter a whole segment",
        is_endpoint,
    ),
    Key(
        "endpoint.enabled",
        Kind.BOOLEAN,
        True,
        "Whether the endpoint is there unless the environment says otherwise.",
        fits=lambda _: True,
    ),
)
