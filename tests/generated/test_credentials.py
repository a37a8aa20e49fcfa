"""Projects that pass callers' credentials on are complete projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.black_check import BLACK
from tests.generated.run_module import OWN_TESTS, require_success

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "tides.yaml"
PASSTHROUGH = """
[credentials]
mode = "passthrough"
trusted = ["*.tides.example"]
"""
KNOWN = """
[authentication]
required = true
jwks_url = "https://login.tides.example/keys"
issuer = "https://login.tides.example"
"""
EXCHANGE = """
[credentials]
mode = "exchange"
exchange.token_url = "https://login.tides.example/token"
exchange.audience = ["tides"]
"""


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize(
    ("choices", "modules"),
    [
        pytest.param(PASSTHROUGH, {"passthrough"}, id="passthrough"),
        pytest.param(
            PASSTHROUGH + KNOWN,
            {"passthrough", "authentication"},
            id="passthrough of known callers",
            marks=pytest.mark.thorough("repeats the proof with both parts of the other two"),
        ),
        pytest.param(EXCHANGE + KNOWN, {"token_exchange", "authentication"}, id="exchange"),
    ],
)
def test_project_passes_its_checks_and_its_own_tests(
    choices: str, modules: set[str], tmp_path: Path
) -> None:
    (tmp_path / "mcpgen.toml").write_text(choices, encoding="utf-8")

    build = ("mcpgen", "build", str(SPEC), "-o", ".")
    require_success(tmp_path, build, OWN_TESTS, ("mypy", "."), ("ruff", "check", "."), BLACK)

    runtime = {path.stem for path in (tmp_path / "tides_mcp" / "_runtime" / "auth").glob("*.py")}
    assert runtime & {"passthrough", "authentication", "token_exchange"} == modules
