"""Projects with strict or nested arguments are complete projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.generated.run_module import run

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

    built = run("mcpgen", "build", str(SPEC), "-o", ".", folder=tmp_path)
    tested = run("pytest", "-q", "-p", "no:cacheprovider", folder=tmp_path)

    assert built.returncode == 0, built.stdout + built.stderr
    assert tested.returncode == 0, tested.stdout
    assert TOLD[mode] in (tmp_path / "README.md").read_text(encoding="utf-8")
