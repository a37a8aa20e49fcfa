"""Who is told of what a server does, ready to be written down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ObservabilitySpec:
    """`audit_lines` and `audit_records` say where events of the audit go; neither, nowhere.
    `audit_required` refuses calls whose lines cannot be written."""

    audit_lines: bool = False
    audit_records: bool = False
    audit_arguments: bool = False
    audit_required: bool = False
    json_logs: bool = False
    request_ids: bool = False
    opentelemetry: bool = False
    propagate: bool = True
    prometheus: bool = False
