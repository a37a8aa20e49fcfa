"""A generated project stands alone: installed as its README says, on a machine without mcpgen."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest

TIDES = Path(__file__).parents[2] / "generated" / "tides"


@pytest.fixture
def fresh_python(tmp_path: Path) -> Path:
    """The interpreter of an environment with nothing in it but pip."""
    venv.create(tmp_path / "environment", with_pip=True)
    return tmp_path / "environment" / "bin" / "python"


@pytest.mark.thorough("the tests of the project pass here, too, among more packages than its own")
def test_its_tests_pass_where_only_its_own_dependencies_are(
    fresh_python: Path, tmp_path: Path
) -> None:
    project = tmp_path / "tides"
    shutil.copytree(TIDES, project, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")

    for arguments in (
        (*pip, "--constraint", "constraints.txt", ".[dev]"),
        ("-m", "pytest"),
        ("-c", "import sys, tides_mcp.server; sys.exit('mcpgen' in sys.modules)"),
    ):
        finished = subprocess.run(
            [fresh_python, *arguments], cwd=project, env=environment, capture_output=True, text=True
        )
        assert finished.returncode == 0, finished.stdout + finished.stderr
