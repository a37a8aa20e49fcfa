"""Runs the scenarios of a project with the project's own tests, in a subprocess."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from mcpgen.ir.source import Json

SECONDS = 900
"""Seconds for all scenarios together."""

ENGINE = "tests/scenario_engine"
"""The folder with the scenario engine, in projects built from requirements."""

_LAST = 20
"""Lines of pytest's output kept for messages."""


class ProjectTestsFailed(Exception):
    """The scenarios could not be performed; the message says why."""


def run_project_scenarios(folder: Path, environment: Mapping[str, str] | None = None) -> list[Json]:
    """The result of each scenario, as reported by the project's engine. `environment` overrides the
    variables of pytest. Raises `ProjectTestsFailed`, and OSError for an interpreter that cannot be
    started."""
    with TemporaryDirectory() as place:
        path = Path(place) / "matrix.json"
        command = [interpreter(folder), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                [*command, "tests/scenarios", f"--matrix={path}"],
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
                check=False,
                env={
                    **os.environ,
                    "PYTEST_ADDOPTS": "",
                    "PYTHONDONTWRITEBYTECODE": "1",
                    **(environment or {}),
                },
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired as error:
            raise ProjectTestsFailed(f"they took longer than {SECONDS} s") from error
        found = json.loads(path.read_text("utf-8"))["scenarios"] if path.is_file() else []
    # pytest exits with 0 or 1 after running tests; without rows, no scenario was run. A failed test
    # that is no scenario fails the run too.
    strange = done.returncode == 1 and not any(row["status"] == "failed" for row in found)
    if done.returncode not in (0, 1) or not found or strange:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise ProjectTestsFailed(
            "\n".join(lines[-_LAST:]) or f"pytest ended with {done.returncode}"
        )
    rows: list[Json] = found
    return rows


def interpreter(folder: Path) -> str:
    """The Python of a project's own environment, or else the running interpreter."""
    for inside in ("bin/python", "Scripts/python.exe"):
        own = folder / ".venv" / inside
        if own.is_file():
            return str(own.absolute())
    return sys.executable
