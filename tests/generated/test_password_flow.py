"""A project for an API as described by FastAPI: the server logs in at `token` with the user's
password."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.generated.run_module import run, serve_project

pytestmark = pytest.mark.anyio

DOCUMENT = Path(__file__).parent / "fastapi_login.json"
SCHEME = "O_AUTH_2_PASSWORD_BEARER"
PASSWORD = "canary-pa55word"


@pytest.fixture
def anyio_backend() -> str:
    """Event loop of the tests."""
    return "asyncio"


class Desk:
    """API as in FastAPI's tutorial; each token is valid for two requests."""

    def __init__(self) -> None:
        self.logins: list[dict[str, str]] = []
        self._left: dict[str, int] = {}

    async def token(self, request: Request) -> JSONResponse:
        """Returns a token for the form of a user."""
        form = {name: str(value) for name, value in (await request.form()).items()}
        self.logins.append(form)
        if form.get("password") != PASSWORD:
            return JSONResponse({"detail": "Incorrect username or password"}, 400)
        token = f"token-{len(self.logins)}"
        self._left[token] = 2
        return JSONResponse({"access_token": token, "token_type": "bearer"})

    async def me(self, request: Request) -> JSONResponse:
        """Returns the user of a token."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not self._left.get(token):
            return JSONResponse({"detail": "Not authenticated"}, 401)
        self._left[token] -= 1
        return JSONResponse({"username": "jo"})


@asynccontextmanager
async def run_api(desk: Desk) -> AsyncIterator[str]:
    """Runs the API, and yields its base URL."""
    routes = [Route("/token", desk.token, methods=["POST"]), Route("/users/me", desk.me)]
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="warning")
    server = uvicorn.Server(config)
    server.config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        await server.shutdown()


async def call_tool(client: httpx2.AsyncClient, endpoint: str) -> dict[str, Any]:
    """Returns the result of the tool."""
    params = {"name": "read_users_me", "arguments": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = await client.post(endpoint, json=message)
    result: dict[str, Any] = answer.json()["result"]
    return result


async def test_a_server_logs_in_and_again_when_its_token_has_ended(tmp_path: Path) -> None:
    choice = '[select]\nexclude = ["POST /token"]\n[names]\n"GET /users/me" = "read_users_me"\n'
    completed = run("mcpgen", "build", str(DOCUMENT), "-o", "open", "--no-verify", folder=tmp_path)
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk" / "mcpgen.toml").write_text(choice, encoding="utf-8")
    build = run("mcpgen", "build", str(DOCUMENT), "-o", "desk", "--no-verify", folder=tmp_path)
    assert build.returncode == 0, build.stdout + build.stderr
    desk = Desk()
    user = {f"DESK_{SCHEME}_USERNAME": "jo", f"DESK_{SCHEME}_PASSWORD": PASSWORD}

    async with run_api(desk) as url, httpx2.AsyncClient(timeout=60) as client:
        with serve_project("desk_mcp", tmp_path / "desk", url, **user) as endpoint:
            results = [await call_tool(client, endpoint) for _ in range(3)]

    assert "MG389 login-operation" in completed.stdout + completed.stderr
    assert "MG389" not in build.stdout + build.stderr
    assert [json.loads(result["content"][0]["text"]) for result in results] == [
        {"username": "jo"}
    ] * 3
    assert desk.logins == [{"grant_type": "password", "username": "jo", "password": PASSWORD}] * 2
