"""Requirements on the command line: build, --check, new, tools, lint and diff."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.forkserver import own_tests
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app

SPEC = """# Notes Specification

## Purpose

Reads the notes of a small office for the assistants of its people. It never changes a note.

## Requirements

### Requirement: The tools are few

The server SHALL list exactly `list_notes` and `summarise` as its MCP tools.

#### Scenario: Client lists tools

- **WHEN** a client calls tools/list
- **THEN** tools/list SHALL contain exactly `list_notes` and `summarise`
"""

DELTA = """## MODIFIED Requirements

### Requirement: The tools are few

The server SHALL list exactly `list_notes`, `summarise` and `find_notes` as its MCP tools.

#### Scenario: Client lists tools

- **WHEN** a client calls tools/list
- **THEN** tools/list SHALL contain exactly `list_notes`, `summarise` and `find_notes`
"""

COMPANION = """mcpgen: 1
tools:
  list_notes:
    description: Lists the notes of a shelf.
    input: {shelf: {type: string, required: true}}
    upstream: {openapi: api.yaml, operation: getNotes}
  summarise: {description: Counts the notes of a shelf., input: {shelf: {type: string}}}
"""

API = """openapi: 3.1.0
info: {title: Notes API, version: 2.1.0}
servers: [{url: "https://notes.example.com/v2"}]
paths:
  /shelves/{shelf}/notes:
    get:
      operationId: getNotes
      parameters: [{name: shelf, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
"""


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder with an OpenSpec folder, and a spec with companion and API."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    for folder in ("one", "openspec/specs/office/notes"):
        (tmp_path / folder).mkdir(parents=True)
        for name, text in (("spec.md", SPEC), ("mcp.yaml", COMPANION), ("api.yaml", API)):
            (tmp_path / folder / name).write_text(text)
    change = tmp_path / "openspec" / "changes" / "find" / "specs" / "office" / "notes"
    change.mkdir(parents=True)
    (change / "spec.md").write_text(DELTA)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def _build(*arguments: str) -> Result:
    return _run("build", *arguments, "--no-verify")


def test_build_makes_a_project_that_is_recognized_and_held(work_folder: Path) -> None:
    first = _build("one/spec.md", "-o", "out")
    second_result = _build("one/spec.md", "-o", "out")
    result = _run("build", "one/spec.md", "-o", "out", "--check")

    assert (first.exit_code, second_result.exit_code, result.exit_code) == (0, 0, 0)
    assert "out: built (2 tools" in first.stdout
    assert "out: unchanged (2 tools" in second_result.stdout
    lock = json.loads((work_folder / "out" / "mcpgen.lock").read_text())
    assert lock["tools"] == {
        "openspec:list_notes": "list_notes",
        "openspec:summarise": "summarise",
    }
    assert set(lock["inputs"]) >= {"../one/spec.md", "../one/mcp.yaml", "../one/api.yaml"}


def test_a_deleted_file_with_upstreams_of_fixtures_is_written_again(work_folder: Path) -> None:
    (work_folder / "one" / "mcp.yaml").write_text(COMPANION + "fixtures: {default: {app: shelf}}\n")
    _build("one/spec.md", "-o", "out")
    fixtures = work_folder / "out" / "tests" / "fixtures.py"
    fixtures.unlink()

    result = _run("build", "one/spec.md", "-o", "out", "--check")
    build = _build("one/spec.md", "-o", "out")
    second_result = _build("one/spec.md", "-o", "out")

    assert (result.exit_code, build.exit_code) == (1, 0)
    assert "def shelf(" in fixtures.read_text()
    assert "out: unchanged (2 tools" in second_result.stdout


def test_a_file_of_the_user_beside_the_files_of_a_build_needs_no_second_build(
    work_folder: Path,
) -> None:
    fixtures = work_folder / "out" / "tests" / "fixtures.py"
    fixtures.parent.mkdir(parents=True)
    fixtures.write_text("# mine\n")

    _build("one/spec.md", "-o", "out")
    second_result = _build("one/spec.md", "-o", "out")

    assert "out: unchanged (2 tools" in second_result.stdout
    assert fixtures.read_text() == "# mine\n"


@pytest.mark.parametrize("name", ["spec.md", "mcp.yaml", "api.yaml"])
def test_change_of_any_file_is_drift(work_folder: Path, name: str) -> None:
    _build("one/spec.md", "-o", "out")
    path = work_folder / "one" / name
    message = path.read_text().replace("Counts the notes", "Sums up the notes")
    message = message.replace("/shelves/{shelf}/notes", "/shelf/{shelf}/notes")
    path.write_text(message.replace("It never changes a note.", "It changes none."))

    assert _run("build", "-o", "out", "--check", "one/spec.md").exit_code == 1


def test_companion_that_appears_is_a_change(work_folder: Path) -> None:
    (work_folder / "one" / "mcp.yaml").unlink()
    _build("one/spec.md", "-o", "out")
    bare = (work_folder / "out" / "notes_mcp" / "tools" / "list_notes.py").read_text()
    (work_folder / "one" / "mcp.yaml").write_text(COMPANION)

    second_result = _build("one/spec.md", "-o", "out")

    assert "route=None" in bare
    assert "built" in second_result.stdout
    assert (
        'Route("GET"' in (work_folder / "out" / "notes_mcp" / "tools" / "list_notes.py").read_text()
    )


def test_capability_and_change_are_chosen_once_and_kept_in_the_configuration(
    work_folder: Path,
) -> None:
    companion = (
        work_folder / "openspec" / "changes" / "find" / "specs" / "office" / "notes" / "mcp.yaml"
    )
    companion.write_text(COMPANION + "  find_notes: {description: Finds notes.}\n")
    (companion.parent / "api.yaml").write_text(API)

    first = _build("openspec", "-o", "out", "--capability", "office/notes", "--change", "find")
    second_result = _build("-o", "out")

    assert first.exit_code == 0, first.output
    assert "3 tools" in first.stdout
    assert "unchanged" in second_result.stdout
    assert 'change = "find"' in (work_folder / "out" / "mcpgen.toml").read_text()


def test_choice_among_requirements_of_an_api_is_an_error() -> None:
    result = _build("one/api.yaml", "--capability", "notes")

    assert result.exit_code == 1
    assert "MG780" in result.output


def test_choice_among_requirements_of_an_api_is_an_error_of_a_new_project_too() -> None:
    assert "MG780" in _run("new", "office", "--from", "one/api.yaml", "--change", "x").output


def test_overlay_without_a_document_is_an_error(work_folder: Path) -> None:
    (work_folder / "one" / "mcp.yaml").unlink()
    (work_folder / "fix.yaml").write_text(
        "overlay: 1.0.0\ninfo: {title: t, version: 1}\nactions: []\n"
    )

    result = _build("one/spec.md", "-o", "out", "--overlay", "fix.yaml")

    assert "MG779" in result.output


def test_overlay_repairs_the_document_that_tools_call(work_folder: Path) -> None:
    (work_folder / "fix.yaml").write_text(
        "overlay: 1.0.0\ninfo: {title: t, version: 1}\n"
        "actions: [{target: '$.servers[0]', update: {url: 'https://mended.example.com'}}]\n"
    )

    result = _build("one/spec.md", "-o", "out", "--overlay", "fix.yaml")

    assert result.exit_code == 0, result.output
    settings = (work_folder / "out" / "notes_mcp" / "settings.py").read_text()
    assert "https://mended.example.com" in settings


@pytest.mark.repeated("repeats a build with the trial of its server in another layout")
def test_new_copies_what_stands_beside_requirements(work_folder: Path) -> None:
    result = _run("new", "office", "--from", "one/spec.md")

    assert result.exit_code == 0, result.output
    for name, text in (("spec.md", SPEC), ("mcp.yaml", COMPANION), ("api.yaml", API)):
        assert (work_folder / "office" / name).read_text() == text


@pytest.mark.repeated("tests/openspec/bind holds the draft")
def test_new_drafts_the_companion_that_is_not_there(work_folder: Path) -> None:
    (work_folder / "one" / "mcp.yaml").unlink()

    result = _run("new", "office", "--from", "one/spec.md")

    assert result.exit_code == 0, result.output
    companion_text = (work_folder / "office" / "mcp.yaml").read_text()
    assert "list_notes:" in companion_text
    assert not (work_folder / "one" / "mcp.yaml").exists()


@pytest.mark.repeated("repeats a build with the trial of its server in another layout")
def test_new_keeps_the_layout_of_an_openspec_folder(work_folder: Path) -> None:
    result = _run("new", "office", "--from", "openspec")

    assert result.exit_code == 0, result.output
    folder = work_folder / "office" / "openspec" / "specs" / "office" / "notes"
    assert {path.name for path in folder.iterdir()} == {"spec.md", "mcp.yaml", "api.yaml"}
    assert _run("build", "-o", "office", "--check").exit_code == 0


def test_new_from_requirements_that_cannot_be_read_leaves_nothing(work_folder: Path) -> None:
    result = _run("new", "office", "--from", "nothing.md")

    assert result.exit_code == 1
    assert not (work_folder / "office").exists()


def test_tools_of_requirements_are_those_a_build_announces(work_folder: Path) -> None:
    _build("one/spec.md", "-o", "out")

    content = json.loads(_run("tools", "one/spec.md", "--sort", "order", "--format", "json").stdout)

    contract = (work_folder / "out" / "tests" / "test_contract.py").read_text()
    assert [tool["name"] for tool in content["tools"]] == ["list_notes", "summarise"]
    assert f"LIST_BYTES = {content['totals']['bytes']}" in contract


def test_tools_of_one_capability_of_a_folder() -> None:
    result = _run("tools", "openspec", "--capability", "office/notes")

    assert result.exit_code == 0, result.output
    assert "2 tools" in result.stdout


def test_diff_of_requirements_tells_what_changed(work_folder: Path) -> None:
    (work_folder / "two").mkdir()
    (work_folder / "two" / "spec.md").write_text(SPEC)
    (work_folder / "two" / "mcp.yaml").write_text(
        COMPANION.replace(", input: {shelf: {type: string}}}", "}")
    )
    (work_folder / "two" / "api.yaml").write_text(API)

    result = _run("diff", "one/spec.md", "two/spec.md")

    assert result.exit_code == 0, result.output
    assert "summarise" in result.stdout
    assert "shelf" in result.stdout


def test_lint_looks_at_declared_tools(work_folder: Path) -> None:
    path = work_folder / "one" / "mcp.yaml"
    path.write_text(path.read_text().replace("Counts the notes of a shelf.", "Summarise."))

    result = _run("lint", "one/spec.md")

    assert "useless-description" in result.output
    assert "one/mcp.yaml:7:" in result.output


def test_findings_name_the_line_of_the_file_they_concern(work_folder: Path) -> None:
    path = work_folder / "one" / "mcp.yaml"
    path.write_text(path.read_text().replace("getNotes", "getNots"))

    result = _build("one/spec.md", "-o", "out")

    assert result.exit_code == 1
    assert "one/mcp.yaml:6:" in result.output
    assert "did you mean `getNotes`?" in result.output


def test_page_of_a_check_shows_the_scenarios_beside_the_checks(work_folder: Path) -> None:
    _build("one/spec.md", "-o", "out")

    _run("check", "out", "--only", "universal-flat", "--report", "html=page.html")

    page = (work_folder / "page.html").read_text()
    assert page.index('id="findings"') < page.index('id="scenarios"') < page.index('id="matrix"')
    assert '<a href="#scenarios">' in page
    assert 'scope="row">Client lists tools</th><td>The tools are few</td>' in page


@pytest.mark.repeated(
    "test_page_of_a_check_shows_the_scenarios_beside_the_checks shows the section of the page"
)
def test_page_of_a_check_says_why_no_scenario_was_performed(work_folder: Path) -> None:
    _build("one/spec.md", "-o", "out")
    (work_folder / "out" / "tests" / "scenarios" / "conftest.py").write_text(
        "raise RuntimeError('no')\n"
    )

    result = _run("check", "out", "--format", "html", "--only", "universal-flat")

    assert result.exit_code == 0
    assert "could not be performed" in result.stdout
    assert "RuntimeError: no" in result.stdout


@pytest.mark.repeated("repeats a build with the trial of its server in another layout")
def test_names_that_a_server_has_already_are_kept(work_folder: Path) -> None:
    for name in ("spec.md", "mcp.yaml"):
        path = work_folder / "one" / name
        message = path.read_text().replace("list_notes", "list-notes").replace("summarise", "sumUp")
        path.write_text(message)

    result = _run("build", "one/spec.md", "-o", "out")

    tools = sorted(
        path.stem for path in (work_folder / "out" / "notes_mcp" / "tools").glob("[a-z]*.py")
    )
    assert result.exit_code == 0, result.output
    assert tools == ["list_notes", "sum_up"]
    assert "warning MG703" in result.output
    assert json.loads((work_folder / "out" / "mcpgen.lock").read_text())["tools"] == {
        "openspec:list-notes": "list-notes",
        "openspec:sumUp": "sumUp",
    }
    completed = own_tests(work_folder / "out", "-q", "-p", "no:cacheprovider", "tests")
    assert completed.returncode == 0, completed.stdout


def test_names_that_only_their_spelling_tells_apart_are_refused(work_folder: Path) -> None:
    (work_folder / "one" / "spec.md").write_text(SPEC.replace("summarise", "list-notes"))
    (work_folder / "one" / "mcp.yaml").write_text(COMPANION.replace("summarise", "list-notes"))

    result = _build("one/spec.md", "-o", "out")

    assert result.exit_code == 1
    assert "MG304" in result.output


def test_wish_about_an_argument_that_the_companion_lists_itself_is_told(work_folder: Path) -> None:
    wish = "operationId: getNotes\n      x-mcp: {arguments: {shelf: {description: Which shelf.}}}"
    (work_folder / "one" / "api.yaml").write_text(API.replace("operationId: getNotes", wish))
    result = _build("one/spec.md", "-o", "out")
    new_companion = COMPANION.replace("    input: {shelf: {type: string, required: true}}\n", "")
    (work_folder / "one" / "mcp.yaml").write_text(new_companion)

    second_result = _build("one/spec.md", "-o", "out")

    assert (result.exit_code, second_result.exit_code) == (0, 0)
    assert "warning MG781" in result.output
    assert "has no effect on `shelf`" in " ".join(result.output.split())
    assert "MG781" not in second_result.output
