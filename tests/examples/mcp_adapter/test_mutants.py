"""Only the matching scenario of the read adapter fails for each fault."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.examples.mcp_adapter.mutants import MUTANTS, Mutant
from tests.examples.mcp_adapter.mutants_of_sentences import SENTENCES
from tests.examples.mcp_adapter.mutants_of_text import OF_TEXT
from tests.examples.project_process import GENERATED
from tests.forkserver import own_tests
from tests.thorough import keep

PROJECT = GENERATED / "mcp_adapter"
SECONDS = 120


def run_scenarios(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The finished scenario run of a project, or of one test."""
    lean = {"PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = ("-p", "no:cacheprovider", "-p", "anyio.pytest_plugin")
    return own_tests(project, *plugins, "tests/scenarios", *options, more=lean, seconds=SECONDS)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project with a shorter time limit for servers that must not start."""
    ignored_files = shutil.ignore_patterns("__pycache__", ".*_cache")
    project_copy = Path(shutil.copytree(PROJECT, tmp_path / PROJECT.name, ignore=ignored_files))
    scene = project_copy / "tests" / "scenario_engine" / "scenario.py"
    patient, hasty = "\nCOMMAND_SECONDS = 60\n", "\nCOMMAND_SECONDS = 15\n"
    assert patient in scene.read_text("utf-8")
    scene.write_text(scene.read_text("utf-8").replace(patient, hasty), "utf-8")
    return project_copy


def test_all_twenty_scenarios_pass_and_none_is_pending() -> None:
    completed = run_scenarios(PROJECT)

    assert completed.returncode == 0, completed.stdout
    assert "20 passed" in completed.stdout
    assert not {"skipped", "xfailed"} & set(completed.stdout.replace(",", " ").split())


SOME = {mutant.name for mutant in MUTANTS[::12]}


@pytest.mark.parametrize(
    "mutant", keep((*MUTANTS, *SENTENCES, *OF_TEXT), SOME, "repeats the proof with other mutants")
)
def test_a_mutant_is_caught_by_its_scenario(mutant: Mutant, copy: Path) -> None:
    for edit in mutant.edits:
        edit.apply(copy)

    completed = run_scenarios(copy, "-k", mutant.caught_by)

    assert completed.returncode == 1, completed.stdout + completed.stderr
    assert "1 failed" in completed.stdout
    assert "AssertionError" in completed.stdout, completed.stdout
    assert "internal error" not in completed.stdout, completed.stdout
