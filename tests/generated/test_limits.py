"""Projects with limits, audit and telemetry are complete projects, and their limits hold for
several processes."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from aiohttp import web
from aiohttp.test_utils import RawTestServer
from tests.black_check import BLACK
from tests.generated.run_module import OWN_TESTS, require_success, run
from tests.redis_server import redis_server

from mcpgen.conformance.targets.command import free_port

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"

EVERYTHING = """
[limits]
all = "100000/minute"
subject = "50000/minute"
anonymous = "address"
store = "redis"
error_code = -32002
concurrent = 100
concurrent_subject = 50
call_seconds = 60
result_bytes = 2000000
retries = 2
breaker_failures = 50

[limits.tools]
list_harbours = "1000/second"

[limits.subject_tools]
get_tides = "1000/second"

[audit]
to = "lines"
arguments = true

[log]
format = "json"

[telemetry]
opentelemetry = true
prometheus = true
"""

SHARED = """
[limits]
all = "100/hour"
store = "redis"

[audit]
to = "lines"

[log]
request_ids = true

[telemetry]
prometheus = true
"""


@pytest.fixture
def anyio_backend() -> str:
    """Event loop of the tests."""
    return "asyncio"


def build_project(folder: Path, choices: str, *more: str) -> None:
    """Builds the project of the tides with these choices."""
    (folder / "mcpgen.toml").write_text(choices, encoding="utf-8")
    completed = run("mcpgen", "build", str(SPEC), "-o", ".", *more, folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.mark.repeated("the tests of each policy show it alone")
def test_a_project_with_everything_passes_all_that_a_project_must(tmp_path: Path) -> None:
    build_project(tmp_path, EVERYTHING)

    require_success(tmp_path, OWN_TESTS, ("mypy",), BLACK)

    requirements = (tmp_path / "pyproject.toml").read_text()
    assert '"redis>=' in requirements
    assert '"prometheus-client>=' in requirements
    assert "`TIDES_LIMIT_STORE`" in (tmp_path / "README.md").read_text()


def test_a_project_without_them_has_none_of_their_code(tmp_path: Path) -> None:
    build_project(tmp_path, "", "--no-verify")

    modules = {path.stem for path in (tmp_path / "tides_mcp" / "_runtime").rglob("*.py")}
    assert modules >= {"app", "client"}
    assert modules.isdisjoint(
        {"rate_limits", "sliding_window", "concurrency", "audit", "metrics", "telemetry"}
    )
    assert "limits" not in (tmp_path / "pyproject.toml").read_text()
    assert not (tmp_path / "tides_mcp" / "policy.py").exists()


def test_a_rate_for_a_tool_that_is_not_there_is_told_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.toml").write_text('[limits.tools]\nlist_harbors = "1/second"\n')

    completed = run("mcpgen", "build", str(SPEC), "-o", ".", folder=tmp_path)

    assert completed.returncode == 1
    message = completed.stdout + completed.stderr
    assert "mcpgen.toml:2:1: error MG385" in message
    assert "did you mean `list_harbours`?" in message


def test_a_requirement_that_the_users_file_does_not_have_is_told(tmp_path: Path) -> None:
    build_project(tmp_path, "", "--no-verify")
    (tmp_path / "mcpgen.toml").write_text(SHARED)

    completed = run("mcpgen", "build", str(SPEC), "-o", ".", "--no-verify", folder=tmp_path)

    message = completed.stdout + completed.stderr
    assert completed.returncode == 0
    assert "warning MG511 missing-distribution" in message
    for name in ("limits", "redis", "prometheus-client"):
        assert f"the server needs `{name}`" in message


ALONE = """
[limits]
all = "100/hour"

[audit]
to = "lines"

[log]
format = "json"

