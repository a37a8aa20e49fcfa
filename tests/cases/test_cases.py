"""Cases: a description becomes exactly these files, with exactly these findings.

A case is a folder with `openapi.yaml` and, if settings are needed, `mcpgen.toml`. `expected/` holds the
files of the project about the API: tool modules, their tests, and schemas. `findings.txt` holds the
findings as `mcpgen build` prints them. `pytest tests/cases --update` writes both anew, for a review of
the difference.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from mcpgen.diagnostics.codes.smoke_test import NOT_TRIED
from mcpgen.diagnostics.render import show
from mcpgen.pipeline import BuildOptions, build

FOLDER = Path(__file__).parent
CASES = sorted(path.parent for path in FOLDER.glob("*/openapi.yaml"))
INPUTS = ("openapi.yaml", "mcpgen.toml")
PROJECT = "project"

ABOUT_THE_API = re.compile(r"\w+_mcp/(tools/(?!__init__).+\.py|schemas\.json)|tests/tools/.+\.py")
"""The files of a project that hold the API; every other file is the same for most APIs."""


def build_case(case: Path, folder: Path) -> dict[str, str]:
    """Builds a copy of the case in `folder`, the current one. Returns the compared texts by path
    below the case."""
    for name in INPUTS:
        if (case / name).exists():
            shutil.copy(case / name, folder)
    config = INPUTS[1] if (folder / INPUTS[1]).exists() else ""

    result = build(INPUTS[0], PROJECT, BuildOptions(verify=False, config=config))

    project = folder / PROJECT
    paths = (path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file())
    texts = {
        f"expected/{path}": (project / path).read_text("utf-8")
        for path in paths
        if ABOUT_THE_API.fullmatch(path)
    }
    findings = [finding for finding in result.diagnostics if finding.code is not NOT_TRIED]
    shown = show(findings, result.places.position, result.places.line)
    return texts | ({"findings.txt": shown + "\n"} if shown else {})


def read_expected(case: Path) -> dict[str, str]:
    """Returns the recorded texts by path below the case."""
    paths = [*case.glob("findings.txt"), *(case / "expected").rglob("*")]
    return {
        path.relative_to(case).as_posix(): path.read_text("utf-8")
        for path in paths
        if path.is_file() and path.suffix != ".pyc"
    }


def write_expected(case: Path, texts: Mapping[str, str]) -> None:
    """Replaces the recorded texts."""
    shutil.rmtree(case / "expected", ignore_errors=True)
    (case / "findings.txt").unlink(missing_ok=True)
    for path, text in texts.items():
        (case / path).parent.mkdir(parents=True, exist_ok=True)
        (case / path).write_text(text, "utf-8", newline="")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_becomes_the_expected_files_and_findings(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)

    texts = build_case(case, tmp_path)

    if request.config.getoption("update"):
        write_expected(case, texts)
    assert texts == read_expected(case)


def test_update_replaces_recorded_files(tmp_path: Path) -> None:
    write_expected(tmp_path, {"expected/tools/old.py": "old\n", "findings.txt": "old\n"})

    write_expected(tmp_path, {"expected/tools/new.py": "new\n"})

    assert read_expected(tmp_path) == {"expected/tools/new.py": "new\n"}
