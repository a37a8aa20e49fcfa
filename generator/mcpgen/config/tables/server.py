"""Keys about the running server: endpoint, notifications, observability and registration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice, switch, text, within
from mcpgen.config.validators import ValueRule

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


ENDPOINT_KEYS = (
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


@dataclass(frozen=True, slots=True)
class NotificationsConfig:
    """The notifications that clients can turn on: `changes` of subscribed resources, and `log`
    messages."""

    changes: bool = False
    log: bool = False


def read_notifications(values: Mapping[str, Any]) -> NotificationsConfig:
    """The notifications configured by the keys."""
    return NotificationsConfig(values["notices.changes"], values["notices.log"])


NOTIFICATIONS_KEYS = (
    switch(
        "notices.changes",
        "Whether clients can subscribe to resources, and are told of calls that change them.",
    ),
    switch(
        "notices.log",
        "Whether clients can set the level from which on handlers write to their log.",
    ),
)


class AuditDestination(StrEnum):
    """The destination of audit events."""

    NOWHERE = "nowhere"
    LINES = "lines"
    OPENTELEMETRY = "opentelemetry"


class LogFormat(StrEnum):
    """The format of the log."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ObservabilityConfig:
    """Audit, logs, metrics and traces. `request_ids` gives every request an id; `propagate` sends
    the trace id to the API. `audit_required` refuses calls with events that cannot be written."""

    audit: AuditDestination = AuditDestination.NOWHERE
    audit_arguments: bool = False
    log: LogFormat = LogFormat.TEXT
    request_ids: bool = False
    opentelemetry: bool = False
    propagate: bool = True
    prometheus: bool = False
    audit_required: bool = False


def read_observability(values: Mapping[str, Any]) -> ObservabilityConfig:
    """The observability configured by the keys."""
    return ObservabilityConfig(
        audit=AuditDestination(values["audit.to"]),
        audit_arguments=values["audit.arguments"],
        log=LogFormat(values["log.format"]),
        request_ids=values["log.request_ids"],
        opentelemetry=values["telemetry.opentelemetry"],
        propagate=values["telemetry.propagate"],
        prometheus=values["telemetry.prometheus"],
        audit_required=values["audit.required"],
    )


OBSERVABILITY_KEYS = (
    choice("audit.to", "Where an event of each call goes.", AuditDestination),
    switch("audit.arguments", "Whether the event has the arguments of the call."),
    switch("audit.required", "Whether calls are refused while events cannot be written."),
    choice("log.format", "How the log is written.", LogFormat, "log_format"),
    switch("log.request_ids", "Whether requests have an id, which reaches the API too."),
    switch("telemetry.opentelemetry", "Whether traces and metrics go to a collector."),
    switch("telemetry.propagate", "Whether the API is told the id of the trace.", True),
    switch("telemetry.prometheus", "Whether Prometheus finds metrics on another port."),
)


class RegistryFlow(StrEnum):
    """The registration flow of a running server: by server card, or the generic flow for agents."""

    NATIVE = "native"
    GENERIC = "generic"


@dataclass(frozen=True, slots=True)
class RegistryConfig:
    """`name`: the name in the official registry of MCP, `""` for a name derived from the server's
    address. `url`: the registry of agents that a running server registers with, `""` for none.
    `ttl`: the duration of a registration in seconds, 0 for as long as heartbeats are sent.
    `generic`: the flow for agents, always used with `ttl`."""

    name: str = ""
    url: str = ""
    ttl: int = 0
    generic: bool = False


def registry(values: Mapping[str, Any]) -> RegistryConfig:
    """The registration configured by the keys."""
    url = values["registry.url"].rstrip("/")
    ttl: int = values["registry.ttl_seconds"]
    generic = ttl > 0 or values["registry.flow"] == RegistryFlow.GENERIC
    return RegistryConfig(values["registry.name"], url, ttl, generic)


is_registry_name = ValueRule(pattern=r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", shortest=3, longest=200)
"""A name that the official registry accepts."""


REGISTRY_KEYS: tuple[KeySpec, ...] = (
    text(
        "registry.name",
        "Name in the official registry of MCP; the host of `endpoint.public_url` from behind, and the "
        "server's name, if empty.",
        "a namespace and a name, as `io.github.someone/weather`",
        is_registry_name,
    ),
    text(
        "registry.url",
        "The registry of agents that the running server registers with.",
        "an http or https URL without user, query and fragment",
        validators.is_base_url,
        "registry_url",
    ),
    choice(
        "registry.flow",
        "Whether it registers by its card, or as any agent, without the schemas of its tools.",
        RegistryFlow,
    ),
    KeySpec(
        "registry.ttl_seconds",
        KeyType.INTEGER,
        0,
        "How long the server is alive there unless it is renewed; 0 for heartbeats every 30 seconds.",
        "from 0 to 604800",
        within(0, 604_800),
    ),
)
