"""The limits of a server, and who is told of what it does, as the configuration chooses them."""

from __future__ import annotations

from collections.abc import Collection

from mcpgen.config import Config
from mcpgen.config.tables.limits import CountStore, RateCounting, UnknownCallers, UnreachablePolicy
from mcpgen.config.tables.observability import AuditDestination, LogFormat
from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.limits import CapsSpec, LimitsSpec, RatesSpec
from mcpgen.ir.observability import ObservabilitySpec
from mcpgen.lower.selectors import closest_match

TOO_MANY_REQUESTS = 429
"""The HTTP status of a call over its rate, and the code of its error unless another is chosen:
JSON-RPC keeps none for it, and numbers of that size are free."""


def limits(
    config: Config, tools: Collection[str], diagnostics: Diagnostics, at: Location
) -> LimitsSpec:
    """The limits. Adds UNKNOWN_LIMITED_TOOL for a rate of a tool that is not there."""
    chosen = config.limits
    for table in ("tools", "subject_tools"):
        for name in getattr(chosen, table):
            if name not in tools:
                hint = closest_match(name, list(tools)) or "see the list of tools in the README"
                place = config.at("limits", table, name) or at
                diagnostics.add(codes.UNKNOWN_LIMITED_TOOL, place, tool=name, nearest=hint)
    return LimitsSpec(
        RatesSpec(
            chosen.all,
            chosen.subject,
            chosen.tools,
            chosen.subject_tools,
            code=chosen.error_code or TOO_MANY_REQUESTS,
            messages=chosen.count is RateCounting.MESSAGES,
            by_address=chosen.anonymous is UnknownCallers.ADDRESS,
            open=chosen.unreachable is UnreachablePolicy.ALLOW,
        ),
        CapsSpec(
            chosen.concurrent,
            chosen.concurrent_subject,
            chosen.call_seconds,
            chosen.result_bytes,
        ),
        chosen.retries,
        chosen.retry_wait_seconds,
        chosen.breaker_failures,
        chosen.breaker_seconds,
        shared=chosen.store is CountStore.REDIS,
    )


def knowledge(config: Config) -> ObservabilitySpec:
    """Who is told what. Events that go to OpenTelemetry need its providers, and a log of lines its
    ids."""
    chosen = config.knowledge
    records = chosen.audit is AuditDestination.OPENTELEMETRY
    json_logs = chosen.log is LogFormat.JSON
    return ObservabilitySpec(
        audit_lines=chosen.audit is AuditDestination.LINES,
        audit_required=chosen.audit is AuditDestination.LINES and chosen.audit_required,
        audit_records=records,
        audit_arguments=chosen.audit_arguments,
        json_logs=json_logs,
        request_ids=chosen.request_ids or json_logs,
        opentelemetry=chosen.opentelemetry or records,
        propagate=chosen.propagate,
        prometheus=chosen.prometheus,
    )
