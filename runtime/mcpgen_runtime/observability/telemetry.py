"""OpenTelemetry traces, metrics and logs, exported as the standard environment variables say.

The MCP SDK opens a span for every message; this module adds the caller, spans for upstream
requests, and call durations. https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from urllib.parse import urlsplit

from opentelemetry import context, metrics, trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.datastructures import Headers

from ..result import Result
from ..server.asgi import Asgi, Receive, Scope, Send
from ..server.invocation import Deliver, Finish, Invocation
from ..server.middleware import Middleware
from ..settings import ServerSettings
from ..upstream.client import upstream_base_url
from ..upstream.exchange import UpstreamError, UpstreamRequest, UpstreamResponse

_ENDPOINT = re.compile(r"OTEL_EXPORTER_OTLP_((TRACES|METRICS|LOGS)_)?ENDPOINT")
_PARENT = "traceparent"


class Telemetry(Middleware):
    """Exports telemetry if an endpoint variable such as `OTEL_EXPORTER_OTLP_ENDPOINT` is set.

    `propagate` sends the trace id to the API.
    """

    def __init__(self, settings: ServerSettings, *, service: str, propagate: bool = True) -> None:
        self._settings = settings
        self._service = os.environ.get("OTEL_SERVICE_NAME") or service
        self._propagate = propagate
        self._tracer = trace.get_tracer(__name__)
        self._seconds = metrics.get_meter(__name__).create_histogram(
            "mcp.server.operation.duration", "s", "How long a call of a tool took."
        )
        self._propagator = TraceContextTextMapPropagator()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sets up the exporters; flushes pending data at the end."""
        if not any(_ENDPOINT.fullmatch(name) for name, value in os.environ.items() if value):
            yield
            return
        resource = Resource.create({"service.name": self._service})
        spans = TracerProvider(resource=resource)
        spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        reader = PeriodicExportingMetricReader(OTLPMetricExporter())
        numbers = MeterProvider([reader], resource=resource)
        records = LoggerProvider(resource=resource)
        records.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
        trace.set_tracer_provider(spans)
        metrics.set_meter_provider(numbers)
        set_logger_provider(records)
        yield
        # Exporters block while the collector is unreachable; in threads, the event loop can finish
        # calls.
        shutdowns = (asyncio.to_thread(provider.shutdown) for provider in (spans, numbers, records))
        await asyncio.gather(*shutdowns)

    def gate(self, app: Asgi) -> Asgi:
        """Joins the trace in the client's `traceparent` header."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            parent = Headers(scope=scope).get(_PARENT)
            token = context.attach(self._propagator.extract({_PARENT: parent} if parent else {}))
            try:
                await app(scope, receive, send)
            finally:
                context.detach(token)

        return gated

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call; records caller, outcome and duration."""
        started_at, outcome = time.perf_counter(), "failure"
        span = trace.get_current_span()
        span.set_attribute("enduser.id", invocation.caller.subject)
        try:
            result = await finish()
            outcome = result.outcome
            return result
        finally:
            span.set_attribute("mcp.outcome", outcome)
            facts = {
                "mcp.method.name": "tools/call",
                "gen_ai.tool.name": invocation.tool.name,
                "mcp.outcome": outcome,
            }
            self._seconds.record(time.perf_counter() - started_at, facts)

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Sends the request within a client span."""
        where = urlsplit(upstream_base_url(self._settings, request))
        route = invocation.tool.route
        template = request.template or (route.path if route else request.path)
        facts = {
            "http.request.method": request.method,
            "url.template": template,
            "server.address": where.hostname or "",
        }
        name = f"{request.method} {template}"
        with self._tracer.start_as_current_span(
            name, kind=SpanKind.CLIENT, attributes=facts, record_exception=False
        ) as span:
            try:
                answer = await deliver(self._with_trace_context(request))
            except UpstreamError as fault:
                span.set_status(StatusCode.ERROR, str(fault))
                raise
            span.set_attribute("http.response.status_code", answer.status)
            if answer.status >= 500:
                span.set_status(StatusCode.ERROR)
            return answer

    def _with_trace_context(self, request: UpstreamRequest) -> UpstreamRequest:
        """The request with `traceparent`; no other context of the client is passed on."""
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        is_set = any(name.lower() == _PARENT for name, _ in request.headers)
        if not self._propagate or is_set or _PARENT not in carrier:
            return request
        return replace(request, headers=(*request.headers, (_PARENT, carrier[_PARENT])))
