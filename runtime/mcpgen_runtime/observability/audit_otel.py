"""Audit events as OpenTelemetry log records."""

from __future__ import annotations

import time

from opentelemetry._logs import LogRecord, SeverityNumber, get_logger

from ..upstream.value_text import compact_json
from .audit import Event


def audit_records(event: Event) -> None:
    """Emits an event with the global logger provider."""
    attributes = {
        name: value if isinstance(value, str | int | float) else compact_json(value)
        for name, value in event.items()
        if name not in ("event", "time")
    }
    record = LogRecord(
        timestamp=time.time_ns(),
        severity_number=SeverityNumber.INFO,
        severity_text="INFO",
        body=str(event["event"]),
        attributes=attributes,
        event_name=str(event["event"]),
    )
    get_logger(__name__).emit(record)
