"""Runs the scenario tests of a project in a subprocess and collects all statuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from mcpgen.conformance.strict_json import Json
from mcpgen.openspec.report.matrix import ScenarioMatrix, matrix_of

SECONDS = 900
"""Time limit for all scenarios of a project."""

ENGINE = "tests/scenario_engine"
"""A folder that only projects built from requirements have."""

_LAST = 20
"""Lines of pytest's output in an error message."""


class ProjectTestsFailed(Exception):
    """The scenario tests could not run; the message is the reason."""


def run_scenarios(
    folder: str,
    phase: Callable[[str], AbstractContextManager[None]],
    environment: Mapping[str, str],
) -> ScenarioMatrix | None:
    """Run the scenarios of a project, timed as the phase `scenarios`.

    `environment` overrides variables of the process. Returns a matrix with a `failure` if pytest
    could not run, None for a project without requirements.
    """
    if not (Path(folder) / ENGINE).is_dir():
        return None
    try:
        with phase("scenarios"):
            return matrix_of(folder, run_project_tests(Path(folder), environment))
    except ProjectTestsFailed as error:
        return ScenarioMatrix(
            folder, (), f"the scenarios of {folder} could not be performed: {error}"
        )


def run_project_tests(folder: Path, environment: Mapping[str, str]) -> list[dict[str, Json]]:
    """The rows of the matrix that the project's scenario engine writes.

    Raises ProjectTestsFailed, and OSError for an interpreter that cannot be started.
    """
    with TemporaryDirectory() as place:
        path = Path(place) / "matrix.json"
        command = [_interpreter(folder), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        try:
            process = subprocess.run(
                [*command, "tests/scenarios", f"--matrix={path}"],
                cwd=folder,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=SECONDS,
                check=False,
                env={
                    **os.environ,
                    "PYTEST_ADDOPTS": "",
                    "PYTHONDONTWRITEBYTECODE": "1",
                    **environment,
                },
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired as error:
            raise ProjectTestsFailed(f"they took longer than {SECONDS} s") from error
        text = path.read_text("utf-8") if path.is_file() else '{"scenarios": []}'
    rows: list[dict[str, Json]] = json.loads(text)["scenarios"]
    # pytest exits with 0 or 1 if tests ran. Exit code 1 without a failed row is a failure outside
    # of the scenarios, for example of a fixture, and must not read as success.
    failed_elsewhere = process.returncode == 1 and not any(
        row["status"] == "failed" for row in rows
    )
    if process.returncode not in (0, 1) or not rows or failed_elsewhere:
        lines = (process.stdout + process.stderr).strip().splitlines()
        raise ProjectTestsFailed(
            "\n".join(lines[-_LAST:]) or f"pytest ended with {process.returncode}"
        )
    return rows


def _interpreter(folder: Path) -> str:
    """Returns the Python of the project's `.venv`, otherwise the running Python."""
    for name in ("bin/python", "Scripts/python.exe"):
        own = folder / ".venv" / name
        if own.is_file():
            return str(own.absolute())
    return sys.executable
