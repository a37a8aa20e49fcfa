"""Copies of the runtime: each feature alone is complete, and no module of a copy can be left out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.generated.run_module import run
from tests.thorough import keep

from mcpgen.emit.runtime import copied_files
from mcpgen.emit.runtime_features import CORE, FEATURES

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"
SCRIPT = Path(__file__).with_name("feature_copies.py")
MODULES = sorted(copied_files({*CORE, "testing"}))
MAX_LINES, MAX_MODULES = 6_396, 30
"""The size of a copy, with the pytest plugin."""

MAX_PACKAGE_LINES, MAX_PACKAGE_FILES = 900, 30
"""The size of a project that depends on the runtime, with its tests, README and lock."""


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The error of a server with each feature alone, `""` for a server that answers."""
    folder = tmp_path_factory.mktemp("copies")
    packages = {"hooks": "core", **{name: f"with_{name.replace('.', '_')}" for name in FEATURES}}
    for name, package in packages.items():
        for path, text in copied_files([name]).items():
            (folder / package / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / package / path).write_text(text, encoding="utf-8")
    (folder / "features.json").write_text(json.dumps(packages), encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(folder)]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert completed.returncode == 0, completed.stderr
    result: dict[str, str] = json.loads(completed.stdout.splitlines()[-1])
    return result


@pytest.mark.repeated("the tests of each feature start a server with the feature")
@pytest.mark.parametrize("name", ["hooks", *sorted(FEATURES)])
def test_a_server_with_one_feature_starts_and_answers(name: str, errors: Mapping[str, str]) -> None:
    assert errors[name] == ""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of a plain JSON API with one key, with a copy of the runtime."""
    folder = tmp_path_factory.mktemp("tides")
    shutil.copy(SPEC, folder)
    completed = run("mcpgen", "build", "tides.yaml", "-o", ".", "--no-verify", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder


def test_a_plain_json_api_with_one_key_has_a_small_copy(project: Path) -> None:
    copied = [*(project / "tides_mcp" / "_runtime").rglob("*.py")]

    lines = sum(len(path.read_text("utf-8").splitlines()) for path in copied)
    modules = {path.relative_to(project / "tides_mcp" / "_runtime").as_posix() for path in copied}
    assert modules == set(MODULES)
    assert len(modules) <= MAX_MODULES
    assert lines <= MAX_LINES


def test_a_plain_json_api_that_depends_on_the_runtime_is_small(tmp_path: Path) -> None:
    shutil.copy(SPEC, tmp_path)
    (tmp_path / "mcpgen.toml").write_text('spec = "tides.yaml"\nruntime = "package"\n', "utf-8")

    completed = run("mcpgen", "build", "tides.yaml", "-o", ".", "--no-verify", folder=tmp_path)

    assert completed.returncode == 0, completed.stdout + completed.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != SPEC.name]
    assert len(files) <= MAX_PACKAGE_FILES
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MAX_PACKAGE_LINES


@pytest.mark.repeated("tests/emit holds the table of modules")
@pytest.mark.parametrize(
    "module",
    keep(
        MODULES,
        {"observability/logs.py", "server/workers.py", "upstream/operation.py"},
        "repeats the proof for every module of the copy",
    ),
)
def test_the_projects_tests_fail_without_a_module_of_the_copy(module: str, project: Path) -> None:
    path = project / "tides_mcp" / "_runtime" / module
    text = path.read_text("utf-8")
    path.unlink()
    try:
        completed = run("pytest", "-q", "-x", "-p", "no:cacheprovider", folder=project)
    finally:
        path.write_text(text, encoding="utf-8")

    assert completed.returncode != 0, completed.stdout
