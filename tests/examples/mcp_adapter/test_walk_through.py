"""The steps of docs/openspec.md lead from an empty folder to a green matrix."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.examples.docs_walkthrough import Walk, blocks


@pytest.mark.repeated("performs as a user what the tests of each command show")
@pytest.mark.thorough("every command of the page has its own test in tests/openspec/test_build.py")
def test_the_walk_through_of_the_docs_ends_with_a_green_matrix(tmp_path: Path) -> None:
    walk = Walk(tmp_path)

    for block in blocks():
        walk.take(block)

    assert "2 passed" in (walk.folder / "matrix.md").read_text("utf-8")


@pytest.mark.repeated("performs as a user what the tests of each command show")
def test_the_walk_through_with_a_running_server_ends_with_a_passed_scenario(tmp_path: Path) -> None:
    walk = Walk(tmp_path)

    for block in blocks("Walk-through with a running server"):
        walk.take(block)

    assert "3 passed; 100 % of the steps" in walk.said
