"""`mcpgen schema`: valid schemas, current copies in docs/schemas/, and results that match."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.programs import TAPLO, find_program
from tests.update_schemas import FOLDER, schema_files
from typer.testing import CliRunner

from mcpgen.cli.app import app
from mcpgen.cli.build_output import outcome_as_json
from mcpgen.cli.schema import SchemaName, schema_of
from mcpgen.config import SCHEMA, SCHEMA_LINE, render_config
from mcpgen.diagnostics import Diagnostic, Location, Severity
from mcpgen.diagnostics.codes import config as codes
from mcpgen.emit.required_variables import RequiredVariable
from mcpgen.ir.api import MissingTool
from mcpgen.pipeline import BuildResult, BuildStatus
from mcpgen.write.lock import Lock
from mcpgen.write.plan import FileAction, FileChange

ROOT = Path(__file__).parents[2]


def close_schema(schema: Any) -> Any:
    """The schema without leave for members that are not described."""
    if isinstance(schema, list):
        return [close_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: close_schema(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict):
        inner.setdefault("additionalProperties", False)
    return inner


def problems(name: SchemaName, value: Any) -> list[str]:
    """The differences between a value and the closed schema."""
    validator = jsonschema_rs.Draft202012Validator(close_schema(schema_of(name)))
    return [error.message for error in validator.iter_errors(value)]


@pytest.mark.parametrize("name", SchemaName)
def test_the_command_prints_a_valid_schema(name: SchemaName) -> None:
    result = CliRunner().invoke(app, ["schema", name.value])

    jsonschema_rs.meta.validate(json.loads(result.stdout))
    assert result.exit_code == 0


def test_the_copies_in_the_documentation_are_current() -> None:
    copies = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")}

    assert copies == schema_files(), "run `make schemas`"


def test_a_build_matches_its_schema() -> None:
    location = Location("mcpgen.toml", ("a",))
    diagnostic = Diagnostic(codes.UNKNOWN_KEY, location, "message", "hint", Severity.ERROR)
    outcome = BuildResult(
        BuildStatus.DRIFTED,
        "out",
        "out_mcp",
        (FileChange(FileAction.CREATE, "server.json"),),
        "diff",
        tools={"GET /pets": "list_pets"},
        missing=(MissingTool("GET /bad", "because", location),),
        required=(RequiredVariable("PETS_KEY", "key"),),
        seconds={"read": 0.1},
        diagnostics=(diagnostic,),
    )

    tree = outcome_as_json(outcome, "build", 1)

    assert problems(SchemaName.BUILD, tree) == []
    assert problems(SchemaName.BUILD, tree | {"status": "odd"})


def test_lint_and_errors_match_their_schemas() -> None:
    spec = str(ROOT / "specs" / "openapi" / "tides.yaml")

    lint_result = CliRunner().invoke(app, ["lint", spec, "--format", "json"])
    error_result = CliRunner().invoke(
        app, ["lint", spec, "--openapi", "absent", "--format", "json"]
    )

    assert problems(SchemaName.LINT, json.loads(lint_result.stdout)) == []
    assert problems(SchemaName.LINT, json.loads(error_result.stdout)) == []


def test_locks_match_their_schema() -> None:
    locks = [json.loads(path.read_text("utf-8")) for path in ROOT.glob("generated/*/mcpgen.lock")]

    assert len(locks) > 5
    assert [problem for lock in locks for problem in problems(SchemaName.LOCK, lock)] == []
    assert problems(SchemaName.LOCK, json.loads(Lock().text)) == []


def test_taplo_finds_the_schema_that_a_configuration_names(tmp_path: Path) -> None:
    taplo = find_program(TAPLO)
    (tmp_path / SCHEMA).write_text(json.dumps(schema_of(SchemaName.CONFIG)))
    texts = {"right": render_config({"spec": "a.yaml"}), "wrong": f"{SCHEMA_LINE}\nspec = 1\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text)

    processes = {
        name: subprocess.run(
            [taplo, "check", f"{name}.toml"], cwd=tmp_path, capture_output=True, text=True
        )
        for name in texts
    }

    assert processes["right"].returncode == 0, processes["right"].stderr
    assert '1 is not of type "string"' in processes["wrong"].stderr


@pytest.mark.parametrize(
    ("line", "expected"), [("mcpgen buil", "build"), ("mcpgen schema mcp.", "mcp.yaml")]
)
def test_the_shell_completes_commands_and_values(line: str, expected: str) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}

    result = CliRunner().invoke(
        app, [], prog_name="mcpgen", env={"_MCPGEN_COMPLETE": "complete_bash", **words}
    )

    assert result.stdout.split() == [expected]


def test_the_command_without_arguments_prints_the_help() -> None:
    result = CliRunner().invoke(app, [])

    assert "Start with: mcpgen build" in result.output
