"""A server built with `deploy.reload` takes the result of a build while it serves, whole or not at all."""

from __future__ import annotations

import asyncio
import importlib
import json
import pickle
import re
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from tests.analysis.tool_builders import make_tool, surface
from tests.cli.test_serve_changes import add_operation, remove_operation
from tests.generated.run_module import run, serve_project
from tests.runtime.test_reload import request, serving, tool_names

from mcpgen.analysis.diff import diff_listings
from mcpgen_runtime.server.package_watch import (
    Listing,
    PackageWatcher,
    breaking_changes,
    reloading,
)
from mcpgen_runtime.server.reload import ReloadableApp
from mcpgen_runtime.tool import Argument, Hints, Tool

pytestmark = pytest.mark.xdist_group("package-watch")

TIDES = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"
BEFORE = ["list_harbours", "get_tides", "create_alert"]


@pytest.fixture(name="built_project", scope="module")
def built_project_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of tides with `deploy.reload`."""
    folder = tmp_path_factory.mktemp("tides")
    shutil.copy(TIDES, folder)
    choices = 'spec = "tides.yaml"\nruntime = "package"\n\n[deploy]\nreload = true\n'
    (folder / "mcpgen.toml").write_text(choices, "utf-8")
    build(folder)
    return folder


def build(folder: Path) -> None:
    """Builds the project in a folder."""
    completed = run("mcpgen", "build", "-o", ".", "--no-verify", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.fixture(name="project")
def project_fixture(built_project: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the project, on the path of modules."""
    folder = tmp_path / "project"
    shutil.copytree(built_project, folder)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if re.match(r"tides_mcp(_\d+)?(\.|$)", name)]:
        del sys.modules[name]


@asynccontextmanager
async def watch_package() -> (
    AsyncIterator[tuple[httpx2.AsyncClient, Callable[[], Awaitable[None]]]]
):
    """A client of the imported project, and a function that takes a change."""
    server = importlib.import_module("tides_mcp.server")
    watcher = PackageWatcher("tides_mcp")
    package_settings = importlib.import_module("tides_mcp.settings").Settings()
    app = ReloadableApp(server.create(package_settings))
    watcher._reloadable_app = app
    async with serving(app) as client:
        yield client, lambda: asyncio.to_thread(watcher._reload)


def test_process_serves_a_new_build_and_notifies_clients(project: Path) -> None:
    async def listen(url: str) -> str:
        async with Client(url) as client, client.listen(tools_list_changed=True) as events:
            add_operation(project / "tides.yaml")
            await asyncio.to_thread(build, project)
            event = await asyncio.wait_for(anext(aiter(events)), 60)
            return f"{type(event).__name__} {len((await client.list_tools()).tools)}"

    with serve_project("tides_mcp", project, "http://127.0.0.1:9") as url:
        result = asyncio.run(listen(url))

    assert result == "ToolsListChanged 4"


