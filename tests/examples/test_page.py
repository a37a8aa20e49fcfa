"""Every test that docs/examples.md and docs/systems.md name exists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from mcpgen.conformance.checks import TABLE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXAMPLES = (ROOT / "docs" / "examples.md").read_text("utf-8")
SYSTEMS = (ROOT / "docs" / "systems.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in SYSTEMS.splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]


def written(modules: Iterable[Path]) -> set[str]:
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
    return (module for each in projects for module in each.glob("tests/scenarios/test_*.py"))


def test_every_demand_of_the_page_has_a_test_and_every_test_a_demand() -> None:
    there = written((*HERE.glob("*/test_*.py"), *scenarios()))

    named = set(re.findall(r"`(test_\w+)`", EXAMPLES))

    named -= written([HERE / "test_make_example.py"])
    assert named - there == set()
    assert there - named == set()


def test_every_test_that_shows_a_section_of_a_system_exists() -> None:
    there = written((*(ROOT / "tests").rglob("test_*.py"), *scenarios()))

    named = set(re.findall(r"`(test_\w+)`", SYSTEMS))

    assert named - there == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_section_of_a_system_is_shown_by_something_that_can_fail(row: list[str]) -> None:
    assert len(row) == 3
    named = re.findall(r"`(test_\w+|[a-z0-9]+(?:-[a-z0-9]+)+)`", row[2])
    checks = {name for name in named if not name.startswith("test_")}

    assert named or row[2] == "shown by"
    assert checks <= TABLE.keys()