[telemetry]
prometheus = true
"""


@dataclass(frozen=True)
class Served:
    """Running project: URL and log lines."""

    url: str
    log: list[dict[str, object]]


@asynccontextmanager
async def serve_project(folder: Path, *arguments: str, **settings: str) -> AsyncIterator[Served]:
    """Runs the project with these arguments and settings. The log is JSON, without the lines about
    start and stop."""
    settings = {"log_format": "json", **settings}
    project_variables = {
        f"TIDES_{name.upper()}": value for name, value in settings.items() if name.islower()
    }
    other_variables = {name: value for name, value in settings.items() if name.isupper()}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tides_mcp", "--port", "0", *arguments),
        cwd=folder,
        env=os.environ
        | project_variables
        | other_variables
        | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    log: list[dict[str, object]] = []
    try:
        async with asyncio.timeout(300):
            line = (await process.stdout.readline()).decode()
        yield Served(line.split()[-1], log)
    finally:
        process.terminate()
        text = (await process.communicate())[1].decode()
        lines = [json.loads(line) for line in text.splitlines()]
        log += [line for line in lines if line["level"] != "info"]


async def statuses(url: str, calls: int) -> Counter[int]:
    """Makes the calls concurrently, each over a connection of its own so that every worker takes some,
    and returns the number of responses per status."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "list_harbours", "arguments": {}},
    }
    places = asyncio.Semaphore(40)
    limits = httpx2.Limits(max_keepalive_connections=0)
    async with httpx2.AsyncClient(timeout=60, limits=limits) as client:

        async def status() -> int:
            async with places:
                response = await client.post(url, json=message)
            return response.status_code

        return Counter(await asyncio.gather(*(status() for _ in range(calls))))


async def numbers(port: int) -> dict[str, float]:
    """Returns the metrics by name and labels."""
    async with httpx2.AsyncClient(timeout=60) as client:
        text = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(number) for name, _, number in lines}


@asynccontextmanager
async def harbours(request_ids: list[str]) -> AsyncIterator[str]:
    """Yields the URL of an API without harbours; records the ids of requests."""

    async def answer(request: web.BaseRequest) -> web.Response:
        request_ids.append(request.headers["X-Request-Id"])
        return web.json_response([])

    async with RawTestServer(answer, host="127.0.0.1") as upstream:
        yield str(upstream.make_url("/"))


@pytest.mark.repeated("tests/runtime counts with Redis for several instances")
@pytest.mark.anyio
async def test_four_workers_with_one_redis_let_through_exactly_what_one_would(
    tmp_path: Path,
) -> None:
    build_project(tmp_path, SHARED, "--no-verify")
    request_ids: list[str] = []
    audit, metrics_folder, port = tmp_path / "audit.jsonl", tmp_path / "together", free_port()
    metrics_folder.mkdir()
    settings = {
        "audit_file": str(audit),
        "metrics_port": str(port),
        "api_key": "a-key-of-the-api",
        "PROMETHEUS_MULTIPROC_DIR": str(metrics_folder),
    }

    with redis_server() as redis:
        async with (
            harbours(request_ids) as upstream,
            serve_project(
                tmp_path, "--workers", "4", upstream=upstream, limit_store=redis.url, **settings
            ) as server,
        ):
            status_counts = await statuses(server.url, 400)
            metrics = await numbers(port)

    assert status_counts == {200: 100, 429: 300}
    assert len(request_ids) == len(set(request_ids)) == 100
    events = [json.loads(line) for line in audit.read_text().splitlines()]
    assert Counter(event["outcome"] for event in events) == {"ok": 100, "denied": 300}
    assert {event["requestId"] for event in events} > set(request_ids)
    assert metrics['mcp_calls_total{outcome="ok",tool="list_harbours"}'] == 100
    assert metrics['mcp_refusals_total{status="429"}'] == 300
    assert metrics["mcp_calls_under_way"] == 0
    assert len(list(metrics_folder.glob("counter_*.db"))) > 1, "one process has done everything"
    assert server.log == []


@pytest.mark.repeated(
    "test_four_workers_with_one_redis_let_through_exactly_what_one_would shows counting workers"
)
@pytest.mark.anyio
async def test_workers_that_count_alone_say_so_once_and_put_their_numbers_together(
    tmp_path: Path,
) -> None:
    build_project(tmp_path, ALONE, "--no-verify")
    request_ids: list[str] = []
    port = free_port()

    async with (
        harbours(request_ids) as upstream,
        serve_project(
            tmp_path,
            *("--workers", "2"),
            upstream=upstream,
            audit_file=str(tmp_path / "audit.jsonl"),
            metrics_port=str(port),
            api_key="a-key-of-the-api",
        ) as server,
    ):
        status_counts: Counter[int] = Counter()
        while status_counts[200] <= 100 and status_counts.total() < 4000:
            status_counts += await statuses(server.url, 200)
        metric_readings = [await numbers(port) for _ in range(8)]

    assert 100 < status_counts[200] <= 200
    assert len((tmp_path / "audit.jsonl").read_text().splitlines()) == status_counts.total()
    ok = 'mcp_calls_total{outcome="ok",tool="list_harbours"}'
    assert {item[ok] for item in metric_readings} == {status_counts[200]}
    (record,) = server.log
    assert "Each of the 2 processes counts calls by itself" in str(record["message"])
