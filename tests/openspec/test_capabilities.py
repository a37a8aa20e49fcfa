"""One server from several capabilities, beside an API, and after the change is archived."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.config import Config
from mcpgen.diagnostics import Diagnostics
from mcpgen.ir.server import Server
from mcpgen.lower import lower
from mcpgen.openspec.load import bind_scenarios
from mcpgen.pipeline.load_spec import load_spec
from mcpgen.pipeline.result import BuildOptions, PhaseTimer

HEAD = "# {title}\n\n## Purpose\n\nWhat the harbour office knows, for everybody who asks for it.\n\n## Requirements\n\n"

TIDES = HEAD.format(title="Tides") + """### Requirement: Next tide

The MCP server SHALL expose a `next_tide` tool that returns the next tide of a `harbour`.

#### Scenario: Unknown harbour

- **WHEN** a client calls `next_tide` with `harbour: "Atlantis"`
- **THEN** the call SHALL return an error result
"""

BOATS = HEAD.format(title="Boats") + """### Requirement: Find a boat

The MCP server SHALL expose a `find_boat` tool that finds a boat by its `name`.

#### Scenario: Unknown harbour

- **WHEN** a client calls `find_boat` with `name: "Pequod"`
- **THEN** the call SHALL succeed
"""

PAGE = HEAD.format(title="Page") + """### Requirement: The page is blue

The page SHALL be blue.

#### Scenario: A click

- **WHEN** the user clicks the button
- **THEN** the page is blue
"""

API = """openapi: 3.0.3
info: {title: Harbour office, version: "1"}
servers: [{url: "https://harbour.example.com"}]
paths:
  /tides: {get: {operationId: nextTide, parameters: [{name: harbour, in: query, schema: {type: string}}], responses: {"200": {description: A tide.}}}}
  /boats: {get: {operationId: listBoats, responses: {"200": {description: Boats.}}}}
  /cranes: {get: {operationId: listCranes, responses: {"200": {description: Cranes.}}}}
"""

COMPANION = """mcpgen: 1
tools:
  {tool}:
    description: Asks the office.
    upstream: {{openapi: {document}, operation: {operation}}}
fixtures:
  default: {{headers: {{X-From: {tool}}}}}
"""


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Writes an OpenSpec folder with three capabilities and an API, and enters its parent."""
    write(tmp_path, "openspec/specs/tides/spec.md", TIDES)
    write(tmp_path, "openspec/specs/boats/spec.md", BOATS)
    write(tmp_path, "openspec/specs/page/spec.md", PAGE)
    write(tmp_path, "api.yaml", API)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, path: str, text: str) -> None:
    """Writes a file with its folders."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, "utf-8")


def run(*arguments: str) -> Result:
    """Runs a command of mcpgen."""
    return CliRunner().invoke(app, list(arguments))


def build_server(**options: Any) -> tuple[Server | None, list[str]]:
    """Returns the server of the folder `openspec`, and the codes of all findings."""
    diagnostics = Diagnostics()
    spec = load_spec(
        "openspec", BuildOptions(**options), None, PhaseTimer(None), diagnostics, validated=False
    )
    server = None
    if spec.api and not diagnostics.failed:
        server = bind_scenarios(
            lower(spec.api, Config(), diagnostics), spec.capabilities, diagnostics
        )
    return server, [finding.code.id for finding in diagnostics]


def tools(**options: Any) -> list[str]:
    """Returns the names of the server's tools."""
    server, codes = build_server(**options)
    assert server, codes
    return [tool.name for tool in server.tools]


def test_the_capabilities_that_name_a_tool_become_one_server(office: Path) -> None:
    server, codes = build_server()

    assert server
    assert [tool.name for tool in server.tools] == ["find_boat", "next_tide"]
    assert "MG766" in codes


@pytest.mark.parametrize(
    ("capability", "names"),
    [("tides", ["next_tide"]), ("tides,boats", ["next_tide", "find_boat"])],
)
def test_capabilities_are_chosen_by_name(office: Path, capability: str, names: list[str]) -> None:
    assert tools(capability=capability) == names


def test_an_unknown_capability_among_several_is_told(office: Path) -> None:
    assert build_server(capability="tides,boots") == (None, ["MG711"])


def test_scenarios_keep_the_name_of_their_capability(office: Path) -> None:
    server, _ = build_server()

    assert server
    assert server.bound_scenarios
    assert [
        (requirement.title, requirement.module)
        for requirement in server.bound_scenarios.requirements
    ] == [
        ("boats: Find a boat", "boats_find_a_boat"),
        ("tides: Next tide", "tides_next_tide"),
    ]


