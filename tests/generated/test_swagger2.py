"""Swagger 2.0, from the document to the wire: the project's own tests and the check cover every
collection format in every place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generated.run_module import run

FORMATS = {"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}
"""Separator of each collection format."""


JOINED = [f'"a&b{json.dumps(delimiter)[1:-1]}a&b"' for delimiter in FORMATS.values()]
"""Two joined items, as source text of a test."""


def array_parameter(place: str, name: str, collection_format: str) -> dict[str, Any]:
    """Returns a required array parameter with at least two items."""
    return {
        "name": name,
        "in": place,
        "required": True,
        "type": "array",
        "minItems": 2,
        "items": {"type": "string", "enum": ["a&b"]},
        "collectionFormat": collection_format,
    }


def operation(id_: str, place: str, formats: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """Returns an operation with one parameter per `collectionFormat`, all in one place."""
    parameters = [array_parameter(place, f"p-{text}", text) for text in formats]
    return {
        "operationId": id_,
        "parameters": parameters,
        "responses": {"200": {"description": "d"}},
    } | more


DOCUMENT = {
    "swagger": "2.0",
    "info": {"title": "Lists", "version": "1"},
    "host": "api.example.com",
    "schemes": ["https"],
    "paths": {
        "/path/"
        + "/".join(f"{{p-{collection_format}}}" for collection_format in FORMATS): {
            "get": operation("path", "path", tuple(FORMATS))
        },
        "/query": {"get": operation("query", "query", (*FORMATS, "multi"))},
        "/header": {"get": operation("header", "header", tuple(FORMATS))},
        "/form": {
            "post": operation(
                "form",
                "formData",
                (*FORMATS, "multi"),
                consumes=["application/x-www-form-urlencoded"],
            )
        },
        "/parts": {
            "post": operation(
                "parts", "formData", (*FORMATS, "multi"), consumes=["multipart/form-data"]
            )
        },
    },
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project of the document, built and checked as a user does."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "swagger.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    completed = run("mcpgen", "build", "swagger.json", "-o", "project", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder / "project"


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
def test_what_the_server_sends_is_what_its_own_tests_expect(project: Path) -> None:
    test_run = run("pytest", folder=project)

    assert test_run.returncode == 0, test_run.stdout + test_run.stderr


@pytest.mark.repeated(
    "performs in a built project what tests/emit and tests/runtime show of the parts"
)
@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("path", ["GET /path/a%26b,a%26b/a%26b%20a%26b/a%26b%09a%26b/a%26b%7Ca%26b"]),
        ("query", ["p-csv=a%26b,a%26b", "p-tsv=a%26b%09a%26b", "p-multi=a%26b&p-multi=a%26b"]),
        ("header", JOINED),
        ("form", JOINED),
        ("parts", JOINED),
    ],
)
def test_every_collection_format_is_expected_in_every_place(
    project: Path, tool: str, expected: list[str]
) -> None:
    scenarios = (project / "tests" / "tools" / f"test_{tool}.py").read_text(encoding="utf-8")

    scenario_text = scenarios.replace('"\n        "', "")
    assert [text for text in expected if text not in scenario_text] == []
