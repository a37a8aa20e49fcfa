"""The projects in generated/ are sound Python projects, and identical on every machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.black_check import BLACK
from tests.forkserver import own_tests
from tests.thorough import keep

ROOT = Path(__file__).parent.parent.parent
PROJECTS = sorted(path.parent for path in (ROOT / "generated").glob("*/mcpgen.lock"))
SPECS = {
    path.parent.name if path.stem == "openapi" else path.stem: path
    for pattern in ("*.yaml", "*/openapi.yaml")
    for path in sorted((ROOT / "specs" / "openapi").glob(pattern))
} | {
    path.parent.name.replace("-", "_"): path
    for path in sorted((ROOT / "specs" / "openspec").glob("*/spec.md"))
}

OF_PYTHON = shutil.ignore_patterns("__pycache__", ".*_cache", ".venv")
"""Files that Python and its tools leave in a folder."""

SOME = {"tides", "touchstone", "launchpad"}
"""Projects of an API alone, of requirements alone, and of scripts, questions and a policy."""


def run(*command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in the folder as a user does, without the environment variables of this test
    session."""
    inherited_variables = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV"))
    }
    return subprocess.run(
        command,
        cwd=folder,
        env=inherited_variables | {"PYTHONDONTWRITEBYTECODE": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def tree(folder: Path) -> dict[str, bytes]:
    """Returns the content of every file below the folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_document_has_its_project() -> None:
    documents = set(SPECS)

    projects = {project.name for project in PROJECTS}

    assert projects == documents


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_its_own_tests_pass(project: Path) -> None:
    completed = own_tests(project, "-p", "no:cacheprovider", more={"PYTHONDONTWRITEBYTECODE": "1"})

    assert completed.returncode == 0, completed.stdout


# In one process, since the first run of mypy in each process takes 15 seconds.
@pytest.mark.xdist_group("mypy")
@pytest.mark.parametrize(
    "project",
    keep(PROJECTS, SOME, "repeats the proof on more projects; every template is in the others"),
)
def test_it_is_clean_under_strict_typing(project: Path, tmp_path: Path) -> None:
    # The projects share mypy's cache. mypy mistakes a file for a cached file of equal name, size and
    # modification second, and a checkout writes all files in one second.
    project_copy = shutil.copytree(
        project, tmp_path / project.name, copy_function=shutil.copyfile, ignore=OF_PYTHON
    )
    command = (sys.executable, "-m", "mypy", "--strict", ".")

    completed = run(*command, folder=project_copy)

    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.mark.parametrize(
    "project", keep(PROJECTS, SOME, "`make lint` looks at the format of every project, too")
)
def test_it_is_formatted_and_linted(project: Path) -> None:
    black = (sys.executable, "-m", *BLACK)
    ruff = (sys.executable, "-m", "ruff", "check", "--no-cache", ".")

    runs = (run(*black, folder=project), run(*ruff, folder=project))

    assert [completed.returncode for completed in runs] == [0, 0], runs


@pytest.mark.repeated(
    "tests/emit/test_emit.py shows the same of a project with every kind of argument"
)
@pytest.mark.parametrize(
    "name", keep(SPECS, {"launchpad"}, "repeats the proof on more documents of the same kinds")
)
def test_two_hash_seeds_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    command = (sys.executable, "-m", "mcpgen", "build", str(SPECS[name]), "--no-verify", "-o")

    for seed in ("1", "4711"):
        completed = run(*command, seed, folder=tmp_path, PYTHONHASHSEED=seed)
        assert completed.returncode == 0, completed.stdout + completed.stderr

    assert tree(tmp_path / "1") == tree(tmp_path / "4711")
    assert tree(tmp_path / "1")
