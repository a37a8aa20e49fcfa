"""docs/generated-project.md and sizes.md have the files and lines of built projects; `python -m
tests.update_sizes` writes the numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.update_sizes import MODES, PROJECTS, TABLE, TIDES, TREE, BuiltProject, block, build
from tests.update_sizes import table as table_of
from tests.update_sizes import tree as tree_of


def test_the_tree_of_tides_is_the_tree_of_a_build(tmp_path: Path) -> None:
    built_project = build(TIDES, "vendored", tmp_path)

    assert tree_of(built_project) == block(TREE)


@pytest.mark.thorough("the tree of tides holds the same counts for a single project")
def test_the_table_has_the_sizes_of_every_project_in_both_modes(tmp_path: Path) -> None:
    builds: dict[str, dict[str, BuiltProject]] = {}

    for project in PROJECTS:
        for mode in MODES:
            folder = tmp_path / project.name / mode
            folder.mkdir(parents=True)
            builds.setdefault(project.name, {})[mode] = build(project, mode, folder)

    assert table_of(builds) == block(TABLE)