def test_half_written_package_and_broken_hooks_leave_the_server_as_it_was(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hooks = project / "tides_mcp" / "hooks.py"
    tool = project / "tides_mcp" / "tools" / "list_harbours.py"

    async def play() -> list[list[str]]:
        lists = []
        async with watch_package() as (client, reload):
            text = tool.read_text("utf-8")
            tool.write_text(text.replace("list_harbours", "other"), "utf-8")
            await reload()
            lists.append(await tool_names(client))
            tool.write_text(text, "utf-8")
            hooks.write_text("HOOKS = missing\n", "utf-8")
            await reload()
            lists.append(await tool_names(client))
            hooks_module = sys.modules["tides_mcp.hooks"]
            assert hasattr(hooks_module, "HOOKS")
        return lists

    assert asyncio.run(play()) == [BEFORE, BEFORE]
    assert "files differ from mcpgen.lock, as during a build" in caplog.text
    assert "name 'missing' is not defined" in caplog.text


@pytest.mark.parametrize("is_allowed", [False, True])
def test_breaking_change_is_served_only_if_allowed(
    project: Path,
    is_allowed: bool,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TIDES_RELOAD_BREAKING", str(is_allowed))

    async def play() -> list[str]:
        async with watch_package() as (client, reload):
            remove_operation(project / "tides.yaml")
            await asyncio.to_thread(build, project)
            await reload()
            return await tool_names(client)

    names = asyncio.run(play())

    assert names == (BEFORE[:2] if is_allowed else BEFORE)
    refusal = "the tool `create_alert` is gone; restart, or set TIDES_RELOAD_BREAKING=true"
    assert (refusal in caplog.text) is not is_allowed


def test_changed_hooks_answer_and_data_files_stay_those_of_the_application(project: Path) -> None:
    package = project / "tides_mcp"
    package.joinpath("schemas.json").write_text('{"a": 1}', "utf-8")
    lines = [
        "from tides_mcp.runtime.hooks import Call, Hooks, Result",
        "async def list_harbours(call: Call) -> Result:",
        "    return Result.json({'hooked': True})",
        "HOOKS = Hooks(tools={'list_harbours': list_harbours})",
    ]

    async def play() -> tuple[Any, list[Any]]:
        async with watch_package() as (client, reload):
            package.joinpath("schemas.json").write_text('{"a": 2}', "utf-8")
            package.joinpath("hooks.py").write_text("\n".join(lines), "utf-8")
            await reload()
            result = await request(client, "tools/call", name="list_harbours", arguments={})
        files = importlib.import_module("importlib.resources").files
        names = ("tides_mcp_1", "tides_mcp_2")
        return result, [
            json.loads(files(name).joinpath("schemas.json").read_bytes()) for name in names
        ]

    result, data = asyncio.run(play())

    assert json.loads(result["content"][0]["text"]) == {"hooked": True}
    assert data == [{"a": 1}, {"a": 2}]


def test_workers_can_be_spawned_with_the_function_of_the_program(project: Path) -> None:
    create = importlib.import_module("tides_mcp.server").create
    settings = importlib.import_module("tides_mcp.settings").Settings()

    copy = pickle.loads(pickle.dumps(reloading("tides_mcp", create)))

    assert copy(settings).identity.package == "tides_mcp_1"


def test_changed_runtime_needs_a_restart(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    runtime = project / "tides_mcp" / "_runtime"
    runtime.mkdir()
    runtime.joinpath("app.py").write_text("A = 1\n", "utf-8")

    async def play() -> list[str]:
        async with watch_package() as (client, reload):
            runtime.joinpath("app.py").write_text("A = 2\n", "utf-8")
            await reload()
            return await tool_names(client)

    assert asyncio.run(play()) == BEFORE
    assert "the runtime has changed; restart the server" in caplog.text


STRING = {"type": "string", "description": "A text."}
TEXT = Argument("text", "query", STRING)
READS = Hints(read_only=True, destructive=False, idempotent=True)


def tool(*arguments: Argument, hints: Hints = READS, **more: Any) -> Tool:
    """A tool."""
    return Tool("t", "", "", None, hints, arguments or (TEXT,), **more)


def described_argument(text: str, **more: Any) -> Argument:
    """An argument with another description."""
    return Argument("text", "query", {**STRING, "description": text}, **more)


@pytest.mark.parametrize(
    ("before", "after", "is_breaking"),
    [
        (tool(), tool(), False),
        (tool(), tool(described_argument("Another.")), False),
        (tool(), tool(TEXT, Argument("more", "query", STRING)), False),
        (tool(described_argument("A.", required=True)), tool(), False),
        (tool(), tool(output={"type": "object"}), False),
        (tool(), tool(TEXT, Argument("more", "query", STRING, required=True)), True),
        (tool(), tool(described_argument("A.", required=True)), True),
        (tool(TEXT, Argument("more", "query", STRING)), tool(), True),
        (tool(), tool(Argument("text", "query", {"type": "integer"})), True),
        (tool(), tool(Argument("text", "query", {**STRING, "default": "a"})), True),
        (tool(), tool(Argument("text", "query", {**STRING, "maxLength": 5})), True),
        (tool(), tool(conditions={"minProperties": 1}), True),
        (tool(output={"type": "object"}), tool(), True),
        (tool(output={"type": "object"}), tool(output={"type": "array"}), True),
        (tool(), tool(hints=Hints(False, True, False)), True),
    ],
)
def test_every_change_that_breaks_callers_for_mcpgen_diff_is_refused(
    before: Tool, after: Tool, is_breaking: bool
) -> None:
    def listing(tool: Tool) -> Any:
        hints = {
            "readOnlyHint": tool.hints.read_only,
            "destructiveHint": tool.hints.destructive,
            "idempotentHint": tool.hints.idempotent,
        }
        more = {"outputSchema": dict(tool.output)} if tool.output else {}
        return surface({**make_tool("t", hints=hints, **more), "inputSchema": tool.input_schema})

    changes = [*breaking_changes(Listing({"t": before}, {}, {}), Listing({"t": after}, {}, {}))]

    assert bool(changes) is is_breaking
    assert is_breaking or not diff_listings(listing(before), listing(after)).breaking_changes


def test_removed_or_changed_resources_and_prompts_are_breaking() -> None:
    before = Listing({}, {"a:1": "text/plain", "a:2": "", "a:3": ""}, {"p": [], "q": []})
    after = Listing({}, {"a:1": "image/png", "a:2": "", "a:4": ""}, {"q": [{"name": "x"}]})

    assert [*breaking_changes(before, after)] == [
        "the resource `a:1` has changed",
        "the resource `a:3` is gone",
        "the prompt `p` is gone",
        "the prompt `q` has changed",
    ]
