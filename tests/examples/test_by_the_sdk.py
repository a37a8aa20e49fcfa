"""The tests of the examples pass if the SDK answers every request."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.examples.project_process import FAST_PATH

ROOT = Path(__file__).parents[2]


EXAMPLES = ("launchpad", "pressroom", "reading_room")


@pytest.mark.thorough(
    "repeats the examples' tests; `test_fast_path` compares both ways of answering"
)
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_tests_of_an_example_pass_without_the_fast_path(example: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", f"tests/examples/{example}"]
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }

    run = subprocess.run(
        command,
        cwd=ROOT,
        env={**variables, FAST_PATH: "false"},
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert run.returncode == 0, run.stdout + run.stderr
