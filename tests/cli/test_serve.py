"""`mcpgen serve`: the server of a build, without a project."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from importlib import import_module
from pathlib import Path

import pytest
from tests.cli.serving import HOOKS, ServeProcess, serve
from tests.document_host import DocumentHost
from typer.testing import CliRunner

from mcpgen.cli.app import app
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit
from mcpgen.emit.package_files import tool_view
from mcpgen.emit.render import render
from mcpgen.emit.tool_files import make_tool
from mcpgen.ir.server import Server
from mcpgen.openspec.load import with_budgets
from mcpgen.pipeline.load_spec import load_spec, lower_server
from mcpgen.pipeline.result import BuildOptions, PhaseTimer
from mcpgen.pipeline.runnable_server import import_server, load_runnable_server, write_package
from mcpgen.pipeline.workspace import open_workspace

ROOT = Path(__file__).parents[2]
TIDES = ROOT / "specs" / "openapi" / "tides.yaml"
PROJECTS = sorted(path.parent for path in (ROOT / "generated").glob("*/mcpgen.lock"))

HANDSHAKE = {"protocolVersion": "2025-06-18", "clientInfo": {"name": "test", "version": "1"}}


@pytest.fixture(name="folder")
def folder_fixture(tmp_path: Path) -> Path:
    """A folder with the description of tides."""
    shutil.copy(TIDES, tmp_path / "openapi.yaml")
    return tmp_path


@pytest.fixture(name="mock", scope="module")
def mock_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """`mcpgen serve --mock` of tides without any credential."""
    folder = tmp_path_factory.mktemp("mock")
    shutil.copy(TIDES, folder / "openapi.yaml")
    with serve(folder, "openapi.yaml", "--mock") as process:
        yield process


def server_files(project: Path) -> dict[str, object]:
    """The files of the package that a build renders for a project, without the runtime."""
    options, diagnostics = BuildOptions(), Diagnostics()
    space = open_workspace(project.as_posix(), options, diagnostics)
    spec, clock = space.spec(""), PhaseTimer()
    loaded_spec = load_spec(
        spec, space.with_defaults(options), None, clock, diagnostics, validated=False
    )
    assert loaded_spec.api is not None
    config = with_budgets(space.choices(spec, options), loaded_spec.capabilities)
    server, config = lower_server(loaded_spec, loaded_spec.api, config, clock, diagnostics)
    project_files = emit(server, config, diagnostics).files
    return {
        file.path: _program(file.path, file.text, server.package)
        for file in project_files
        if _is_read(file.path, server)
    }


def _program(path: str, text: str, package: str) -> object:
    """The imports and the statements of a module, without comments; the text of another file. A
    module of `mcpgen_runtime` has the name of its copy."""
    if not path.endswith(".py"):
        return text
    body = ast.parse(text.replace("mcpgen_runtime", f"{package}._runtime")).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    statements = [ast.dump(node) for node in body if node not in imports]
    return {ast.dump(node) for node in imports}, statements


def _is_read(path: str, server: Server) -> bool:
    """True for files that a running server reads; hooks and tests alone import the models. The tools
    of a running server have no files."""
    package = server.package
    if path in (f"{package}/models.py", f"{package}/schemas.py"):
        return False
    absent = (f"{package}/_runtime/", f"{package}/tools/")
    return path.startswith(f"{package}/") and not path.startswith(absent)


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_served_package_is_the_package_of_a_build(project: Path) -> None:
    runnable_server = load_runnable_server(project.as_posix(), BuildOptions())

    files = {
        file.path: _program(file.path, file.text, runnable_server.package)
        for file in runnable_server.files
        if file.path != "pyproject.toml"
    }
    assert files == server_files(project)


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_served_tools_are_the_tools_of_a_build(project: Path) -> None:
    server = load_runnable_server(project.as_posix(), BuildOptions()).server
    assert server is not None

    for tool in server.tools:
        module: dict[str, object] = {}
        source = render("package/tools/tool.py", tool_view(server.package, tool))
        exec(source.replace(f"{server.package}._runtime", "mcpgen_runtime"), module)
        served_tool = make_tool(tool, _runtime_class)

        assert served_tool == module["TOOL"]
        # The order of members is the order in the announced schemas.
        assert repr(served_tool) == repr(module["TOOL"])


def _runtime_class(module: str, name: str) -> object:
    """A class of the installed runtime."""
    result: object = getattr(import_module(f"mcpgen_runtime.{module}"), name)
    return result


def test_tools_are_modules_and_a_module_of_the_user_is_imported(folder: Path) -> None:
    result = CliRunner().invoke(
        app, ["build", str(folder / "openapi.yaml"), "-o", str(folder / "tides"), "--no-verify"]
    )
    ejected_path = folder / "tides" / "tides_mcp" / "tools" / "get_tides.py"
    ejected_path.write_text(
        ejected_path.read_text("utf-8").replace("Get the tides", "Look up"), "utf-8"
    )
    with chdir(folder / "tides"):
        eject_result = CliRunner().invoke(app, ["eject", "tides_mcp/tools/get_tides.py"])
    runnable_server = load_runnable_server(str(folder / "tides"), BuildOptions(), generation=7)
    program = "from tides_mcp.tools import TOOLS, create_alert, get_tides\n"
    program += "assert TOOLS[1:] == (get_tides.TOOL, create_alert.TOOL)\n"
    with write_package(runnable_server) as package:
        with (package / "tides_mcp_7" / "hooks.py").open("a", encoding="utf-8") as hooks:
            hooks.write(program)
        modules = import_server(runnable_server, package)
    for name in [name for name in sys.modules if name.partition(".")[0].startswith("tides_mcp")]:
        del sys.modules[name]

    titles = [tool.title for tool in modules.server.TOOLS]
    assert (result.exit_code, eject_result.exit_code) == (0, 0), eject_result.output
    assert titles == ["List harbours", "Look up of a day", "Create an alert"]


def test_table_lists_every_tool_with_request_and_effect(mock: ServeProcess) -> None:
    rows = [line.split("  ") for line in mock.announcement.splitlines()]

    table = [[cell.strip() for cell in row if cell.strip()][:3] for row in rows]
    assert ["list_harbours", "GET /harbours", "reads"] in table
    assert ["create_alert", "POST /harbours/{harbour}/alerts", "writes"] in table


def test_announcement_has_the_entry_for_a_client(mock: ServeProcess) -> None:
    entry = json.dumps({"mcpServers": {"tides": {"url": mock.url}}})

    assert f"claude mcp add --transport http tides {mock.url}\n" in mock.announcement
    assert entry in mock.announcement


def test_mock_answers_with_the_example_of_the_description(mock: ServeProcess) -> None:
    result = mock.call("list_harbours")

    harbours = json.loads(result["content"][0]["text"])
    assert result["isError"] is False
    assert harbours == [{"id": "gullhaven", "name": "Gullhaven", "region": "north"}]


def test_mock_answers_with_optional_members_where_no_example_is_given(tmp_path: Path) -> None:
    harbour = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "depth": {"type": "integer"}},
        "required": ["id"],
    }
    content = {"application/json": {"schema": harbour}}
    responses = {"200": {"description": "A harbour.", "content": content}}
    paths = {"/harbour": {"get": {"operationId": "getHarbour", "responses": responses}}}
    document = {"openapi": "3.1.0", "info": {"title": "Depths", "version": "1"}, "paths": paths}
    (tmp_path / "openapi.json").write_text(json.dumps(document), encoding="utf-8")

    spec = str(tmp_path / "openapi.json")
    mock_server, server = (
        load_runnable_server(spec, BuildOptions(), scenarios=is_mock).server
        for is_mock in (True, False)
    )

    assert mock_server is not None
    assert server is not None
    assert mock_server.tools[0].scenarios[0].stub_response.body == {"id": "sample", "depth": 1}
    assert server.tools[0].scenarios == ()


def test_call_is_validated_by_the_mocked_server(mock: ServeProcess) -> None:
    result = mock.call("get_tides", harbour="gullhaven")

    assert result["isError"] is True
    assert "date: required, but missing" in result["content"][0]["text"]


def test_every_call_is_a_line_and_sigterm_ends_the_server(folder: Path) -> None:
    with serve(folder, "openapi.yaml", "--mock") as process:
        process.call("list_harbours")
        code, errors = process.stop()

    lines = [line.split("  ") for line in errors.splitlines()]
    assert code == 0
    assert [line[1:3] for line in lines if len(line) == 4] == [["list_harbours: done", "200"]]


def test_configuration_beside_the_description_applies(folder: Path) -> None:
    text = '[select]\ninclude = ["listHarbours"]\n\n[tools."listHarbours"]\nname = "harbours"\n'
    (folder / "mcpgen.toml").write_text(text, encoding="utf-8")
    (folder / "below").mkdir()

    with chdir(folder / "below"):
        runnable_server = load_runnable_server("../openapi.yaml", BuildOptions())

    assert [tool.name for tool in runnable_server.tools] == ["harbours"]


@pytest.mark.repeated("tests/generated runs hooks in every way of serving")
def test_hooks_of_a_built_project_run(folder: Path) -> None:
    build = CliRunner().invoke(
        app, ["build", str(folder / "openapi.yaml"), "-o", str(folder / "tides"), "--no-verify"]
    )
    (folder / "tides" / "tides_mcp" / "hooks.py").write_text(HOOKS, encoding="utf-8")

    with serve(folder, "tides", "--mock") as process:
        result = process.call("list_harbours")

    assert build.exit_code == 0, build.output
    assert json.loads(result["content"][0]["text"]) == {"hooked": True}


def test_broken_hooks_are_named_and_not_a_bug_of_mcpgen(folder: Path) -> None:
    CliRunner().invoke(
        app, ["build", str(folder / "openapi.yaml"), "-o", str(folder / "tides"), "--no-verify"]
    )
    (folder / "tides" / "tides_mcp" / "hooks.py").write_text("HOOKS = missing\n", "utf-8")

    result = CliRunner().invoke(app, ["serve", str(folder / "tides")])

    assert result.exit_code == 2
    assert "tides_mcp/hooks.py cannot be imported" in result.stderr
    assert "name 'missing' is not defined" in result.stderr


@pytest.mark.repeated("tests/runtime holds the message")
def test_missing_credential_is_named(folder: Path) -> None:
    with serve(folder, "openapi.yaml") as process:
        announcement = process.announcement

    assert "TIDES_API_KEY is not set" in announcement


def test_document_at_a_url_is_served_with_the_credential_of_the_environment(tmp_path: Path) -> None:
    host = DocumentHost()
    yaml = {"Content-Type": "application/yaml"}
    host.answers["/openapi.yaml"] = (200, yaml, TIDES.read_bytes())
    host.answers["/v2/harbours"] = (200, {"Content-Type": "application/json"}, b"[]")
    api = f"http://{host.name}"
    document = (f"{api}/openapi.yaml", "--upstream", f"{api}/v2")
    try:
        with serve(tmp_path, *document, TIDES_API_KEY="s3cret-of-tides") as process:
            announcement, tools = process.announcement, process.tools()
            result = process.call("list_harbours")
    finally:
        host.close()

    assert tools == ["list_harbours", "get_tides", "create_alert"]
    assert "TIDES_API_KEY" not in announcement
    assert result["content"][0]["text"] == "[]"
    assert [
        headers.get("x-api-key") for path, headers in host.requests if path == "/v2/harbours"
    ] == ["s3cret-of-tides"]
    # Nothing else is written.
    assert [path.name for path in tmp_path.iterdir()] == ["serve-errors.txt"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.yaml"], 1, "missing.yaml"),
        ([], 1, "names an API description"),
        (["openapi.yaml", "--mock", "--upstream", "http://127.0.0.1:9"], 2, "leave --upstream out"),
        (["openapi.yaml", "--port", "70000"], 2, "70000"),
        (["openapi.yaml", "--stdio", "--watch"], 2, "--watch is for the files"),
        (["-", "--watch"], 2, "--watch is for the files"),
        (["openapi.yaml", "--stdio", "--port", "8000"], 2, "cannot go with --port"),
    ],
)
def test_faults_are_told_and_nothing_is_served(
    folder: Path, arguments: list[str], code: int, message: str
) -> None:
    with chdir(folder):
        result = CliRunner().invoke(app, ["serve", *arguments])

    assert result.exit_code == code
    assert message in result.stderr


def test_page_shows_the_announcement(mock: ServeProcess) -> None:
    page = (ROOT / "docs" / "serve.md").read_text("utf-8")
    example = page.partition("```text\n")[2].partition("```")[0]

    port = mock.url.rpartition(":")[2].partition("/")[0]
    assert mock.announcement.replace(f":{port}/", ":8000/") == example


def test_stdio_has_nothing_but_protocol_on_standard_output(folder: Path) -> None:
    call = {"name": "list_harbours", "arguments": {}}
    requests = (
        {"method": "initialize", "params": {**HANDSHAKE, "capabilities": {}}, "id": 1},
        {"method": "notifications/initialized"},
        {"method": "tools/call", "params": call, "id": 2},
    )
    lines = "".join(json.dumps({"jsonrpc": "2.0", **request}) + "\n" for request in requests)

    completed = subprocess.run(
        [sys.executable, "-m", "mcpgen", "serve", "openapi.yaml", "--mock", "--stdio"],
        cwd=folder,
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
    )

    responses = [json.loads(line) for line in completed.stdout.splitlines()]
    assert (completed.returncode, [response["id"] for response in responses]) == (0, [1, 2])
    assert responses[1]["result"]["isError"] is False
    assert "list_harbours: done" in completed.stderr
