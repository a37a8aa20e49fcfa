"""A connector server for ChatGPT, from the OpenAPI document to the project's own tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generated.run_module import run

BOOK = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "name": {"type": "string"}},
}
CHOICES = """
[tools.findBooks]
arguments.shelf = { VALUE = "new" }
[connector.search]
operation = "findBooks"
id = "number"
title = "name"
[connector.fetch]
operation = "GET /books/{number}"
title = "name"
metadata = ["number"]
"""


def operation(name: str, schema: Any, **parameters: str) -> dict[str, Any]:
    """Returns an operation with required string parameters in these places."""
    parameter_objects = [
        {"name": parameter, "in": place, "required": True, "schema": {"type": "string"}}
        for parameter, place in parameters.items()
    ]
    content = {"application/json": {"schema": schema}}
    answer = {"200": {"description": "d", "content": content}}
    return {"get": {"operationId": name, "parameters": parameter_objects, "responses": answer}}


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
@pytest.mark.parametrize("value", ["fixed", "default"])
def test_project_announces_the_contract_and_passes_its_own_tests(
    value: str, tmp_path: Path
) -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Library", "version": "1"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": {
            "/{shelf}/books": operation(
                "findBooks", {"type": "array", "items": BOOK}, shelf="path", term="query"
            ),
            "/books/{number}": operation("readBook", BOOK, number="path"),
        },
    }
    (tmp_path / "openapi.json").write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "mcpgen.toml").write_text(CHOICES.replace("VALUE", value), "utf-8")

    completed = run("mcpgen", "build", "openapi.json", "-o", ".", folder=tmp_path)
    test_run = run("pytest", folder=tmp_path)

    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert test_run.returncode == 0, test_run.stdout + test_run.stderr
    names = [path.stem for path in sorted((tmp_path / "library_mcp" / "tools").glob("[a-z]*.py"))]
    assert names == ["fetch", "search"]
