"""demands.md names every test of the examples, and no row is without a test or check that exists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from mcpgen.conformance.checks import TABLE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DEMANDS = (HERE / "demands.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in DEMANDS.partition("\n## Differences")[0].splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]


def find_tests(modules: Iterable[Path]) -> set[str]:
    """Tests of some modules by name."""
    return {
        name
        for module in modules
        for name in re.findall(
            r"^(?:async )?def (test_\w+)", module.read_text("utf-8"), re.MULTILINE
        )
    }


def scenarios() -> Iterable[Path]:
    """Scenario modules of the examples that have tests here."""
    projects = (ROOT / "generated" / folder.name for folder in HERE.iterdir() if folder.is_dir())
    return (module for project in projects for module in project.glob("tests/scenarios/test_*.py"))


def test_every_demand_of_the_page_has_a_test_and_every_test_a_demand() -> None:
    of_examples = find_tests((*HERE.glob("*/test_*.py"), *scenarios()))
    of_all = find_tests((*(ROOT / "tests").rglob("test_*.py"), *scenarios()))

    named_tests = set(re.findall(r"`(test_\w+)`", DEMANDS))

    assert named_tests - of_all == set()
    assert of_examples - named_tests == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_demand_is_shown_by_something_that_can_fail(row: list[str]) -> None:
    assert len(row) == 2
    proofs = re.findall(r"`(test_\w+|[a-z0-9]+(?:-[a-z0-9]+)+)`", row[1])
    checks = {name for name in proofs if not name.startswith("test_")}

    assert proofs or row[1] == "test"
    assert checks <= TABLE.keys()
