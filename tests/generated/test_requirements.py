"""A server built from requirements, between the official client and an API."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.black_check import BLACK
from tests.generated.run_module import require_success, run, serve_project

HOOKS = '''"""What the office answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from office_notes_mcp.runtime.hooks import Call, Hooks, Result
from office_notes_mcp.settings import Settings


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[dict[str, int]]:
    """How often each shelf was asked for."""
    yield {}


async def summarise(call: Call) -> Result:
    """The number of notes on a shelf."""
    shelf, unit = call.arguments["shelf"], call.arguments["unit"]
    call.state[shelf] = call.state.get(shelf, 0) + 1
    answered = await call.request("GET", "/shelves/{shelf}/notes", values={"shelf": shelf})
    if answered.failure:
        return answered.failure
    return Result.of({"count": len(answered.body), "unit": unit, "asked": call.state[shelf]})


HOOKS = Hooks(tools={"summarise": summarise}, lifespan=opened)
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the project built from the requirements."""
    folder = tmp_path_factory.mktemp("requirements")
    shutil.copytree(Path(__file__).parent / "notes", folder / "notes")
    completed = run("mcpgen", "build", "notes/spec.md", "-o", "out", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def archive() -> Iterator[tuple[str, list[str]]]:
    """URL of an API with two notes on the shelf `red`, and the requested paths."""
    requested_paths: list[str] = []

    class NotesHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested_paths.append(self.path)
            is_match = self.path.startswith("/shelves/red/notes")
            body = json.dumps([{"text": "one"}, {"text": "two"}] if is_match else {}).encode()
            self.send_response(200 if is_match else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), NotesHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", requested_paths
        server.shutdown()


@contextmanager
def install_hooks(project: Path) -> Iterator[None]:
    """Installs the handler for the duration of the block."""
    path = project / "office_notes_mcp" / "hooks.py"
    before = path.read_text()
    path.write_text(HOOKS)
    try:
        yield
    finally:
        path.write_text(before)


def call_tool(url: str, tool: str, **arguments: Any) -> CallToolResult:
    """Returns the official client's result."""

    async def conversation() -> CallToolResult:
        async with Client(url, read_timeout_seconds=30) as client:
            await client.list_tools()
            result = await client.call_tool(tool, arguments)
            assert isinstance(result, CallToolResult)
            return result

    return asyncio.run(conversation())


def text_of(result: CallToolResult) -> str:
    """Returns the first text of a result."""
    block = result.content[0]
    assert isinstance(block, TextContent)
    return block.text


def test_tool_with_an_upstream_works_at_once(project: Path, archive: tuple[str, list[str]]) -> None:
    url, requested_paths = archive

    with serve_project("office_notes_mcp", project, url) as server:
        result = call_tool(server, "list_notes", shelf="red")

    assert not result.is_error
    assert text_of(result) == '[{"text":"one"},{"text":"two"}]'
    assert requested_paths[-1] == "/shelves/red/notes?limit=5"


def test_tool_without_one_says_where_its_handler_belongs_until_it_is_there(
    project: Path, archive: tuple[str, list[str]]
) -> None:
    with serve_project("office_notes_mcp", project, archive[0]) as server:
        before = call_tool(server, "summarise", shelf="red")
    with install_hooks(project), serve_project("office_notes_mcp", project, archive[0]) as server:
        after = [call_tool(server, "summarise", shelf=shelf) for shelf in ("red", "red", "blue")]

    assert before.is_error
    assert "office_notes_mcp/hooks.py" in text_of(before)
    assert [result.is_error for result in after] == [False, False, True]
    assert after[1].structured_content == {"count": 2, "unit": "notes", "asked": 2}
    assert "404" in text_of(after[2])


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize(
    "has_handler",
    [
        pytest.param(
            False,
            id="skeleton",
            marks=pytest.mark.thorough("repeats the proof without the handler"),
        ),
        pytest.param(True, id="with a handler"),
    ],
)
def test_project_is_clean_and_its_own_tests_pass(project: Path, has_handler: bool) -> None:
    with (
        install_hooks(project)
        if has_handler
        else serve_project("office_notes_mcp", project, "http://127.0.0.1:9")
    ):
        require_success(project, ("pytest", "-q"), ("mypy",), BLACK)


def test_project_is_what_a_build_would_make(project: Path) -> None:
    completed = run("mcpgen", "build", "-o", ".", "--check", folder=project)

    assert completed.returncode == 0, completed.stdout + completed.stderr
