"""A generated project stands alone: installed by the steps of its README, on a machine without
mcpgen."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest
from tests.programs import skip_or_fail

TIDES = Path(__file__).parents[2] / "generated" / "tides"


@pytest.fixture
def fresh_python(tmp_path: Path) -> Path:
    """Returns the interpreter of a virtual environment with only pip."""
    venv.create(tmp_path / "environment", with_pip=True)
    return tmp_path / "environment" / "bin" / "python"


@pytest.mark.thorough("tests/emit/test_locks.py shows offline that the lock files are complete")
def test_it_installs_with_hashes_alone_and_its_tests_pass(
    fresh_python: Path, tmp_path: Path
) -> None:
    project = tmp_path / "tides"
    shutil.copytree(TIDES, project, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
    index: list[str | Path] = [fresh_python, *pip, "index", "versions", "pip"]
    if subprocess.run(index, env=environment, capture_output=True).returncode:
        skip_or_fail("needs a package index, and none answers")

    for arguments in (
        (*pip, "install", "--require-hashes", "-r", "requirements-dev.lock"),
        (*pip, "install", "--no-index", "--no-deps", "--no-build-isolation", "."),
        (*pip, "check"),
        ("-m", "pytest"),
        ("-c", "import sys, tides_mcp.server; sys.exit('mcpgen' in sys.modules)"),
    ):
        completed = subprocess.run(
            [fresh_python, *arguments], cwd=project, env=environment, capture_output=True, text=True
        )
        assert completed.returncode == 0, completed.stdout + completed.stderr