def test_a_change_is_laid_over_all_capabilities(office: Path) -> None:
    more = BOATS.replace("find_boat", "list_boats").partition("## Requirements\n")[2]
    delta = f"## ADDED Requirements\n{more.replace('Find a boat', 'List boats')}"
    write(office, "openspec/changes/add-list/specs/boats/spec.md", delta)

    assert tools(change="add-list") == ["find_boat", "list_boats", "next_tide"]


def test_each_companion_has_fixtures_of_its_own(office: Path) -> None:
    for capability, tool, operation in (
        ("tides", "next_tide", "nextTide"),
        ("boats", "find_boat", "listBoats"),
    ):
        text = COMPANION.format(tool=tool, operation=operation, document="../../../api.yaml")
        write(office, f"openspec/specs/{capability}/mcp.yaml", text)

    server, codes = build_server(root=".")

    assert server, codes
    assert server.bound_scenarios
    fixture_names = {
        requirement.capability: scenario.given
        for requirement, scenario in server.bound_scenarios.every
    }
    assert fixture_names == {"boats": ("boats: default",), "tides": ("tides: default",)}
    assert [fixture.name for fixture in server.bound_scenarios.fixtures] == [
        "boats: default",
        "tides: default",
    ]


def test_a_tool_that_two_companions_declare_is_told(office: Path) -> None:
    text = COMPANION.format(tool="ask", operation="listBoats", document="../../../api.yaml")
    write(office, "openspec/specs/tides/mcp.yaml", text)
    write(office, "openspec/specs/boats/mcp.yaml", text)

    assert "MG783" in build_server(root=".")[1]


def test_operations_that_the_text_names_become_tools_with_its_scenarios(office: Path) -> None:
    server, codes = build_server(openapi="api.yaml")

    assert server
    routes = {tool.name: tool.route.path if tool.route else None for tool in server.tools}
    assert routes == {"next_tide": "/tides", "find_boat": None}
    assert {"MG767", "MG769"} <= set(codes)


@pytest.mark.parametrize("path", ["/tides", "/api/v1/tides"])
def test_a_request_of_the_text_calls_the_tool_of_the_operation(office: Path, path: str) -> None:
    asks = f"a client calls `GET {path}?harbour=Porto`"
    text = TIDES.replace('a client calls `next_tide` with `harbour: "Atlantis"`', asks)
    answers = text.replace("the call SHALL return an error result", "the response status is 200")
    write(office, "openspec/specs/tides/spec.md", answers)

    server, _ = build_server(openapi="api.yaml", capability="tides")

    assert server
    assert server.bound_scenarios
    assert server.bound_scenarios.percent == 100
    ((_, scenario),) = server.bound_scenarios.every
    assert [(call.name, call.value) for call in scenario.actions] == [
        ("next_tide", {"harbour": "Porto"})
    ]


def test_a_request_that_the_api_lacks_is_told_where_the_text_names_it(office: Path) -> None:
    text = TIDES.replace("Unknown harbour", "Storm").replace(
        "a client calls", "`PUT /storms` calls"
    )
    write(office, "openspec/specs/tides/spec.md", text)

    result = run("tools", "openspec", "--openapi", "api.yaml")
    build_result = run("build", "openspec", "--openapi", "api.yaml", "-o", "out", "--no-verify")

    assert result.exit_code == 0
    assert "spec.md:15:1: warning MG768" in build_result.stderr


def test_a_build_beside_an_api_can_be_repeated_and_is_current(office: Path) -> None:
    first = run("build", "openspec", "--openapi", "api.yaml", "-o", "out", "--no-verify")
    second_result = run("build", "--check", "-o", "out", "--no-verify")

    assert first.exit_code == 0, first.stderr
    assert 'openapi = "../api.yaml"' in (office / "out" / "mcpgen.toml").read_text()
    assert second_result.exit_code == 0, second_result.stdout


def test_openapi_needs_requirements(office: Path) -> None:
    result = run("build", "api.yaml", "--openapi", "api.yaml", "-o", "out", "--no-verify")

    assert result.exit_code == 1
    assert "MG780" in result.stderr


