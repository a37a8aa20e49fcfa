"""Bodies of every kind, from the document to the wire: the smoke test and the project's own tests
compare the sent bodies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.generated.run_module import run

DOCUMENT = Path(__file__).parent / "bodies.yaml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the document."""
    folder = tmp_path_factory.mktemp("bodies")
    (folder / "bodies.yaml").write_bytes(DOCUMENT.read_bytes())
    return folder


@pytest.fixture(scope="module")
def build_result(folder: Path) -> dict[str, object]:
    """JSON output of the build, smoke test included."""
    completed = run(
        "mcpgen", "build", "bodies.yaml", "-o", "project", "--format", "json", folder=folder
    )
    result: dict[str, object] = json.loads(completed.stdout)
    assert completed.returncode == 0, completed.stdout
    return result


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_every_operation_becomes_a_tool_whose_requests_arrive(
    build_result: dict[str, object],
) -> None:
    assert (build_result["status"], build_result["missing"]) == ("built", [])


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_what_the_server_sends_is_what_its_own_tests_expect(
    build_result: dict[str, object], folder: Path
) -> None:
    test_run = run("pytest", folder=folder / "project")

    assert test_run.returncode == 0, test_run.stdout + test_run.stderr
