"""Cases: a description becomes exactly these files, with exactly these findings.

A case is a folder with `openapi.yaml` and, if settings are needed, `mcpgen.toml` and the files that the
settings name. `expected/` holds the files of the project about the API: tool modules, their tests,
schemas, resources and prompts. `findings.txt` holds the findings as `mcpgen build` prints them.
`pytest tests/cases --update` writes both anew, for a review of the difference.
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
SPEC, CONFIG, FINDINGS = "openapi.yaml", "mcpgen.toml", "findings.txt"
CASES = sorted(path.parent for path in FOLDER.glob(f"*/{SPEC}"))
PROJECT = "project"

ABOUT_THE_API = re.compile(
    r"\w+_mcp/(tools/(?!__init__).+|(resources|prompts|completion|changes)\.py|(schemas|files)\.json)"
    r"|tests/tools/.+"
)
"""The files of a project that hold the API; every other file is the same for most APIs."""


def build_case(case: Path, folder: Path) -> dict[str, str]:
    """Builds a copy of the case in `folder`, the current one. Returns the compared texts by path
    below the case."""
    for path in case.iterdir():
        if path.is_file() and path.name != FINDINGS:
            shutil.copy(path, folder)
    config = CONFIG if (folder / CONFIG).exists() else ""

    result = build(SPEC, PROJECT, BuildOptions(verify=False, config=config))

    project = folder / PROJECT
    paths = (path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file())
    texts = {
        f"expected/{path}": (project / path).read_text("utf-8")
        for path in paths
        if ABOUT_THE_API.fullmatch(path)
    }
    findings = [finding for finding in result.diagnostics if finding.code is not NOT_TRIED]
    output = show(findings, result.places.position, result.places.line)
    return texts | ({FINDINGS: output + "\n"} if output else {})


def read_expected(case: Path) -> dict[str, str]:
    """Returns the recorded texts by path below the case."""
    paths = [*case.glob(FINDINGS), *(case / "expected").rglob("*")]
    return {
        path.relative_to(case).as_posix(): path.read_text("utf-8")
        for path in paths
        if path.is_file() and path.suffix != ".pyc"
    }


def write_expected(case: Path, texts: Mapping[str, str]) -> None:
    """Replaces the recorded texts."""
    shutil.rmtree(case / "expected", ignore_errors=True)
    (case / FINDINGS).unlink(missing_ok=True)
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
    write_expected(tmp_path, {"expected/tools/old.py": "old\n", FINDINGS: "old\n"})

    write_expected(tmp_path, {"expected/tools/new.py": "new\n"})

    assert read_expected(tmp_path) == {"expected/tools/new.py": "new\n"}
