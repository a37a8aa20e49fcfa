"""Announced results, from the document to a project that passes its own tests and the check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generated.run_module import require_success, run

PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string"},
        "pin": {"type": "string", "writeOnly": True},
        "parent": {"$ref": "#/components/schemas/Pet"},
    },
}


def answer(schema: Any = None, media_type: str = "application/json") -> dict[str, Any]:
    """Returns a response with this content; without content for None."""
    content = {} if schema is None else {"content": {media_type: {"schema": schema}}}
    return {"description": "d", **content}


def operation(name: str, **responses: Any) -> dict[str, Any]:
    """Returns an operation; statuses are keywords as `_200`."""
    response_map = {status.removeprefix("_"): response for status, response in responses.items()}
    return {"operationId": name, "responses": response_map}


REF = {"$ref": "#/components/schemas/Pet"}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://api.example.com"}],
    "components": {"schemas": {"Pet": PET}},
    "paths": {
        "/pets": {
            "get": operation("list", _200=answer({"type": "array", "items": REF})),
            "post": operation(
                "add",
                _201=answer(REF),
                _202=answer({"type": "object", "properties": {"job": {"type": "string"}}}),
                _204=answer(),
            ),
        },
        "/pets/first": {"get": operation("first", default=answer(REF))},
        "/pets/watch": {"get": operation("watch", _200=answer({}, "text/event-stream"))},
        "/pets/lines": {"get": operation("lines", _200=answer({}, "application/x-ndjson"))},
    },
}
CHOICES = """spec = "openapi.json"
[fields]
list = ["id", "parent.name"]
[output]
schemas = "full"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project of the document, built and checked as a user does."""
    folder = tmp_path_factory.mktemp("pets")
    (folder / "openapi.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    (folder / "mcpgen.toml").write_text(CHOICES, encoding="utf-8")
    completed = run("mcpgen", "build", "openapi.json", "-o", ".", folder=folder)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder


@pytest.mark.repeated(
    "repeats on one more project what tests/generated/test_projects.py shows of the committed projects"
)
def test_project_passes_its_own_tests(project: Path) -> None:
    require_success(project, ("pytest",))


def test_declaration_holds_the_fields_and_their_schema_alone(project: Path) -> None:
    declaration = (project / "pets_mcp" / "tools" / "list.py").read_text(encoding="utf-8")

    assert 'fields=("id", "parent.name"),' in declaration
    assert '"parent": {"type": "object"}' in declaration
    assert '"pin"' not in declaration
    assert '"name"' not in declaration
