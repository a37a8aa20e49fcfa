"""The GitHub action, the GitLab template and the pre-commit hook for checks of MCP servers, and the
workflows of this repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.programs import ZIZMOR, find_program
from typer.main import get_command

from mcpgen.cli.app import app

ROOT = Path(__file__).parent.parent
WORKFLOWS = tuple(
    path.relative_to(ROOT).as_posix() for path in sorted((ROOT / ".github/workflows").iterdir())
)
FILES = ("action.yml", "ci/gitlab.yml", ".pre-commit-hooks.yaml")
STUB = """#!{python}
import json, pathlib, sys
pathlib.Path("words.json").write_text(json.dumps(sys.argv[1:]))
for word in sys.argv:
    path = word.partition("=")[2] or word
    if path.endswith((".sarif", ".md")):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_text("a report\\n")
sys.exit(1)
"""


def options_of(*names: str) -> set[str]:
    """The long options of commands of `mcpgen`."""
    group = get_command(app)
    commands = [group.commands[name] for name in names]  # type: ignore[attr-defined]
    return {name for command in commands for param in command.params for name in param.opts}


def run_script(folder: Path, **inputs: str) -> tuple[list[str], int]:
    """The words that `ci/check.sh` gives to a stub of mcpgen, and the exit code."""
    programs = folder / "runner" / "mcpgen-check" / "bin"
    programs.mkdir(parents=True)
    (programs / "mcpgen").write_text(STUB.format(python=sys.executable))
    (programs / "mcpgen").chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    environment = {
        "PATH": os.environ["PATH"],
        "ACTION": str(ROOT),
        "RUNNER_TEMP": str(folder / "runner"),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        **inputs,
    }
    completed = subprocess.run(["bash", ROOT / "ci" / "check.sh"], cwd=folder, env=environment)
    return json.loads((folder / "words.json").read_text()), completed.returncode


@pytest.mark.parametrize("name", FILES)
def test_every_option_in_a_file_for_ci_systems_exists(name: str) -> None:
    text = "\n".join((ROOT / path).read_text("utf-8") for path in (name, "ci/check.sh"))
    text = re.sub(r"(?m)^#.*", "", text)
    used = set(re.findall(r"(?<=\s)--[a-z][a-z-]+", text))

    commands = ("check", "build") if "mcpgen build" in text else ("check",)
    assert used - {"--quiet", "--disable-pip-version-check"} <= options_of(*commands)


@pytest.mark.parametrize("name", [*FILES, *WORKFLOWS])
def test_file_for_ci_systems_is_valid_yaml(name: str) -> None:
    assert yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_inputs_of_the_action_reach_the_script_as_variables_only() -> None:
    action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    check = action["runs"]["steps"][-1]
    passed_inputs = {value for value in check["env"].values() if "inputs." in value}

    assert "${{" not in check["run"]
    assert passed_inputs | {"${{ inputs.python-version }}"} == {
        f"${{{{ inputs.{name} }}}}" for name in action["inputs"]
    }


def test_zizmor_finds_nothing_in_the_action_and_the_workflows() -> None:
    command = [find_program(ZIZMOR), "--offline", "--no-config", "action.yml", *WORKFLOWS]

    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert completed.returncode == 0, completed.stdout + completed.stderr


def test_workflows_are_valid_by_the_schema_of_workflows() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]

    completed = subprocess.run(
        [*command, "vendor.github-workflows", *WORKFLOWS], cwd=ROOT, capture_output=True, text=True
    )

    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflow_pins_actions_by_commit_and_says_that_it_was_never_run(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    actions = re.findall(r"uses: (?!\./)(.+)", text)

    assert actions
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in actions)
    assert "has never been run" in " ".join(text.partition("\nname:")[0].replace("#", "").split())


def test_every_version_of_python_that_the_distributions_name_is_tested() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))
    tested_versions = workflow["jobs"]["linux"]["strategy"]["matrix"]["python"]

    for folder in (ROOT, ROOT / "runtime"):
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        prefix = "Programming Language :: Python :: 3."
        names = [
            f"3.{name.removeprefix(prefix)}" for name in project["classifiers"] if prefix in name
        ]
        assert names
        assert set(names) <= set(tested_versions)


def test_script_passes_words_without_expansion_and_keeps_the_exit_code(tmp_path: Path) -> None:
    words, code = run_script(
        tmp_path,
        TARGET="http://127.0.0.1:1/mcp",
        RUN="python -m server --port {port}; touch run",
        OPTIONS="--only 'a b' --timeout $(touch expanded) *",
        SARIF_ARTIFACT="src/server.py",
    )

    assert code == 1
    assert words[:4] == ["check", "http://127.0.0.1:1/mcp", "--run", words[3]]
    assert words[3] == "python -m server --port {port}; touch run"
    assert words[words.index("--only") + 1] == "a b"
    assert words[words.index("--timeout") + 1 :][:3] == ["$(touch", "expanded)", "*"]
    assert not (tmp_path / "expanded").exists()
    assert not (tmp_path / "run").exists()


def test_script_names_the_reports_and_writes_the_summary(tmp_path: Path) -> None:
    words, _ = run_script(tmp_path, TARGET="tools.json", FOLDER="out")

    assert words[:2] == ["check", "tools.json"]
    assert "sarif=out/mcp.sarif" in words
    assert (tmp_path / "output").read_text() == (
        "sarif=out/mcp.sarif\nreport=out/mcp.json\nbadge=out/mcp.svg\n"
    )
    assert (tmp_path / "summary").read_text() == "a report\n"
