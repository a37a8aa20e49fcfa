"""`mcpgen scenarios`: bindings of a text, and results of a project's scenarios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scenario_project import claim, make_scenario, server, then_step, when_step, write_project
from test_bind_scenarios import TEXT
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.openspec.model.companion import AssertionTarget

COMPANION = """mcpgen: 1
tools:
  list_books: {description: Lists the books of the shelf.}
  get_book: {description: Reads a book of the shelf.}
"""


def mcpgen(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def spec(tmp_path: Path) -> str:
    (tmp_path / "spec.md").write_text(TEXT, "utf-8")
    (tmp_path / "mcp.yaml").write_text(COMPANION, "utf-8")
    return str(tmp_path / "spec.md")


def test_a_text_is_told_with_what_to_paste(spec: str) -> None:
    result = mcpgen("scenarios", spec)

    assert result.exit_code == 0
    assert "  partial 2/3    Tools are listed: step 3" in result.stdout
    assert '  "Tools are listed":\n    of: "' in result.stdout
    assert "      - step: 3  # AND they SHALL be pleasant" in result.stdout
    assert result.stdout.endswith("1 partial, 2 pending; 25 % of the steps\n")


def test_a_text_is_told_to_programs(spec: str) -> None:
    result = mcpgen("scenarios", spec, "--format", "json")

    tree = json.loads(result.stdout)
    assert (tree["version"], tree["command"], tree["exit_code"]) == (1, "scenarios", 0)
    assert tree["counts"] == {"pending": 2, "partial": 1}
    assert tree["percent"] == 25.0
    first = tree["scenarios"][0]
    assert first["scenario"] == "Tools are listed"
    assert (first["status"], first["bound"], first["steps"]) == ("partial", 2, 3)
    assert first["at"].endswith("spec.md:13")


def test_a_text_is_a_table_and_a_page(spec: str) -> None:
    table = mcpgen("scenarios", spec, "--format", "markdown").stdout
    page = mcpgen("scenarios", spec, "--format", "html").stdout

    assert "| `Tools SHALL be few` | `Tools are listed` | ⚠️ partial 2/3 | `step 3` |" in table
    assert page.startswith("<!DOCTYPE html>")
    assert "partial 2/3" in page
    assert mcpgen("scenarios", spec, "--format", "html").stdout == page


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--min-bound", "25"], 0),
        (["--min-bound", "26"], 1),
        (["--fail-on-pending"], 1),
        (["--min-bound", "101"], 2),
    ],
)
def test_too_little_fails_where_that_is_asked_for(spec: str, options: list[str], code: int) -> None:
    assert mcpgen("scenarios", spec, *options).exit_code == code


def test_what_has_no_scenarios_is_refused_in_a_line(tmp_path: Path) -> None:
    api = tmp_path / "api.yaml"
    operation = (
        "{get: {operationId: look, summary: Looks., responses: {'200': {description: Fine}}}}"
    )
    head = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\nservers: [{url: 'https://a.example'}]\n"
    api.write_text(f"{head}paths: {{/a: {operation}}}\n", "utf-8")

    result = mcpgen("scenarios", str(api))
    assert result.exit_code == 2
    assert "those of requirements" in " ".join(result.output.split())
    assert mcpgen("scenarios", str(tmp_path / "nothing.md")).exit_code == 2
    assert mcpgen("scenarios", "https://mcp.example.com/mcp").exit_code == 2


def test_errors_of_a_text_are_told_instead(tmp_path: Path) -> None:
    spec = tmp_path / "spec.md"
    spec.write_text("# Nothing\n", "utf-8")

    assert mcpgen("scenarios", str(spec)).exit_code == 1


def test_a_project_performs_its_scenarios(tmp_path: Path) -> None:
    assertion = claim(AssertionTarget.IS_ERROR, equals=False)
    folder = write_project(
        server(
            make_scenario(
                "one", when_step(), then_step(2, "it works", assertion), then_step(3, "it is nice")
            )
        ),
        tmp_path,
    )

    result = mcpgen("scenarios", str(folder), "--format", "json", "--fail-on-pending")

    tree = json.loads(result.stdout)
    assert result.exit_code == tree["exit_code"] == 1
    assert tree["counts"] == {"partial": 1}
    assert tree["scenarios"][0]["told"] == "step 3: THEN it is nice"


def test_a_project_whose_tests_cannot_be_run_is_told_as_that(tmp_path: Path) -> None:
    folder = write_project(
        server(make_scenario("one", when_step(), then_step(2, "it is nice"))), tmp_path
    )
    (folder / "tests" / "scenarios" / "conftest.py").write_text(
        "raise RuntimeError('no')\n", "utf-8"
    )

    result = mcpgen("scenarios", str(folder))

    assert result.exit_code == 2
    assert "could not be performed" in " ".join(result.output.split())


@pytest.mark.repeated("repeats the command with another failing test")
def test_a_test_that_fails_and_is_no_scenario_is_not_lost(tmp_path: Path) -> None:
    passing_scenario = make_scenario(
        "is_shown",
        when_step(),
        then_step(2, "it works", claim(AssertionTarget.IS_ERROR, equals=False)),
    )
    folder = write_project(server(passing_scenario), tmp_path)
    own_test = folder / "tests" / "scenarios" / "test_own.py"
    own_test.write_text("def test_own() -> None:\n    assert not 'mine'\n", "utf-8")

    result = mcpgen("scenarios", str(folder))

    assert result.exit_code == 2
    assert "could not be performed" in result.output


def test_many_scenarios_of_one_name_are_told_apart(tmp_path: Path) -> None:
    scenario = "\n#### Scenario: \U0001f600\n- **WHEN** something is done\n- **THEN** it is nice\n"
    parts = [f"\n### Requirement: {n}\nThe server SHALL do {n}.\n{scenario * 2}" for n in "ab"]
    text = TEXT[: TEXT.index("### Requirement")] + "".join(parts)
    (tmp_path / "spec.md").write_text(text, "utf-8")
    (tmp_path / "mcp.yaml").write_text(COMPANION, "utf-8")

    result = mcpgen("scenarios", str(tmp_path / "spec.md"))

    assert result.exit_code == 0, result.output
    assert result.stdout.count('"a / \U0001f600":') == 2
