"""A server in discovery mode, from the build to calls by the official client."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.black_check import BLACK
from tests.generated.run_module import OWN_TESTS, require_success, run, serve_project

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "seed-bank" / "openapi.yaml"
ASKING = Path(__file__).parents[2] / "benchmarks" / "search_mcpgen.py"
CHOICES = """
[discovery]
mode = "on"
pinned = ["GET /varieties"]

[toolsets]
reading = ["read_only:true"]
"""
OWN = ["search_tools", "describe_tool", "call_read_tool", "call_write_tool"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project of the seed bank in discovery mode; the build has started and checked the server."""
    folder = tmp_path_factory.mktemp("seed")
    (folder / "mcpgen.toml").write_text(CHOICES, encoding="utf-8")
    completed = run("mcpgen", "build", str(SPEC), "-o", ".", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder


@pytest.fixture(scope="module")
def api() -> Iterator[ThreadingHTTPServer]:
    """API that returns the received request."""

    class EchoHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length).decode()
            answer = json.dumps({"got": f"{self.command} {self.path} {body}"}).encode()
            self.send_response(201)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), EchoHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def url(project: Path, api: ThreadingHTTPServer) -> Iterator[str]:
    """Endpoint of the server."""
    upstream = f"http://127.0.0.1:{api.server_address[1]}"
    with serve_project("seed_bank_mcp", project, upstream, SEED_BANK_MEMBER="token") as url:
        yield url


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_projects_own_tests_pass(project: Path) -> None:
    require_success(project, OWN_TESTS)


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_project_is_formatted_typed_and_clean(project: Path) -> None:
    require_success(project, BLACK, ("ruff", "check", "-q", "."), ("mypy",))


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_endpoint_of_a_set_lists_its_tools_themselves(project: Path) -> None:
    test_run = run(
        "pytest", "-q", "-p", "no:cacheprovider", "tests/test_toolsets.py", folder=project
    )
    listing = (project / "tests" / "test_toolsets.py").read_text(encoding="utf-8")

    assert test_run.returncode == 0, test_run.stdout
    assert 'SETS: dict[str, list[str]] = {"reading": ["find_varieties"' in listing
    assert not any(name in listing for name in OWN)


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_benchmark_of_the_search_asks_the_project(project: Path) -> None:
    completed = subprocess.run(
        (sys.executable, str(ASKING), "seed_bank_mcp"),
        cwd=project,
        input=json.dumps(["list the varieties", "xyzzy"]),
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert completed.returncode == 0, completed.stderr
    result, empty_result = json.loads(completed.stdout)
    assert result["names"][0] == "find_varieties"
    assert empty_result["names"] == []


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_projects_contract_fails_when_a_tool_joins_the_list(project: Path) -> None:
    module_path = project / "seed_bank_mcp" / "discovery.py"
    before = module_path.read_text(encoding="utf-8")
    module_path.write_text(
        before.replace('("find_varieties",)', '("find_varieties", "add_variety")')
    )

    test_run = run(
        "pytest", "-q", "-p", "no:cacheprovider", "tests/test_contract.py", folder=project
    )

    module_path.write_text(before, encoding="utf-8")
    assert "test_list_has_exactly_these_tools" in test_run.stdout
    assert test_run.returncode == 1


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_official_client_searches_reads_and_calls(url: str) -> None:
    async def conversation() -> tuple[list[str], str, dict[str, Any], str, str | None]:
        async with Client(url, read_timeout_seconds=30) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            search_text = await text(client, "search_tools", query="borrow some seed")
            name = search_text.splitlines()[1].removeprefix("- ").partition("(")[0]
            definition = json.loads(await text(client, "describe_tool", name=name))
            arguments = {"variety": 88, "grams": 2.5}
            assert set(definition["inputSchema"]["required"]) == set(arguments)
            call_text = await text(
                client, definition["callWith"], name=name, arguments=json.dumps(arguments)
            )
            return names, search_text, definition, call_text, client.instructions

    names, search_text, definition, call_text, instructions = asyncio.run(conversation())

    assert names == [*OWN, "find_varieties"]
    assert "`search_tools`" in (instructions or "")
    assert definition["callWith"] == "call_write_tool"
    assert "POST /varieties/88/loans" in json.loads(call_text)["got"]
    assert len(search_text.encode()) <= 3000


async def text(client: Client, tool: str, **arguments: Any) -> str:
    """Returns the text of a successful call."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, result.content
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text