def test_bind_drafts_a_companion_for_every_capability_of_the_server(office: Path) -> None:
    result = run("bind", "openspec", "--openapi", "api.yaml")

    tides = (office / "openspec/specs/tides/mcp.yaml").read_text()
    assert result.exit_code == 0, result.stderr
    assert 'upstream: {openapi: "../../../api.yaml", operation: "GET /tides"}' in tides
    assert "# the operation" in tides or "# the tool `next_tide`" in tides
    assert (office / "openspec/specs/boats/mcp.yaml").exists()
    assert not (office / "openspec/specs/page/mcp.yaml").exists()
    assert run("bind", "openspec", "--openapi", "api.yaml", "--check").exit_code == 0
    assert tools(openapi="api.yaml") == ["find_boat", "next_tide"]


@pytest.mark.parametrize("options", [(), ("--openapi", "api.yaml")])
def test_bind_declares_a_tool_of_several_capabilities_in_one_file(
    office: Path, options: tuple[str, ...]
) -> None:
    calls = TIDES.partition("### ")[0] + """### Requirement: Before a trip

The tide SHALL be known.

#### Scenario: Tide of Porto

- **WHEN** a client calls `next_tide` with `harbour: "Porto"` and `kind: "high"`
- **THEN** the call SHALL succeed
"""
    write(office, "openspec/specs/a-trip/spec.md", calls)

    result = run("bind", "openspec", *options)

    files = {
        path.parent.name: path.read_text() for path in office.glob("openspec/specs/*/mcp.yaml")
    }
    assert result.exit_code == 0, result.stderr
    assert [name for name, text in files.items() if "next_tide:" in text] == ["tides"]
    assert "tool: next_tide" in files["a-trip"]
    if not options:
        assert (
            "kind:" in files["tides"]
        ), "arguments that another capability names belong to the tool"
    server, codes = build_server(openapi="api.yaml" if options else "")
    assert server, codes
    assert [code for code in codes if code in {"MG754", "MG783"}] == []
    assert run("bind", "openspec", *options, "--check").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [("openspec/specs/a-trip/spec.md",), ("openspec", "--capability", "a-trip")],
)
def test_bind_of_one_capability_knows_the_tools_of_the_others(
    office: Path, arguments: tuple[str, ...]
) -> None:
    scenario = """### Requirement: Before a trip

The tide SHALL be known.

#### Scenario: Tide of Porto

- **WHEN** a client calls `next_tide` with `harbour: "Porto"`
- **THEN** the call SHALL succeed
- **AND** the answer names a `height`
"""
    write(office, "openspec/specs/a-trip/spec.md", TIDES.partition("### ")[0] + scenario)

    bind_result = run("bind", *arguments)
    draft = (office / "openspec/specs/a-trip/mcp.yaml").read_text()
    run("bind", "openspec", "--capability", "tides")
    by_hand = run("bind", *arguments, "--export")

    assert bind_result.exit_code == 0, bind_result.stderr
    assert "call: {tool: next_tide, arguments: {harbour: Porto}}" in draft
    assert "tools:" not in draft, "the file of the other capability declares the tool"
    assert '"name": "next_tide"' in by_hand.stdout
    assert run("bind", "openspec", "--check").exit_code == 1, "boats have no companion"
    assert "MG783" not in build_server()[1]


def test_a_call_of_a_tool_that_no_capability_has_is_told(office: Path) -> None:
    of_boats = COMPANION.format(tool="ask", operation="listBoats", document="../../../api.yaml")
    scenario = 'scenarios:\n  "Unknown harbour": {call: {tool: nxt_tide, arguments: {}}}\n'
    write(office, "openspec/specs/boats/mcp.yaml", of_boats + scenario)

    assert "MG754" in build_server(root=".")[1]
    write(office, "openspec/specs/boats/mcp.yaml", (of_boats + scenario).replace("nxt_", "next_"))
    assert "MG754" not in build_server(root=".")[1]


@pytest.mark.repeated("tests/openspec/test_build.py holds a new project of one spec")
def test_a_new_project_has_the_specs_and_a_draft_for_each(office: Path) -> None:
    result = run("new", "fresh", "--from", "openspec")

    assert result.exit_code == 0, result.stderr
    drafts = sorted(path.parent.name for path in office.glob("fresh/openspec/specs/*/mcp.yaml"))
    assert drafts == ["boats", "tides"]
    assert 'capability = "boats,tides"' in (office / "fresh/mcpgen.toml").read_text()


