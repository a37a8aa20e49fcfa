"""Prometheus metrics, probes, and OpenTelemetry exports."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest
from aiohttp import web
from aiohttp.test_utils import RawTestServer
from tests.redis_server import redis_server
from tests.runtime.apps import create_app
from tests.runtime.auth_servers import RefusingGate
from tests.runtime.conftest import CanarySettings, Serving, WireUpstream
from tests.runtime.test_rate_limits import statuses

from mcpgen.conformance.targets.command import free_port
from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.limits.redis_client import RedisSettings
from mcpgen_runtime.limits.sliding_window_redis import redis_windows
from mcpgen_runtime.observability.metrics import PROCESSES, Metrics, MetricsSettings
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

TOOL = Tool("get", "Get", "Gets it.", Route("GET", "/it"), Hints(True, False, True))


def metrics(port: int = 0) -> Metrics:
    """Returns the metrics rule, on a free port."""
    return Metrics(MetricsSettings(metrics_port=port))


async def read_metrics(url: str) -> dict[str, float]:
    """Returns the metrics by name and labels."""
    async with httpx2.AsyncClient(timeout=120) as client:
        text = (await client.get(url)).text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(number) for name, _, number in lines}


async def test_calls_refusals_and_requests_are_counted(
    serving: Serving, upstream: WireUpstream
) -> None:
    rule = metrics()
    limiting = RateLimits(RateSettings(), Rates(all="2/minute"), code=429)

    async with serving(TOOL, upstream=upstream.url, rules=[rule, limiting]) as client:
        await statuses(client, 4)
        numbers = await read_metrics(rule.url)

    assert numbers['mcp_calls_total{outcome="ok",tool="get"}'] == 2
    assert numbers['mcp_refusals_total{status="429"}'] == 2
    assert numbers['mcp_upstream_requests_total{status="200"}'] == 2
    assert numbers['mcp_call_seconds_count{tool="get"}'] == 2
    assert numbers["mcp_calls_under_way"] == 0


async def test_the_servers_own_port_has_no_numbers(
    serving: Serving, upstream: WireUpstream
) -> None:
    rule = metrics()

    async with serving(TOOL, upstream=upstream.url, rules=[rule]) as client:
        response = await client.http.get("/metrics")

        assert rule.url.startswith("http://127.0.0.1:")
    assert response.status_code == 404


async def test_a_port_that_is_taken_does_not_keep_the_server_from_working(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    first = metrics()

    async with serving(TOOL, upstream=upstream.url, rules=[first]):
        port = int(first.url.split(":")[2].partition("/")[0])
        async with serving(TOOL, upstream=upstream.url, rules=[metrics(port)]) as client:
            assert await statuses(client, 1) == [200]

    assert f"there are no metrics, they cannot be served at 127.0.0.1:{port}" in caplog.text


LOST = """
from prometheus_client import Gauge

