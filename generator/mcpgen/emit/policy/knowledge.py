"""The rules that tell others what a server does."""

from __future__ import annotations

from mcpgen.emit.literal import Call, Name, Value
from mcpgen.emit.policy.declared import Declared, Variable
from mcpgen.ir.server import Server

_OPENTELEMETRY = (
    "opentelemetry-exporter-otlp-proto-http>=1.36,<2",
    "opentelemetry-sdk>=1.36,<2",
)
_PROMETHEUS = ("prometheus-client>=0.22,<1",)
_SETTINGS = Name("settings")

_AUDIT_VARIABLES = (
    Variable("audit_file", "the file that events of the audit are appended to", "standard output"),
)
_METRICS_VARIABLES = (
    Variable("metrics_host", "the address at which Prometheus finds metrics", "127.0.0.1"),
    Variable("metrics_port", "the port of that", "9464"),
)


def correlation(server: Server) -> Declared | None:
    """`Correlation()`, if requests have ids."""
    if not server.knowledge.request_ids:
        return None
    return Declared(Call("Correlation", ()), {"correlation": ("Correlation",)})


def telemetry(server: Server) -> Declared | None:
    """`Telemetry(settings, ...)`, if a collector is told."""
    chosen = server.knowledge
    if not chosen.opentelemetry:
        return None
    keywords: tuple[tuple[str, Value], ...] = (("service", server.slug),)
    keywords += () if chosen.propagate else (("propagate", False),)
    return Declared(
        Call("Telemetry", (_SETTINGS,), keywords),
        {"telemetry": ("Telemetry",)},
        requires=_OPENTELEMETRY,
    )


def metrics(server: Server) -> Declared | None:
    """`Metrics(settings)`, if Prometheus asks."""
    if not server.knowledge.prometheus:
        return None
    return Declared(
        Call("Metrics", (_SETTINGS,)),
        {"metrics": ("Metrics",)},
        ("metrics", "MetricsSettings"),
        _PROMETHEUS,
        _METRICS_VARIABLES,
    )


def audit(server: Server) -> Declared | None:
    """`Audit(settings, ...)` or `RequiredAudit(settings, ...)`, if events of calls are kept."""
    chosen = server.knowledge
    keywords: tuple[tuple[str, Value], ...] = (("server", server.slug),)
    keywords += (("arguments", True),) if chosen.audit_arguments else ()
    if chosen.audit_lines:
        callee, module = (
            ("RequiredAudit", "required_audit") if chosen.audit_required else ("Audit", "audit")
        )
        return Declared(
            Call(callee, (_SETTINGS, Call("audit_lines", (_SETTINGS,))), keywords),
            {module: (callee,), "audit_lines": ("audit_lines",)},
            ("audit_lines", "AuditSettings"),
            variables=_AUDIT_VARIABLES,
        )
    if chosen.audit_records:
        return Declared(
            Call("Audit", (_SETTINGS, Name("audit_records")), keywords),
            {"audit": ("Audit",), "audit_records": ("audit_records",)},
        )
    return None
