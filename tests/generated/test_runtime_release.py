"""A fix of the runtime reaches a project: as a newer wheel in an environment without mcpgen, or by a
build that copies the newer runtime."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.generated.run_module import run
from tests.official.page import SCORED
from tests.programs import skip_or_fail
from tests.update_sizes import build
from tests.venvs import official_suite

from mcpgen.conformance.official import install_suite
from mcpgen.conformance.official.runner import run as run_official_suite
from mcpgen.conformance.targets.command import free_port
from mcpgen.emit import runtime

ROOT = Path(__file__).parents[2]
GENERATED = ROOT / "generated"

BEFORE, AFTER = "required, but missing", "required, and missing"
"""The text of a problem in the runtime of this checkout, and in the fixed runtime."""

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "get_tides", "arguments": {}},
}


@pytest.fixture
def fixed_runtime(tmp_path: Path) -> Path:
    """Returns the folder of a runtime with a later version and a changed text."""
    folder = tmp_path / "runtime"
    shutil.copytree(ROOT / "runtime", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path, old, new in (
        ("pyproject.toml", 'version = "0.3.0"', 'version = "0.3.1"'),
        ("mcpgen_runtime/validation/validate.py", BEFORE, AFTER),
    ):
        text = (folder / path).read_text("utf-8")
        assert old in text
        (folder / path).write_text(text.replace(old, new), "utf-8")
    return folder


@pytest.fixture
def use_fixed_runtime(fixed_runtime: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets mcpgen of this process copy and pack the fixed runtime, as a later mcpgen would."""
    cached_functions = (runtime.runtime_files, runtime.runtime_version, runtime._distribution)
    for function in cached_functions:
        function.cache_clear()
    monkeypatch.setattr(runtime, "runtime_folder", lambda: fixed_runtime)
    # A later mcpgen has other files, so that a build compares the project instead of skipping it.
    monkeypatch.setattr("mcpgen.write.generator_hash", lambda: "later")
    yield
    for function in cached_functions:
        function.cache_clear()


@contextmanager
def start_server(python: Path, package: str, folder: Path) -> Iterator[str]:
    """Yields the endpoint of a project's server, started by an interpreter outside of the project."""
    port = free_port()
    command = [str(python), "-m", package, "--port", str(port)]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        end = time.monotonic() + 60
        while not is_ready(port):
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < end, "the server is not ready after 60 s"
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.communicate()


def is_ready(port: int) -> bool:
    """True if the server at the port answers its probe."""
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/readyz", timeout=60).status_code == 200
    except httpx2.TransportError:
        return False


def problem(url: str) -> str:
    """Returns the text of the answer to a call without arguments."""
    answer: dict[str, Any] = httpx2.post(url, json=CALL, timeout=60).json()
    return str(answer["result"]["content"][0]["text"])


@pytest.mark.thorough(
    "tests/generated/test_package_mode.py runs the project with the runtime of the checkout"
)
def test_a_fix_reaches_a_project_of_the_package_by_an_upgrade(
    fixed_runtime: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "environment", with_pip=True)
    python = tmp_path / "environment" / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}

    def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(python), "-m", "pip", "--disable-pip-version-check", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    if pip("index", "versions", "pip").returncode:
        skip_or_fail("needs a package index, and none answers")
    for source, wheels in ((ROOT / "runtime", "first"), (fixed_runtime, "second")):
        completed = run(
            "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / wheels), folder=source
        )
        assert completed.returncode == 0, completed.stderr
    projects = {}
    for name in ("tides", "touchstone"):
        projects[name] = tmp_path / name
        projects[name].mkdir()
        build(GENERATED / name, "package", projects[name])

    folders = [str(folder) for folder in projects.values()]
    install_run = pip("install", "-q", "--find-links", str(tmp_path / "first"), *folders)
    assert install_run.returncode == 0, install_run.stderr
    with start_server(python, "tides_mcp", tmp_path) as url:
        check_run = run("mcpgen", "check", url, folder=tmp_path)
        before = problem(url)
    with start_server(python, "touchstone_mcp", tmp_path) as url:
        revision = max(SCORED)
        official = run_official_suite(install_suite(official_suite()), url, revision, 120)
    upgrade_run = pip(
        "install", "-q", "-U", "--find-links", str(tmp_path / "second"), "mcpgen-runtime"
    )
    assert upgrade_run.returncode == 0, upgrade_run.stderr
    with start_server(python, "tides_mcp", tmp_path) as url:
        after = problem(url)

    assert check_run.returncode == 0, check_run.stdout + check_run.stderr
    statuses = {check["status"] for checks in official.results.values() for check in checks}
    assert official.problem == ""
    assert len(official.results) == SCORED[revision]
    assert statuses <= {"SUCCESS", "INFO", "SKIPPED"}
    assert BEFORE in before
    assert AFTER in after
    assert pip("show", "mcpgen").returncode != 0


def test_a_fix_reaches_a_project_with_a_copy_by_a_build(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    project = tmp_path / "tides"
    project.mkdir()
    build(GENERATED / "tides", "vendored", project)
    copied_file = project / "tides_mcp" / "_runtime" / "validation" / "validate.py"
    before, files = copied_file.read_text("utf-8"), contents(project)

    request.getfixturevalue("use_fixed_runtime")
    completed = run("mcpgen", "build", "-o", ".", "--no-verify", folder=project)

    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert copied_file.read_text("utf-8") == before.replace(BEFORE, AFTER)
    changed_paths = {path for path, text in contents(project).items() if text != files[path]}
    assert changed_paths == {"tides_mcp/_runtime/validation/validate.py", "mcpgen.lock"}
    assert '"runtime": "0.3.1"' in (project / "mcpgen.lock").read_text("utf-8")


def contents(folder: Path) -> dict[str, str]:
    """Returns the text of every file below the folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
