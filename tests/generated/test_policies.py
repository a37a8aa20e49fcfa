"""Projects with a policy pass their own tests and linters, and their servers enforce the policy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.black_check import BLACK
from tests.forkserver import own_tests
from tests.thorough import keep

ROOT = Path(__file__).parents[2]
TIDES = (ROOT / "specs" / "openapi" / "tides.yaml").as_posix()

EVERYTHING = """
[endpoint]
path = "/api/v1/harbours/{harbour}/mcp"
enabled = false

[authentication]
required = true
issuer = "https://issuer.example"
jwks_url = "https://issuer.example/jwks"
introspection_url = "https://issuer.example/introspect"
key_header = "X-Key"
owner_prefixes = ["sk_owner_"]
error_code = -32001

[authentication.owner_claims]
token_use = "control"

[authorization]
known_scopes = ["read", "write:alerts"]
hide = true

[scopes]
create_alert = ["write:alerts"]

[roles]
list_harbours = ["admin"]

[features]
tides = ["get_tides"]

[feature_needs]
tides = ["tide_model", "api_key"]
"""

STEP_UP = """
[authentication]
required = true

[authorization]
step_up = true

[scopes]
"*" = ["read", "read:tides"]
"POST /harbours/{harbour}/alerts" = ["write:alerts"]

[roles]
list_harbours = ["admin"]
"""

ONLY_FEATURES = """
[features]
alerts = ["createAlert"]

[feature_needs]
alerts = ["upstream", "alert_key"]
"""

POLICIES = {"everything": EVERYTHING, "step up": STEP_UP, "features": ONLY_FEATURES}


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command without the environment variables of this test session."""
    prefixes = ("PYTEST_", "COV", "TIDES_")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300
    )


def build_project(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Builds a project with these choices."""
    (folder / "mcpgen.toml").write_text(text)
    return run(sys.executable, "-m", "mcpgen", "build", TIDES, "-o", ".", *options, folder=folder)


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize(
    "name",
    keep(POLICIES, {"everything"}, "repeats the proof with parts of the policy of `everything`"),
)
def test_a_project_with_a_policy_is_good(name: str, tmp_path: Path) -> None:
    completed = build_project(tmp_path, POLICIES[name])

    assert completed.returncode == 0, completed.stdout + completed.stderr
    for command in (
        ("mypy", "--strict", "."),
        BLACK,
        ("ruff", "check", "--no-cache", "."),
    ):
        tool = run(sys.executable, "-m", *command, folder=tmp_path)
        assert tool.returncode == 0, tool.stdout + tool.stderr
    test_run = own_tests(tmp_path, "-q", "-p", "no:cacheprovider")
    assert test_run.returncode == 0, test_run.stdout


def test_a_server_that_nobody_could_call_does_not_start(tmp_path: Path) -> None:
    build_project(tmp_path, STEP_UP, "--no-verify")

    server_run = run(sys.executable, "-m", "tides_mcp", "--port", "0", folder=tmp_path)

    assert server_run.returncode == 2
    assert "set one of TIDES_CALLER_KEYS" in server_run.stderr


def test_a_project_without_a_policy_has_nothing_of_it(tmp_path: Path) -> None:
    build_project(tmp_path, "", "--no-verify")

    runtime = tmp_path / "tides_mcp" / "_runtime"
    assert not (runtime / "auth").exists()
    assert not (runtime / "server" / "endpoint.py").exists()
    assert not (tmp_path / "tides_mcp" / "policy.py").exists()
    assert "pyjwt" not in (tmp_path / "pyproject.toml").read_text()


@pytest.mark.repeated("tests/emit holds the finding")
def test_a_pyproject_that_lacks_a_distribution_is_told(tmp_path: Path) -> None:
    build_project(tmp_path, "", "--no-verify")

    completed = build_project(tmp_path, STEP_UP, "--no-verify")

    assert completed.returncode == 0
    assert "pyproject.toml: warning MG511 missing-distribution" in completed.stderr
    assert "add `pyjwt[crypto]>=2.10,<3` to `dependencies`" in completed.stderr


def test_a_challenge_does_not_tell_that_a_tool_for_a_role_exists(tmp_path: Path) -> None:
    build_project(tmp_path, STEP_UP, "--no-verify")

    policy = (tmp_path / "tides_mcp" / "policy.py").read_text()
    step_up_scopes = policy.partition("step_up=")[2].partition("}")[0]

    assert "create_alert" in step_up_scopes
    assert "list_harbours" not in step_up_scopes
