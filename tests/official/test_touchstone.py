"""The official suite passes against the generated project `touchstone`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.official.page import REQUIRED, SCORED
from tests.thorough import keep
from tests.venvs import node, official_suite

from mcpgen.conformance.official import install_suite
from mcpgen.conformance.official.runner import run
from mcpgen.conformance.targets.command import free_port
from mcpgen.smoke_test.runner import run_project_server

PROJECT = Path(__file__).parents[2] / "generated" / "touchstone"

pytestmark = pytest.mark.xdist_group("touchstone")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The URL of the running project `touchstone`."""
    port = free_port()
    environment = os.environ | {"TOUCHSTONE_PORT": str(port)}
    with run_project_server("touchstone_mcp", PROJECT, environment, port, 60) as project_server:
        assert project_server.ready, project_server.output
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.mark.parametrize(
    "revision",
    keep(
        SCORED,
        {"2026-07-28"},
        "repeats the proof in an older revision",
        {"2025-06-18", "2025-11-25"},
    ),
)
def test_every_scenario_of_a_revision_passes(url: str, revision: str) -> None:
    suite_run = run(install_suite(official_suite()), url, revision, 120)

    wrong = {
        (name, check["id"], check["status"], check.get("errorMessage"))
        for name, checks in suite_run.results.items()
        for check in checks
        if check["status"] not in ("SUCCESS", "INFO", "SKIPPED")
    }
    assert suite_run.problem == ""
    assert wrong == set()
    assert len(suite_run.results) == SCORED[revision]
    assert all(
        any(check["status"] == "SUCCESS" for check in checks)
        for checks in suite_run.results.values()
    )


@pytest.mark.thorough("what is required is among the scenarios that the test above runs")
@pytest.mark.parametrize("revision", REQUIRED)
def test_required_scenarios_pass(url: str, revision: str, tmp_path: Path) -> None:
    program = str(install_suite(official_suite()))
    command = [str(node()), program, "server", "--url", url, "--requirements", revision]

    completed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)

    assert completed.returncode == 0, completed.stdout
    assert f"Not scored for {revision}" in completed.stdout
