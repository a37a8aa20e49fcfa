"""The scenarios of a project, performed by its own tests in a process of their own."""

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
"""How long all scenarios may take."""

ENGINE = "tests/scenario_engine"
"""The folder of a project that is made of requirements."""

_LAST = 20
"""Lines that are told of what pytest printed."""


class ProjectTestsFailed(Exception):
    """The scenarios could not be performed; the message says why."""


def run_project_scenarios(folder: Path, environment: Mapping[str, str] | None = None) -> list[Json]:
    """What became of each scenario, as the project's engine tells it. `environment` is laid over
    that of pytest. Raises `ProjectTestsFailed`, and OSError for an interpreter that cannot be started.
    """
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
    # 0 and 1 are pytest's codes for tests that were run; without a row they were not.
    # One that failed and is no scenario fails the run too, and must not be lost.
    strange = done.returncode == 1 and not any(row["status"] == "failed" for row in found)
    if done.returncode not in (0, 1) or not found or strange:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise ProjectTestsFailed(
            "\n".join(lines[-_LAST:]) or f"pytest ended with {done.returncode}"
        )
    rows: list[Json] = found
    return rows


def interpreter(folder: Path) -> str:
    """The Python of a project's own environment, or else the one that runs this."""
    for inside in ("bin/python", "Scripts/python.exe"):
        own = folder / ".venv" / inside
        if own.is_file():
            return str(own.absolute())
    return sys.executable
