"""`make check` runs the tests closest to the changed files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.changed import ALWAYS, ROOT, choose_tests


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("generator/mcpgen/parse/security.py", "tests/parse/test_security.py"),
        ("generator/mcpgen/openspec/lower/extraction/calls.py", "tests/openspec/lower"),
        ("generator/mcpgen/emit/policy/scopes.py", "tests/emit"),
        ("generator/mcpgen/pipeline/build_project.py", "tests/test_pipeline.py"),
        ("runtime/mcpgen_runtime/server/pagination.py", "tests/runtime/test_pagination.py"),
        (
            "runtime/mcpgen_runtime/limits/sliding_window_redis.py",
            "tests/runtime/test_rate_limits_redis.py",
        ),
        ("templates/project/README.md.jinja", "tests/test_templates.py"),
        ("tests/lower/test_naming_tools.py", "tests/lower/test_naming_tools.py"),
        ("tests/lower/conftest.py", "tests/lower"),
        ("docs/tools.md", "tests/test_docs.py"),
    ],
)
def test_a_file_leads_to_its_tests(path: str, nearest: str) -> None:
    choices = choose_tests([path])

    assert nearest in choices
    assert all((ROOT / name).exists() for name in choices)


def test_a_test_that_was_changed_runs_first_and_its_folder_once() -> None:
    choices = choose_tests(["generator/mcpgen/lower/naming.py", "tests/lower/test_naming_tools.py"])

    assert choices == ["tests/lower/test_naming_tools.py", *ALWAYS["generator"], "tests/lower"]


def test_a_file_without_tests_leads_to_none() -> None:
    assert choose_tests(["LICENSE", "generated/tides/pyproject.toml"]) == []


def test_every_folder_of_the_source_has_tests() -> None:
    modules = (ROOT / "generator" / "mcpgen").glob("*/*.py")
    paths = [path.relative_to(ROOT).as_posix() for path in modules]

    untested_paths = [
        path for path in paths if len(choose_tests([path])) <= len(ALWAYS["generator"])
    ]

    assert {Path(path).parent.name for path in untested_paths} <= {"parallel", "ir"}