Gauge("mcp_calls_under_way", "Calls that have not ended.", multiprocess_mode="livesum").inc()
"""
"""Program that ends before its call ends."""


async def test_calls_of_a_process_that_is_gone_are_not_under_way(
    serving: Serving, upstream: WireUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PROCESSES, str(tmp_path))
    await asyncio.to_thread(subprocess.run, (sys.executable, "-c", LOST), check=True)
    file_count = len(list(tmp_path.iterdir()))
    rule = metrics()

    async with serving(TOOL, upstream=upstream.url, rules=[rule]):
        numbers = await read_metrics(rule.url)

    assert file_count == 1
    assert numbers.get("mcp_calls_under_way", 0) == 0


async def test_a_server_without_policy_lives_and_is_ready(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        liveness = await client.http.get("/healthz", headers={"host": "10.0.0.7"})
        readiness = await client.http.get("/readyz", headers={"host": "10.0.0.7"})

    assert (liveness.status_code, liveness.json()) == (200, {"status": "ok"})
    assert (readiness.status_code, readiness.json()) == (200, {"status": "ready"})


async def test_a_server_that_is_about_to_end_lives_and_is_not_ready() -> None:
    app = create_app(ServerInfo("canary", "Canary", "1"), [TOOL], [], CanarySettings(), Hooks())
    transport = httpx2.ASGITransport(app)

    async with app.running(), httpx2.AsyncClient(transport=transport) as client:
        app.draining = True
        liveness = await client.get("http://localhost/healthz")
        readiness = await client.get("http://localhost/readyz")

    assert liveness.status_code == 200
    assert readiness.status_code == 503
    assert readiness.json()["reasons"] == ["the server is about to end"]


async def test_probes_are_answered_past_every_gate(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=[RefusingGate()]) as client:
        responses = [await client.http.get(path) for path in ("/healthz", "/readyz")]

    assert [response.status_code for response in responses] == [200, 200]


async def test_a_server_that_needs_redis_is_ready_while_redis_is_there(
    serving: Serving, upstream: WireUpstream
) -> None:
    with redis_server() as redis:
        store = redis_windows(RedisSettings(limit_store=redis.url))  # type: ignore[arg-type]
        rules = [RateLimits(RateSettings(), Rates(all="9/minute"), store, code=429)]
        async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
            response = await client.http.get("/readyz")
            redis.stop()
            outage_readiness = await client.http.get("/readyz")
            liveness = await client.http.get("/healthz")

    assert (response.status_code, outage_readiness.status_code, liveness.status_code) == (
        200,
        503,
        200,
    )
    assert outage_readiness.json()["reasons"][0].startswith(
        "the store of the limits cannot be used: "
    )


async def test_a_server_that_goes_on_without_redis_is_ready_without_it(
    serving: Serving, upstream: WireUpstream
) -> None:
    url = f"redis://127.0.0.1:{free_port()}"
    store = redis_windows(RedisSettings(limit_store=url))  # type: ignore[arg-type]
    rules = [RateLimits(RateSettings(), Rates(all="9/minute"), store, code=429, open=True)]

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        assert (await client.http.get("/readyz")).status_code == 200


@dataclass
class Collector:
    """OpenTelemetry collector; `bodies` are the received exports, by path."""

    bodies: dict[str, bytes] = field(default_factory=dict)

    async def take(self, request: web.BaseRequest) -> web.Response:
        """Records one export."""
        self.bodies[request.path] = self.bodies.get(request.path, b"") + await request.read()
        return web.Response()


@asynccontextmanager
async def collecting() -> AsyncIterator[tuple[Collector, str]]:
    """Runs a collector, and yields the collector and its address."""
    collector = Collector()
    async with RawTestServer(collector.take, host="127.0.0.1") as server:
        yield collector, str(server.make_url("/")).rstrip("/")


PROGRAM = """
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from mcpgen_runtime.observability.audit import Audit
from mcpgen_runtime.observability.audit_otel import audit_records
from mcpgen_runtime.observability.telemetry import Telemetry
from tests.runtime.conftest import CanarySettings, serving_tools, upstream_running
from tests.runtime.auth_servers import RefusingGate
from tests.runtime.test_metrics import TOOL
from tests.runtime.test_rate_limits import message

async def main():
    async with upstream_running() as upstream:
        settings = CanarySettings(upstream=upstream.url)
        rules = [
            Telemetry(settings, service="pets", propagate=sys.argv[2] == "on"),
            Audit(settings, audit_records, server="pets"),
        ]
        parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        async with serving_tools(TOOL, upstream=upstream.url, rules=rules) as client:
            await client.post(message("get"), traceparent=parent, tracestate="a=secret-state")
        print(json.dumps(upstream.requests[0].headers))

asyncio.run(main())
"""
"""One call in a separate process: OpenTelemetry providers are global to a process, and can be set
only once."""


async def trace_call(propagate: str) -> tuple[Collector, dict[str, str]]:
    """Returns the exports of one call, and the headers that the API received."""
    async with collecting() as (collector, url):
        command = [sys.executable, "-c", PROGRAM, str(Path(__file__).parents[2]), propagate]
        completed_process = await asyncio.to_thread(
            subprocess.run,
            command,
            env=os.environ | {"OTEL_EXPORTER_OTLP_ENDPOINT": url},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert completed_process.returncode == 0, completed_process.stderr
    return collector, {name.lower(): value for name, value in json.loads(completed_process.stdout)}


async def test_a_collector_is_told_of_the_call_its_request_and_its_event() -> None:
    collector, headers = await trace_call("on")

    trace = bytes.fromhex("0af7651916cd43dd8448eb211c80319c")
    assert set(collector.bodies) == {"/v1/traces", "/v1/metrics", "/v1/logs"}
    spans = collector.bodies["/v1/traces"]
    assert spans.count(trace) >= 2
    assert b"tools/call get" in spans
    assert b"GET /it" in spans
    assert b"enduser.id" in spans
    assert b"mcp.server.operation.duration" in collector.bodies["/v1/metrics"]
    assert b"mcp.invoke" in collector.bodies["/v1/logs"]
    assert headers["traceparent"].startswith("00-0af7651916cd43dd8448eb211c80319c-")
    assert "b7ad6b7169203331" not in headers["traceparent"]
    assert "tracestate" not in headers


@pytest.mark.repeated("repeats the test of a trace with the other value of the setting")
async def test_the_api_is_not_told_of_the_trace_if_that_is_not_allowed() -> None:
    collector, headers = await trace_call("off")

    assert b"GET /it" in collector.bodies["/v1/traces"]
    assert "traceparent" not in headers
