"""Projects with strict or nested arguments are complete projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.generated.run_module import OWN_TESTS, require_success

SPEC = Path(__file__).parents[2] / "specs" / "openapi" / "seed-bank" / "openapi.yaml"
TOLD = {"strict": "`null` omits an\noptional argument", "nested": "the nested schemas of the API"}


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize("mode", TOLD)
def test_project_passes_its_checks_and_its_own_tests_and_says_its_mode(
    mode: str, tmp_path: Path
) -> None:
    (tmp_path / "mcpgen.toml").write_text(f'[flatten]\nmode = "{mode}"\n', encoding="utf-8")

    require_success(tmp_path, ("mcpgen", "build", str(SPEC), "-o", "."), OWN_TESTS)

    assert TOLD[mode] in (tmp_path / "README.md").read_text(encoding="utf-8")
