"""The rules that report the server: audit, metrics, traces and registration."""

from __future__ import annotations

from mcpgen.config.tables.server import AuditDestination, RegistryConfig
from mcpgen.emit.feature_declaration import PolicyVariable, RuleDeclaration, key_variable
from mcpgen.emit.literal import CallExpr, NameExpr, Value
from mcpgen.emit.policy.access import public_url_variable
from mcpgen.ir.server import Server

_OPENTELEMETRY = (
    "opentelemetry-exporter-otlp-proto-http>=1.36,<2",
    "opentelemetry-sdk>=1.36,<2",
)
_PROMETHEUS = ("prometheus-client>=0.22,<1",)
_SETTINGS = NameExpr("settings")

_AUDIT_VARIABLES = (
    PolicyVariable("audit_file", "path of the file for audit events", "standard output"),
)
_METRICS_VARIABLES = (
    PolicyVariable("metrics_host", "address of the metrics for Prometheus", "127.0.0.1"),
    PolicyVariable("metrics_port", "port of the metrics", "9464"),
)


def correlation(server: Server) -> RuleDeclaration | None:
    """`RequestIds()`; None if requests have no ids."""
    if not server.observability.has_request_ids:
        return None
    return RuleDeclaration(
        CallExpr("RequestIds", ()), {"observability.request_id": ("RequestIds",)}
    )


def telemetry(server: Server) -> RuleDeclaration | None:
    """`Telemetry(settings, ...)`; None if no telemetry is exported."""
    chosen = server.observability
    if not chosen.has_opentelemetry:
        return None
    keywords: tuple[tuple[str, Value], ...] = (("service", server.slug),)
    keywords += () if chosen.propagate else (("propagate", False),)
    return RuleDeclaration(
        CallExpr("Telemetry", (_SETTINGS,), keywords),
        {"observability.telemetry": ("Telemetry",)},
        requires=_OPENTELEMETRY,
    )


def metrics(server: Server) -> RuleDeclaration | None:
    """`Metrics(settings)`; None if Prometheus scrapes no metrics."""
    if not server.observability.prometheus:
        return None
    return RuleDeclaration(
        CallExpr("Metrics", (_SETTINGS,)),
        {"observability.metrics": ("Metrics",)},
        ("observability.metrics", "MetricsSettings"),
        _PROMETHEUS,
        _METRICS_VARIABLES,
    )


def audit(server: Server) -> RuleDeclaration | None:
    """`Audit(settings, ...)` or `RequiredAudit(settings, ...)`; None if no events of calls are
    kept."""
    chosen = server.observability
    keywords: tuple[tuple[str, Value], ...] = (("server", server.slug),)
    keywords += (("arguments", True),) if chosen.audit_arguments else ()
    if chosen.audit is AuditDestination.LINES:
        callee, module = (
            ("RequiredAudit", "observability.audit_json")
            if chosen.audit_required
            else ("Audit", "observability.audit")
        )
        return RuleDeclaration(
            CallExpr(callee, (_SETTINGS, CallExpr("audit_lines", (_SETTINGS,))), keywords),
            _audit_imports(module, callee),
            ("observability.audit_json", "AuditSettings"),
            variables=_AUDIT_VARIABLES,
        )
    if chosen.audit is AuditDestination.OPENTELEMETRY:
        return RuleDeclaration(
            CallExpr("Audit", (_SETTINGS, NameExpr("audit_records")), keywords),
            {"observability.audit": ("Audit",), "observability.audit_otel": ("audit_records",)},
        )
    return None


def _audit_imports(module: str, callee: str) -> dict[str, tuple[str, ...]]:
    """The imports of `callee` and of the writer of audit events, by module."""
    writer = "observability.audit_json"
    if module == writer:
        return {writer: (callee, "audit_lines")}
    return {module: (callee,), writer: ("audit_lines",)}


_VARIABLES = (
    PolicyVariable("registers", "whether the server registers with the registry", "true"),
    key_variable(RegistryConfig, "url"),
    PolicyVariable("registry_token", "bearer token for the registry", "no token"),
)


def registration(server: Server) -> RuleDeclaration | None:
    """`SelfRegistration(settings, ...)`; None without a registry."""
    chosen = server.registry
    if not chosen.url:
        return None
    keywords: tuple[tuple[str, Value], ...] = ()
    if server.policy.has_custom_path:
        keywords += (("path", server.policy.path),)
    if chosen.ttl:
        keywords += (("ttl", chosen.ttl),)
    elif chosen.generic:
        keywords += (("generic", True),)
    # With authentication of callers, the README has a row for the public address already.
    public = () if server.policy.authentication else (public_url_variable(server),)
    return RuleDeclaration(
        CallExpr("SelfRegistration", (NameExpr("settings"),), keywords),
        {"registry.registration": ("SelfRegistration",)},
        ("registry.registration", "RegistrationSettings"),
        variables=(*public, *_VARIABLES),
    )
