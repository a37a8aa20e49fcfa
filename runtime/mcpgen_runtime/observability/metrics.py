"""Prometheus metrics on a separate port, so that clients of the server cannot read the metrics."""

from __future__ import annotations

import logging
import os
import shutil
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from pydantic import Field

from ..result import Result
from ..server.invocation import Deliver, Finish, Invocation
from ..server.message_rules import IncomingMessage, MessageRefused, MessageRule
from ..settings import ServerSettings
from ..upstream.exchange import UpstreamRequest, UpstreamResponse

PROCESSES = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable for the folder in which several processes share metrics."""

logger = logging.getLogger(__name__)


class MetricsSettings(ServerSettings):
    """The address at which Prometheus reads the metrics."""

    metrics_host: str = "127.0.0.1"
    """The address to listen on."""
    metrics_port: Annotated[int, Field(ge=0, le=65535)] = 9464
    """The port to listen on; 0 for any free port."""


class Metrics(MessageRule):
    """Counts calls, refusals and upstream requests. `url` is the metrics URL while the server
    runs."""

    def __init__(self, settings: MetricsSettings) -> None:
        self._host, self._port = settings.metrics_host, settings.metrics_port
        self.url = ""
        registry = self._registry = CollectorRegistry()
        self._calls = Counter(
            "mcp_calls", "Calls of tools that have ended.", ["tool", "outcome"], registry=registry
        )
        self._seconds = Histogram(
            "mcp_call_seconds", "How long calls took.", ["tool"], registry=registry
        )
        self._running_calls = Gauge(
            "mcp_calls_under_way",
            "Calls that have not ended.",
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._refusals = Counter(
            "mcp_refusals", "Messages that were refused.", ["status"], registry=registry
        )
        self._requests = Counter(
            "mcp_upstream_requests",
            "Requests to the API, by the status of its answer.",
            ["status"],
            registry=registry,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serves the metrics. A port in use is only logged: the server is more important than the
        metrics."""
        page = web.Application()
        page.router.add_get("/metrics", self._answer)
        runner = web.AppRunner(page, access_log=None)
        await runner.setup()
        # Windows has no SO_REUSEPORT, and no workers.
        together = PROCESSES in os.environ and hasattr(socket, "SO_REUSEPORT")
        site = web.TCPSite(runner, self._host, self._port, reuse_port=together or None)
        try:
            await site.start()
            host, port = runner.addresses[0][:2]
            self.url = f"http://{host}:{port}/metrics"
        except OSError as fault:
            where = f"{self._host}:{self._port}"
            logger.error("there are no metrics, they cannot be served at %s: %s", where, fault)
        yield
        await runner.cleanup()

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """Sets the folder in which processes share metrics; creates a temporary folder if the
        variable is not set."""
        folder = "" if PROCESSES in os.environ else _create_folder()
        if folder:
            os.environ[PROCESSES] = folder
        try:
            yield
        finally:
            if folder:
                del os.environ[PROCESSES]
                shutil.rmtree(folder, ignore_errors=True)

    async def _answer(self, _: web.Request) -> web.Response:
        registry = self._registry
        if PROCESSES in os.environ:
            _forget_dead(Path(os.environ[PROCESSES]))
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        headers = {"Content-Type": CONTENT_TYPE_LATEST}
        return web.Response(body=generate_latest(registry), headers=headers)

    async def refused(self, message: IncomingMessage, refusal: MessageRefused) -> None:
        """Counts a refused message."""
        self._refusals.labels(str(refusal.status)).inc()

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call; counts outcome and duration."""
        name = invocation.tool.name
        started_at, outcome = time.perf_counter(), "failure"
        self._running_calls.inc()
        try:
            result = await finish()
            outcome = result.outcome
            return result
        finally:
            self._running_calls.dec()
            self._calls.labels(name, outcome).inc()
            self._seconds.labels(name).observe(time.perf_counter() - started_at)

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Sends the request and counts the status; `none` for no response."""
        status = "none"
        try:
            answer = await deliver(request)
            status = str(answer.status)
            return answer
        finally:
            self._requests.labels(status).inc()


def _create_folder() -> str:
    """Creates the folder for shared metrics. On failure logs an error, and each process keeps
    separate metrics."""
    try:
        return mkdtemp(prefix="metrics-")
    except OSError as fault:
        logger.error("the numbers of several processes cannot be put together: %s", fault)
        return ""


def _forget_dead(folder: Path) -> None:
    """Removes the gauges of dead processes, whose calls never end."""
    if sys.platform == "win32":
        # There, signal 0 is CTRL_C_EVENT: https://docs.python.org/3/library/os.html#os.kill
        return
    for file in folder.glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except (ProcessLookupError, PermissionError):
            # PermissionError: another user's process has the number of the dead worker.
            mark_process_dead(process)  # type: ignore[no-untyped-call]
