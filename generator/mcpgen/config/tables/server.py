"""Keys about the running server: endpoint, notifications, observability and registration."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from mcpgen.config import validators
from mcpgen.config.key_spec import (
    key,
    keys_of,
    strip_slash,
    within,
)
from mcpgen.config.validators import ValueRule

PARAMETER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A parameter in the path of an endpoint."""

_SEGMENT = re.compile(rf"[A-Za-z0-9_~-][A-Za-z0-9._~-]*|{PARAMETER.pattern}")
_TAKEN = ("/healthz", "/readyz", "/metrics")


def is_endpoint(path: str) -> bool:
    """True if MCP can be served at the path.

    Example: `is_endpoint("/mcp")` gives `True`.
    """
    names = PARAMETER.findall(path)
    return (
        len(path) <= 200
        and path.startswith("/")
        and (path == "/" or all(_SEGMENT.fullmatch(segment) for segment in path[1:].split("/")))
        and len(set(names)) == len(names)
        and path not in _TAKEN
    )


def is_public_url(url: str) -> bool:
    """True if the text can be the public URL of a server: HTTPS, or the loopback.

    Example: `is_public_url("http://example.com")` gives `False`.
    """
    return validators.is_base_url(url) and validators.is_safe_url(url)


@dataclass(frozen=True, slots=True)
class EndpointConfig:
    """The path of the endpoint, with parameters in braces; the default of `ENABLED`; and the URL in
    front of the path, `""` if unknown."""

    path: str = key(
        "endpoint.path",
        "/mcp",
        "Path of the endpoint; parameters in braces go into every request to the API.",
        "a path such as `/` or `/api/workspaces/{workspaceId}/mcp`, each parameter a whole segment",
        is_endpoint,
    )
    enabled: bool = key(
        "endpoint.enabled",
        True,
        "Whether the endpoint is there unless the environment says otherwise.",
        variable="enabled",
    )
    public_url: str = key(
        "endpoint.public_url",
        "",
        "Address at which clients reach the server, without the path of the endpoint.",
        "an https URL without user, query and fragment, or an http one of this machine",
        is_public_url,
        "public_url",
        convert=strip_slash,
    )


ENDPOINT_KEYS = keys_of(EndpointConfig)


@dataclass(frozen=True, slots=True)
class NotificationsConfig:
    """The notifications that clients can turn on: `changes` of subscribed resources, and `log`
    messages."""

    changes: bool = key(
        "notices.changes",
        False,
        "Whether clients can subscribe to resources, and are told of calls that change them.",
    )
    log: bool = key(
        "notices.log",
        False,
        "Whether clients can set the level from which on handlers write to their log.",
    )


NOTIFICATIONS_KEYS = keys_of(NotificationsConfig)


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

    audit: AuditDestination = key(
        "audit.to", AuditDestination, "Destination of an event of each call."
    )
    audit_arguments: bool = key(
        "audit.arguments", False, "Whether the event has the arguments of the call."
    )
    audit_required: bool = key(
        "audit.required", False, "Whether calls are refused while events cannot be written."
    )
    log: LogFormat = key("log.format", LogFormat, "Format of the log.", variable="log_format")
    request_ids: bool = key(
        "log.request_ids", False, "Whether requests have an id, which reaches the API too."
    )
    opentelemetry: bool = key(
        "telemetry.opentelemetry", False, "Whether traces and metrics go to a collector."
    )
    propagate: bool = key(
        "telemetry.propagate", True, "Whether the API is told the id of the trace."
    )
    prometheus: bool = key(
        "telemetry.prometheus", False, "Whether Prometheus finds metrics on another port."
    )

    @property
    def has_json_logs(self) -> bool:
        """True if the log is written as JSON."""
        return self.log is LogFormat.JSON

    @property
    def has_request_ids(self) -> bool:
        """True if requests have ids, which lines of a JSON log name."""
        return self.request_ids or self.has_json_logs

    @property
    def has_opentelemetry(self) -> bool:
        """True if traces and metrics, or the events of the audit, go to a collector."""
        return self.opentelemetry or self.audit is AuditDestination.OPENTELEMETRY


OBSERVABILITY_KEYS = keys_of(ObservabilityConfig)


class RegistryFlow(StrEnum):
    """The registration flow of a running server: by server card, or the generic flow for agents."""

    NATIVE = "native"
    GENERIC = "generic"


is_registry_name = ValueRule(
    pattern=r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", min_length=3, max_length=200
)
"""A name that the official registry accepts."""


@dataclass(frozen=True, slots=True)
class RegistryConfig:
    """`name`: the name in the official registry of MCP, `""` for a name derived from the server's
    address. `url`: the registry of agents that a running server registers with, `""` for none.
    `ttl`: the duration of a registration in seconds, 0 for as long as heartbeats are sent."""

    name: str = key(
        "registry.name",
        "",
        "Name in the official registry of MCP; the host of `endpoint.public_url` from behind, and the "
        "server's name, if empty.",
        "a namespace and a name, as `io.github.someone/weather`",
        is_registry_name,
    )
    url: str = key(
        "registry.url",
        "",
        "URL of the registry of agents that the running server registers with.",
        "an http or https URL without user, query and fragment",
        validators.is_base_url,
        "registry_url",
        convert=strip_slash,
    )
    flow: RegistryFlow = key(
        "registry.flow",
        RegistryFlow,
        "Whether it registers by its card, or as any agent, without the schemas of its tools.",
    )
    ttl: int = key(
        "registry.ttl_seconds",
        0,
        "Duration of a registration in seconds; 0 for heartbeats every 30 seconds.",
        "from 0 to 604800",
        within(0, 604_800),
    )

    @property
    def generic(self) -> bool:
        """True for the flow for agents, the only flow with a limited duration."""
        return self.ttl > 0 or self.flow is RegistryFlow.GENERIC


REGISTRY_KEYS = keys_of(RegistryConfig)