def test_bind_of_several_capabilities_reports_every_file_as_json(office: Path) -> None:
    result = run("bind", "openspec", "--format", "json")

    files = json.loads(result.stdout)["files"]
    assert [(file["file"], file["tools"]) for file in files] == [
        ("openspec/specs/boats/mcp.yaml", ["find_boat"]),
        ("openspec/specs/tides/mcp.yaml", ["next_tide"]),
    ]


def test_scenarios_takes_capabilities_and_names_them(office: Path) -> None:
    result_of_all = run("scenarios", "openspec")
    result = run("scenarios", "openspec", "--capability", "tides")

    assert "boats: Find a boat" in result_of_all.stdout
    assert "tides: Next tide" in result_of_all.stdout
    assert "Next tide" in result.stdout
    assert "Find a boat" not in result.stdout


def test_the_hint_of_several_capabilities_names_the_folder(office: Path) -> None:
    result_of_all = run("build", "openspec", "-o", "out", "--no-verify")
    result = run("build", "openspec", "--capability", "tides", "-o", "one", "--no-verify")

    assert "`mcpgen bind openspec`" in " ".join(result_of_all.stderr.split())
    assert "`mcpgen bind openspec/specs/tides/spec.md`" in " ".join(result.stderr.split())


def test_a_text_about_something_else_is_refused_with_the_reason(office: Path) -> None:
    start = perf_counter()
    result = run("build", "openspec", "--capability", "page", "-o", "out")

    assert result.exit_code == 1
    assert "MG777" in result.stderr
    assert "1 requirement, and none mentions MCP or a tool; 1 of 1 about a user interface" in (
        " ".join(result.stderr.split())
    )
    assert perf_counter() - start < 60
    assert not (office / "out").exists()


def archive(office: Path, change: str, spec: str) -> None:
    """Does what `openspec archive` does: moves the folder of the change, and writes the spec."""
    folder = office / "openspec/changes"
    (folder / "archive").mkdir(exist_ok=True)
    shutil.move(folder / change, folder / "archive" / f"2026-11-23-{change}")
    (office / "openspec/specs/tides/spec.md").write_text(spec)


@pytest.fixture
def changed_office(office: Path) -> Path:
    """Builds a project from a change with a companion, and archives the change."""
    added_spec = TIDES.replace("next_tide", "last_tide").replace("Next tide", "Last tide")
    section = added_spec.partition("## Requirements\n")[2]
    place = "openspec/changes/last/specs/tides"
    write(office, f"{place}/spec.md", f"## ADDED Requirements\n{section}")
    text = COMPANION.format(
        tool="last_tide", operation="nextTide", document="../../../../../api.yaml"
    )
    write(office, f"{place}/mcp.yaml", f"# Ours.\n{text}")
    options = ("--change", "last", "--capability", "tides", "--root", ".", "--no-verify")
    result = run("build", "openspec", "-o", "out", *options)
    assert result.exit_code == 0, result.stderr
    archive(office, "last", TIDES + section)
    return office


def test_companion_and_configuration_follow_an_archived_change(changed_office: Path) -> None:
    result = run("build", "-o", "out", "--no-verify")

    companion_text = (changed_office / "openspec/specs/tides/mcp.yaml").read_text()
    config = (changed_office / "out/mcpgen.toml").read_text()
    assert result.exit_code == 0, result.stderr
    assert "MG784" in result.stderr
    assert companion_text.startswith("# Ours.\nmcpgen: 1\n")
    assert 'openapi: "../../../api.yaml"' in companion_text
    assert "change =" not in config
    assert 'capability = "tides"' in config
    assert run("build", "-o", "out", "--no-verify", "--check").exit_code == 0


def test_check_reports_an_archived_change_and_writes_nothing(changed_office: Path) -> None:
    result = run("build", "-o", "out", "--check", "--no-verify")

    assert result.exit_code == 1
    assert "MG707" in result.stderr
    assert not (changed_office / "openspec/specs/tides/mcp.yaml").exists()
    assert 'change = "last"' in (changed_office / "out/mcpgen.toml").read_text()


def test_another_companion_of_the_spec_is_never_replaced(changed_office: Path) -> None:
    own_companion = "mcpgen: 1\ntools: {next_tide: {description: Ours.}}\n"
    write(changed_office, "openspec/specs/tides/mcp.yaml", own_companion)

    result = run("build", "-o", "out", "--no-verify")

    assert "MG707" in result.stderr
    assert (changed_office / "openspec/specs/tides/mcp.yaml").read_text() == own_companion
