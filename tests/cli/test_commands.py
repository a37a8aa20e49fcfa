"""The commands: standard output, standard error and exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import mcpgen
from mcpgen import conformance
from mcpgen.cli.app import app
from mcpgen.diagnostics.codes import TABLE

SPEC = files("mcpgen.pipeline").joinpath("starter/openapi.yaml").read_text("utf-8")


@pytest.fixture(autouse=True)
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Current folder with a specification."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MCPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "openapi.yaml").write_text(SPEC)
    return tmp_path


def _run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def test_a_build_tells_what_was_validated_and_checked_and_what_to_run_next() -> None:
    result = _run("build", "openapi.yaml", "-o", "out")

    assert result.exit_code == 0
    assert result.stdout.startswith("out: built (3 tools, ")
    assert "  specification: validated in full" in result.stdout
    assert re.search(r"^  server: \d+ checks: \d+ passed", result.stdout, re.MULTILINE)
    assert " created\n" in result.stdout
    assert result.stdout.endswith("  next: cd out && python -m notes_mcp\n")


@pytest.mark.repeated("repeats a build with the trial of its server through another entrance")
def test_a_build_as_json_is_one_document() -> None:
    result = _run("build", "openapi.yaml", "-o", "out", "--format", "json")

    tree = json.loads(result.stdout)
    assert (tree["version"], tree["command"], tree["exit_code"]) == (1, "build", 0)
    assert tree["status"] == "built"
    assert {"operation": "GET /notes", "name": "list_notes"} in tree["tools"]
    assert {"action": "create", "path": "notes_mcp/server.py"} in tree["changes"]
    assert tree["report"]["failed"] is False


def test_a_finding_as_json_has_its_place(cwd: Path) -> None:
    (cwd / "openapi.yaml").write_text(
        SPEC.replace("{type: integer}", '{$ref: "#/components/schemas/Gone"}')
    )

    result = _run("build", "openapi.yaml", "-o", "out", "--format", "json")

    tree = json.loads(result.stdout)
    errors = [diagnostic for diagnostic in tree["diagnostics"] if diagnostic["severity"] == "error"]
    assert (result.exit_code, tree["exit_code"], tree["status"]) == (1, 1, "failed")
    assert errors[0]["file"] == "openapi.yaml"
    assert errors[0]["line"] > 1
    assert errors[0]["code"].startswith("MG2")


def test_the_specification_may_come_from_standard_input() -> None:
    result = _run("build", "-", "-o", "out", "--no-verify", stdin=SPEC)

    assert result.exit_code == 0


def test_check_of_a_build_prints_the_difference_and_fails(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    (cwd / "openapi.yaml").write_text(SPEC.replace("List notes", "List shared notes"))

    drift_result = _run("build", "-o", "out", "--check")
    _run("build", "-o", "out", "--no-verify")
    current = _run("build", "-o", "out", "--check")

    assert drift_result.exit_code == 1
    assert drift_result.stdout.startswith("--- a/")
    assert "  next: mcpgen build -o out\n" in drift_result.stdout
    assert current.exit_code == 0
    assert current.stdout.startswith("out: up to date")


def test_a_project_is_checked_by_its_folder() -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")

    text = _run("check", "out", "--report", "junit=junit.xml", "--report", "json=report.json")

    assert text.exit_code == 0
    assert text.stdout.startswith("out: the server passed (3 tools, ")
    assert ElementTree.parse("junit.xml").getroot().get("failures") == "0"
    assert not json.loads(Path("report.json").read_text())["report"]["failed"]


@pytest.mark.repeated("repeats a build with the trial of its server through another entrance")
def test_a_project_is_checked_for_what_was_chosen_and_reported_as_asked(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    choices = ("--profile", "universal", "--only", "universal-flat,trial-request-arrives")

    result = _run("check", "out", *choices, "--format", "json", "--report", "sarif=log.sarif")

    outcomes = json.loads(result.stdout)["report"]["outcomes"]
    assert result.exit_code == 0
    assert {outcome["id"] for outcome in outcomes} == {
        "trial-starts",
        "universal-flat",
        "vouched-call-succeeds",
        "trial-request-arrives",
    }
    assert json.loads((cwd / "log.sarif").read_text())["runs"][0]["results"] == []


@pytest.mark.repeated("repeats a build with the trial of its server through another entrance")
def test_a_project_may_live_with_known_findings(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    hooks = cwd / "out/notes_mcp/hooks.py"
    hooks.write_text(hooks.read_text() + "\nraise RuntimeError('not yet')\n")
    path = cwd / "known.json"
    path.write_text(
        '{"version": 1, "known": [{"check": "trial-starts", "revision": "", "tool": ""}]}'
    )

    failed_result = _run("check", "out")
    result = _run("check", "out", "--baseline", "known.json")

    assert (failed_result.exit_code, result.exit_code) == (1, 0)
    assert "MG701" in failed_result.stderr
    assert "MG701" not in result.stderr


def test_a_project_that_cannot_be_built_has_a_failed_report(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    (cwd / "openapi.yaml").write_text("")

    result = _run("check", "out", "--format", "junit")

    suite = ElementTree.fromstring(result.stdout)
    assert result.exit_code == 1
    assert suite.get("failures") == "1"


def test_a_project_whose_specification_is_broken_is_not_checked(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    (cwd / "openapi.yaml").write_text("")

    result = _run("check", "out")

    assert result.exit_code == 1
    assert result.stdout.startswith("out: nothing was checked")
    assert "openapi.yaml" in result.stderr


def test_a_url_where_nothing_answers_fails_the_check() -> None:
    text = _run("check", "http://127.0.0.1:9/mcp", "--timeout", "1")
    as_json = _run("check", "http://127.0.0.1:9/mcp", "--timeout", "1", "--format", "json")

    assert (text.exit_code, as_json.exit_code) == (1, 1)
    assert text.stdout.startswith("checked http://127.0.0.1:9/mcp")
    assert json.loads(as_json.stdout)["report"]["failed"] is True


@pytest.mark.repeated("tests/test_pipeline.py holds a new project")
def test_a_new_project_is_built_at_once(cwd: Path) -> None:
    result = _run("new", "my-notes")

    assert result.exit_code == 0
    assert result.stdout.startswith("my-notes: built (3 tools, ")
    assert (cwd / "my-notes/my_notes_mcp/server.py").exists()


@pytest.mark.repeated("repeats a build with the trial of its server through another entrance")
def test_a_new_project_may_begin_from_a_specification(cwd: Path) -> None:
    result = _run("new", "mine", "--from", "openapi.yaml", "--format", "json")

    tree = json.loads(result.stdout)
    assert (result.exit_code, tree["command"]) == (0, "new")
    assert tree["diagnostics"] == []
    assert (cwd / "mine/openapi.yaml").read_text() == SPEC


def facts_of(code: object) -> set[str]:
    """Returns the names of the facts in a finding's sentences."""
    text = code.message + code.hint  # type: ignore[attr-defined]
    return {field for _, field, *_ in Formatter().parse(text) if field}


