"""Results are reduced to existing fields."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Location
from mcpgen.ir.api import Extension

OWNER = {"type": "object", "properties": {"name": {"type": "string"}}}
PET = {
    "allOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}, "labels": {"type": "object"}}},
        {"properties": {"owner": {"$ref": "#/$defs/Owner"}, "pin": {"writeOnly": True}}},
    ]
}
DEFINITIONS = {"Owner": OWNER, "Pet": PET}
LIST = {"type": "array", "items": {"oneOf": [{"$ref": "#/$defs/Pet"}, {"$ref": "#/$defs/Owner"}]}}
PLACE = Location("mcpgen.toml", ("fields", "doThing", "0"), 7, 3)


def lower_api(build: Any, *paths: str, **fields: Any) -> Any:
    """Returns the server of an operation for a list of pets, with the given fields."""
    config = Config(fields={"doThing": paths}, locations={PLACE.path: PLACE})
    responses = (build.response(LIST),)
    return build.lower_operation(
        responses=responses, definitions=DEFINITIONS, config=config, **fields
    )


def test_fields_are_found_through_arrays_unions_and_references(build: Any) -> None:
    result = lower_api(build, "id", "owner.name", "labels.anything", "name")

    assert result.tool.fields == ("id", "owner.name", "labels.anything", "name")
    assert not result.codes


@pytest.mark.parametrize(
    ("path", "hint"),
    [("idd", "`id`"), ("owner.nam", "`owner.name`"), ("pin", "`"), ("id.x", "not JSON objects")],
)
def test_field_that_no_result_has_is_reported_with_the_nearest(
    build: Any, path: str, hint: str
) -> None:
    result = lower_api(build, path)

    (finding,) = result.diagnostics
    assert finding.code.id == "MG309"
    assert finding.at == PLACE
    assert hint in finding.hint


def test_field_of_the_document_is_reported_where_it_stands(build: Any) -> None:
    operation = build.operation(
        responses=(build.response(OWNER),), extension=Extension(fields=("name", "nam"))
    )

    result = build.lower(build.api(operation))

    (finding,) = result.diagnostics
    assert finding.at == operation.at / "x-mcp" / "fields" / 1
    assert result.tool.fields == ("name", "nam")


def test_users_fields_win_over_the_documents(build: Any) -> None:
    result = lower_api(build, "id", extension=Extension(fields=("name",)))

    assert result.tool.fields == ("id",)


def test_fields_of_no_operation_are_an_error(build: Any) -> None:
    config = Config(fields={"GET /thing": ("id",)})

    result = build.lower_operation(
        responses=(build.response(LIST),), definitions=DEFINITIONS, config=config
    )

    (finding,) = result.diagnostics
    assert finding.code.id == "MG308"
    assert "GET /things" in finding.hint
