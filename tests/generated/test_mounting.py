"""The server of a project in FastAPI and Starlette applications, over the network and in process."""

from __future__ import annotations

import importlib
import re
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from tests.generated.run_module import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mounting.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
FASTAPI, STARLETTE, NETWORK = BLOCKS

FAILING = """
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

import anyio

from tides_mcp.server import create
from tides_mcp.settings import Settings

seen = []


async def harbours(request: Request) -> JSONResponse:
    async def later() -> None:
        await anyio.sleep(0.05)
        seen.append("background")

    seen.append(dict(request.headers))
    return JSONResponse([], background=BackgroundTask(later))


async def tides(request: Request) -> JSONResponse:
    seen.append((request.url.path, dict(request.query_params)))
    if request.path_params["harbour"] == "slow":
        await anyio.sleep(30)
    raise ValueError("no tides")


async def alert(request: Request) -> StreamingResponse:
    body = await request.body()

    async def pieces():
        yield body
        raise ValueError("broken")

    return StreamingResponse(pieces(), 201, media_type="application/json")


app = Starlette(
    routes=[
        Route("/harbours", harbours),
        Route("/harbours/{harbour}/tides", tides),
        Route("/harbours/{harbour}/alerts", alert, methods=["POST"]),
    ]
)
settings = Settings(upstream="http://localhost", api_key="s3cret", timeout_seconds=0.5)
create(settings, upstream=app).mount_on(app)
"""


@pytest.fixture(name="project", scope="module", params=["vendored", "package"])
def project_fixture(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The built project of tides, on the path of modules."""
    folder = tmp_path_factory.mktemp(request.param)
    shutil.copy(ROOT / "specs" / "openapi" / "tides.yaml", folder)
    choices = f'spec = "tides.yaml"\nruntime = "{request.param}"\n'
    choices += "in_process = true\n" if request.param == "vendored" else ""
    (folder / "mcpgen.toml").write_text(choices, encoding="utf-8")
    completed = run("mcpgen", "build", "-o", ".", "--no-verify", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "tides_mcp"]:
        del sys.modules[name]


def load_application(source: str) -> tuple[Any, dict[str, Any]]:
    """The `app` of a module with this source, and the names of the module."""
    module: dict[str, Any] = {}
    importlib.invalidate_caches()
    exec(compile(source, "main.py", "exec"), module)
    return module["app"], module


@asynccontextmanager
async def client_of(app: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of an application that runs its lifespan."""
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
    ):
        yield client


async def send(client: httpx2.AsyncClient, path: str, method: str, **params: Any) -> Any:
    """The result of an MCP request."""
    content = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = await client.post(path, json=content, headers={"Accept": "application/json"})
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


@pytest.mark.parametrize("source", [FASTAPI, STARLETTE], ids=["FastAPI", "Starlette"])
def test_application_of_the_page_answers_calls_in_process(
    project: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDES_API_KEY", "s3cret")
    if source is FASTAPI:
        pytest.importorskip("fastapi")

    async def main() -> tuple[Any, int]:
        app, _ = load_application(source)
        async with client_of(app) as client:
            result = await send(client, "/mcp", "tools/call", name="list_harbours", arguments={})
            return result, (await client.get("/v1/harbours")).status_code

    result, status = anyio.run(main)

    assert (result["isError"], status) == (False, 200)
    assert "Gullhaven" in result["content"][0]["text"]


def test_mounted_server_answers_at_its_path_and_has_probes(project: Path) -> None:
    async def main() -> list[Any]:
        app, _ = load_application(NETWORK)
        async with client_of(app) as client:
            lists = [await send(client, path, "tools/list") for path in ("/tools/", "/tools/mcp")]
            probe = await client.get("/tools/healthz")
            other_response = await client.get("/tools/other")
            return [
                *(len(result["tools"]) for result in lists),
                probe.status_code,
                other_response.status_code,
            ]

    assert anyio.run(main) == [3, 3, 200, 404]


def test_application_gets_credentials_and_runs_its_background_task(project: Path) -> None:
    async def main() -> list[Any]:
        app, module = load_application(FAILING)
        async with client_of(app) as client:
            await send(client, "/mcp", "tools/call", name="list_harbours", arguments={})
        values: list[Any] = module["seen"]
        return values

    headers, background = anyio.run(main)

    assert headers["x-api-key"] == "s3cret"
    assert headers["user-agent"] == "tides/1.0.0"
    assert background == "background"


@pytest.mark.parametrize(
    ("harbour", "text"), [("broken", "500"), ("slow", "did not answer within 0.5 seconds")]
)
def test_failing_application_is_a_failed_call(project: Path, harbour: str, text: str) -> None:
    arguments = {"harbour": harbour, "date": "2026-01-02"}

    async def main() -> tuple[Any, Any]:
        app, module = load_application(FAILING)
        async with client_of(app) as client:
            result = await send(client, "/mcp", "tools/call", name="get_tides", arguments=arguments)
        return result, module["seen"][0]

    result, (path, query) = anyio.run(main)

    assert result["isError"] is True
    assert text in result["content"][0]["text"]
    assert (path, query) == (f"/harbours/{harbour}/tides", {"date": "2026-01-02"})


def test_response_that_breaks_off_is_a_failed_call(project: Path) -> None:
    arguments = {
        "harbour": "gullhaven",
        "metres": 3,
        "notify_email": "me@example.com",
    }

    async def main() -> Any:
        app, _ = load_application(FAILING)
        async with client_of(app) as client:
            return await send(
                client, "/mcp", "tools/call", name="create_alert", arguments=arguments
            )

    result = anyio.run(main)

    assert result["isError"] is True
    assert "broke off the connection" in result["content"][0]["text"]


def test_mounted_server_without_its_lifespan_says_so(project: Path) -> None:
    async def main() -> httpx2.Response:
        app, _ = load_application(NETWORK.replace("lifespan=mcp.lifespan, ", ""))
        async with client_of(app) as client:
            return await client.post("/tools/", json={})

    answer = anyio.run(main)

    assert answer.status_code == 503
    assert "has to run its lifespan" in answer.text