@pytest.mark.parametrize("code", TABLE.values(), ids=lambda code: code.id)
def test_every_finding_is_explained_by_id_and_by_name(code: object) -> None:
    by_id, by_name = _run("explain", code.id), _run("explain", code.name)  # type: ignore[attr-defined]

    assert by_id.exit_code == by_name.exit_code == 0
    assert by_id.stdout == by_name.stdout
    assert by_id.stdout.startswith(code.id)  # type: ignore[attr-defined]
    assert len(by_id.stdout) > 120
    assert not any(f"{{{name}}}" in by_id.stdout for name in facts_of(code))
    assert "What to do: " in by_id.stdout


@pytest.mark.parametrize("check", conformance.TABLE)
def test_every_check_is_explained(check: str) -> None:
    result = _run("explain", check)

    assert result.exit_code == 0
    assert check in result.stdout


def test_list_has_every_finding_on_a_line_in_order_of_ids() -> None:
    result = _run("explain", "--list")

    rows = [line.split() for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert rows == [[id, TABLE[id].severity, TABLE[id].name] for id in sorted(TABLE)]


def test_list_for_programs_has_the_same_findings() -> None:
    result = _run("explain", "--list", "--format", "json")

    tree = json.loads(result.stdout)
    assert (result.exit_code, tree["version"], tree["command"]) == (0, 1, "explain")
    assert [list(code.values()) for code in tree["codes"]] == [
        [id, TABLE[id].severity, TABLE[id].name] for id in sorted(TABLE)
    ]


@pytest.mark.parametrize("arguments", [(), ("MG101", "--list")], ids=["neither", "both"])
def test_explain_takes_one_finding_or_the_list(arguments: tuple[str, ...]) -> None:
    result = _run("explain", *arguments)

    assert result.exit_code == 2
    assert "`mcpgen explain --list` alone lists every finding" in result.stderr


def test_an_unknown_code_is_answered_with_the_nearest() -> None:
    result = _run("explain", "unknown-kee")

    assert result.exit_code == 2
    assert "Did you mean unknown-key" in result.stderr


def test_an_ejected_file_survives_the_next_build(cwd: Path) -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")
    (cwd / "out/Dockerfile").write_text("FROM mine\n")

    eject_result = _run("eject", "out/Dockerfile")
    rebuild_result = _run("build", "-o", "out", "--no-verify")

    assert (eject_result.exit_code, rebuild_result.exit_code) == (0, 0)
    assert eject_result.stdout == "1 file of out now yours: Dockerfile\n"
    assert "MG507 ejected" in rebuild_result.stderr
    assert (cwd / "out/Dockerfile").read_text() == "FROM mine\n"


def test_a_file_that_is_not_mcpgens_cannot_be_ejected() -> None:
    _run("build", "openapi.yaml", "-o", "out", "--no-verify")

    result = _run("eject", "out/pyproject.toml")

    assert result.exit_code == 1
    assert "error MG509" in result.stderr


@pytest.mark.repeated("repeats a build with the trial of its server through another entrance")
def test_output_that_is_not_a_terminal_has_no_colors() -> None:
    result = _run("build", "openapi.yaml", "-o", "out")

    assert "\x1b" not in result.output


def test_the_version_is_that_of_the_distribution() -> None:
    result = _run("--version")

    assert (result.exit_code, result.stdout) == (0, f"mcpgen {version('mcpgen')}\n")


def test_help_says_where_to_start_and_cuts_no_sentence_about_a_command() -> None:
    result = _run("--help")

    assert "Start with: mcpgen build openapi.yaml -o weather" in result.stdout
    assert "..." not in result.stdout.partition("Commands:")[2]


@pytest.mark.parametrize("words", [["--help"], ["check", "--help"], ["build", "--help"]])
def test_help_loads_no_stage_and_no_large_library(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from mcpgen.cli.app import app\n"
        f"try:\n    app({words})\nexcept SystemExit:\n    pass\n"
        "ours = {name for name in sys.modules if name.startswith('mcpgen.')}\n"
        "stages = {n for n in ours if n.split('.')[1] not in ('cli', 'diagnostics')}\n"
        "large = {'pydantic', 'rich', 'yaml', 'jinja2', 'black'} & {*sys.modules}\n"
        "print(sorted(stages | large), file=sys.stderr)\n"
    )

    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert completed.stderr == "[]\n"


@pytest.mark.repeated("repeats a build with the trial of its server through another entrance")
def test_the_public_api_is_two_functions() -> None:
    assert mcpgen.__all__ == ["build", "check"]
    assert mcpgen.build("openapi.yaml", "out").status.good
    assert mcpgen.check("out").status.good
