"""Audit, logs, metrics and traces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config.key_spec import choice, switch


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


KEYS = (
    choice("audit.to", "Where an event of each call goes.", AuditDestination),
    switch("audit.arguments", "Whether the event has the arguments of the call."),
    switch("audit.required", "Whether calls are refused while events cannot be written."),
    choice("log.format", "How the log is written.", LogFormat, "log_format"),
    switch("log.request_ids", "Whether requests have an id, which reaches the API too."),
    switch("telemetry.opentelemetry", "Whether traces and metrics go to a collector."),
    switch("telemetry.propagate", "Whether the API is told the id of the trace.", True),
    switch("telemetry.prometheus", "Whether Prometheus finds metrics on another port."),
)
