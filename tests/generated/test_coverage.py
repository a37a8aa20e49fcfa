"""The tests of a project run almost every line of the project outside of the runtime."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.update_sizes import build

GENERATED = Path(__file__).parents[2] / "generated"
MIN_PERCENT = 95
"""The least coverage in per cent of lines."""


thorough = pytest.mark.thorough(
    "tests/generated/test_projects.py runs the same tests without measuring them"
)


def measure(folder: Path, package: str, data: Path) -> None:
    """Runs the tests of the project in the folder; fails below the least coverage."""
    inherited_variables = {
        key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")
    }
    environment = inherited_variables | {"COVERAGE_FILE": str(data), "PYTHONDONTWRITEBYTECODE": "1"}
    coverage = (sys.executable, "-m", "coverage")
    source_options = (f"--source={package}", "--omit=*/_runtime/*")
    measure_command = (
        *coverage,
        "run",
        *source_options,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
    )

    completeds = [
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        for command in (measure_command, (*coverage, "report", f"--fail-under={MIN_PERCENT}"))
    ]

    assert [completed.returncode for completed in completeds] == [0, 0], (
        completeds[0].stdout + completeds[1].stdout
    )


@thorough
@pytest.mark.parametrize(
    ("name", "mode", "package"),
    [("tides", "vendored", "tides_mcp"), ("pressroom", "package", "pressroom_mcp")],
)
def test_own_tests_cover_the_code_of_a_project(
    name: str, mode: str, package: str, tmp_path: Path
) -> None:
    build(GENERATED / name, mode, tmp_path)

    measure(tmp_path, package, tmp_path / ".coverage")


@thorough
@pytest.mark.parametrize(
    ("name", "package"), [("mcp_adapter", "mcp_adapter"), ("reading-room", "reading_room_mcp")]
)
def test_own_tests_cover_the_modules_and_hooks_of_users(
    name: str, package: str, tmp_path: Path
) -> None:
    measure(GENERATED / name, package, tmp_path / ".coverage")
