"""Real documents, from the document to the checked server."""

from __future__ import annotations

import compileall
import json
from pathlib import Path
from typing import Any

import pytest
from tests.forkserver import own_tests
from tests.thorough import keep
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "openapi"
MANIFEST: list[dict[str, Any]] = json.loads((CORPUS / "manifest.json").read_text(encoding="utf-8"))
OPERATIONS = 150

SPREAD = ("camara-geofencing", "petstore-separate-v2")
"""Documents with references to files outside the document's folder, inside the folder named after
the document."""

NEEDED = {"camara-geofencing"}
"""Documents of `SPREAD` whose requests need these files. The other document refers to these files
only in responses, which is a warning."""

DOCUMENTS = {
    entry["name"]: CORPUS / entry["file"] for entry in MANIFEST if entry["n_ops"] <= OPERATIONS
}
MISSING = {"asyncapi-server": 6}
"""Number of operations of a document without a tool: the operations refer to other hosts, or have
a form of type string or array."""


def build(document: Path, folder: Path, *options: str) -> Result:
    """Runs `mcpgen build` into `project`, final check included."""
    return CliRunner().invoke(
        app, ["build", str(document), "-o", str(folder / "project"), *options]
    )


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize(
    "name",
    keep(
        DOCUMENTS,
        {"petstore-separate-v2", "cafe-v32"},
        "repeats the build and its checks on more documents of the same versions of OpenAPI",
    ),
)
def test_a_real_document_becomes_a_server_that_passes_its_checks(name: str, tmp_path: Path) -> None:
    document = DOCUMENTS[name]
    root = ("--root", str(CORPUS / name)) if name in SPREAD else ()

    result = build(document, tmp_path, "--keep-going", "--format", "json", *root)
    test_run = own_tests(tmp_path / "project")

    assert result.exit_code == 0, result.output[-8000:]
    assert len(json.loads(result.stdout)["missing"]) == MISSING.get(name, 0)
    assert compileall.compile_dir(tmp_path / "project", quiet=1)
    assert test_run.returncode == 0, test_run.stdout[-8000:]


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize("name", SPREAD)
def test_a_file_outside_the_document_s_folder_is_not_read_unasked(
    name: str, tmp_path: Path
) -> None:
    document = DOCUMENTS[name]

    result = build(document, tmp_path, "--no-verify")

    is_needed = name in NEEDED
    assert result.exit_code == (1 if is_needed else 0), result.output
    assert "MG131 outside-reference" in result.stderr
    assert (tmp_path / "project").exists() is not is_needed
