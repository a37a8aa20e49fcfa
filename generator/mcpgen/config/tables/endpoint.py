"""The endpoint of the server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, switch, text

PARAMETER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A parameter in the path of an endpoint."""

_SEGMENT = re.compile(rf"[A-Za-z0-9_~-][A-Za-z0-9._~-]*|{PARAMETER.pattern}")
_TAKEN = ("/healthz", "/readyz", "/metrics")


@dataclass(frozen=True, slots=True)
class EndpointConfig:
    """The path of the endpoint, with parameters in braces; the default of `ENABLED`; and the URL in
    front of the path, `""` if unknown."""

    path: str = "/mcp"
    enabled: bool = True
    public_url: str = ""


def read_endpoint(values: Mapping[str, Any]) -> EndpointConfig:
    """The endpoint configured by the keys."""
    return EndpointConfig(
        values["endpoint.path"],
        values["endpoint.enabled"],
        values["endpoint.public_url"].rstrip("/"),
    )


def is_endpoint(path: str) -> bool:
    """True if MCP can be served at the path."""
    names = PARAMETER.findall(path)
    return (
        len(path) <= 200
        and path.startswith("/")
        and (path == "/" or all(_SEGMENT.fullmatch(segment) for segment in path[1:].split("/")))
        and len(set(names)) == len(names)
        and path not in _TAKEN
    )


def is_public_url(url: str) -> bool:
    """True if the text can be the public URL of a server: HTTPS, or the loopback."""
    return validators.is_base_url(url) and validators.is_safe_url(url)


KEYS = (
    KeySpec(
        "endpoint.path",
        KeyType.STRING,
        "/mcp",
        "Path of the endpoint; parameters in braces go into every request to the API.",
        "a path such as `/` or `/api/workspaces/{workspaceId}/mcp`, each parameter a whole segment",
        is_endpoint,
    ),
    switch(
        "endpoint.enabled",
        "Whether the endpoint is there unless the environment says otherwise.",
        True,
        "enabled",
    ),
    text(
        "endpoint.public_url",
        "Address at which clients reach the server, without the path of the endpoint.",
        "an https URL without user, query and fragment, or an http one of this machine",
        is_public_url,
        "public_url",
    ),
)
