"""A server with scripts, from the build to scripts sent by the official client."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.black_check import BLACK
from tests.examples.local_api import running
from tests.generated.run_module import OWN_TESTS, require_success, run, serve_project

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "workshop.yaml"
CHOICES = """
[script]
mode = "on"
root = "shop"

[docs]
mode = "on"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project of the workshop with scripts; the build has started and checked the server."""
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "mcpgen.toml").write_text(CHOICES, encoding="utf-8")
    completed = run("mcpgen", "build", str(SPEC), "-o", ".", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder


@pytest.fixture(scope="module")
def api() -> Iterator[str]:
    """URL of an API that returns the requested path."""

    async def return_path(request: web.Request) -> web.Response:
        return web.json_response({"path": request.path_qs})

    app = web.Application()
    app.router.add_get("/{path:.*}", return_path)
    with running(app) as service:
        yield service.url


@pytest.fixture(scope="module")
def url(project: Path, api: str) -> Iterator[str]:
    """Endpoint of the server."""
    with serve_project("workshop_mcp", project, api, WORKSHOP_STAFF_KEY="key") as url:
        yield url


def call_tool(url: str, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Returns whether the official client's call failed, and the first text of the result."""

    async def conversation() -> CallToolResult:
        async with Client(url, read_timeout_seconds=30) as client:
            result = await client.call_tool(tool, arguments)
            assert isinstance(result, CallToolResult)
            return result

    result = asyncio.run(conversation())
    block = result.content[0]
    assert isinstance(block, TextContent)
    return bool(result.is_error), block.text


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_projects_own_tests_pass(project: Path) -> None:
    require_success(project, OWN_TESTS)


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
@pytest.mark.thorough(
    "tests/generated/test_projects.py shows the same of launchpad, which has scripts"
)
def test_project_is_formatted_typed_and_clean(project: Path) -> None:
    require_success(project, BLACK, ("ruff", "check", "-q", "."), ("mypy",))


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_project_needs_deno_and_says_what_its_scripts_may_take(project: Path) -> None:
    assert '"deno>=2.9.8,<3",' in (project / "pyproject.toml").read_text("utf-8")
    assert "`WORKSHOP_SCRIPT_SECONDS`" in (project / "README.md").read_text("utf-8")


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_official_client_runs_a_script(url: str) -> None:
    script = """
const ids: number[] = [3, 4]
const found = await Promise.all(ids.map((bicycle) => shop.bicycles.get({ id: bicycle })))
found.map((each: { path: string }) => each.path)
"""

    is_failed, text = call_tool(url, "do", script=script)

    assert (is_failed, text) == (False, '["/bicycles/3","/bicycles/4"]')


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_official_client_reads_where_a_script_failed(url: str) -> None:
    is_failed, text = call_tool(url, "do", script="const shops: any = null\n\nshops.first.name")

    assert is_failed
    assert text == "Error: Cannot read properties of null (reading 'first')\n  at line 3:7"


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_official_client_reads_documentation(url: str) -> None:
    _, index = call_tool(url, "do", script="shop.md")
    _, module = call_tool(url, "do", script="shop.bicycles.md")
    _, tool = call_tool(url, "docs", about="get_bicycle")

    assert "`shop.bicycles`: `list`, `register`, `get`" in index
    assert "## shop.bicycles.get\n" in module
    assert tool.startswith("## get_bicycle\n")


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_a_server_without_deno_does_not_start(project: Path) -> None:
    environment = {**os.environ, "WORKSHOP_SCRIPT_DENO": "/nowhere/deno"}

    server_run = subprocess.run(
        [sys.executable, "-m", "workshop_mcp", "--port", "0"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert server_run.returncode == 2
    message = "WORKSHOP_SCRIPT_DENO: there is no program `/nowhere/deno`"
    assert server_run.stderr == f"workshop_mcp: {message}\n"
