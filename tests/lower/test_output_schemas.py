"""Output schemas are legal on every protocol revision, or absent."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.config import Config, OutputMode

PET = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "integer"},
        "secret": {"type": "string", "writeOnly": True},
        "owner": {"$ref": "#/$defs/Owner"},
    },
}
OWNER = {"type": "object", "properties": {"name": {"type": ["string", "null"]}}}
TREE = {
    "type": "object",
    "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
}
DEFINITIONS = {"Pet": PET, "Owner": OWNER, "Tree": TREE}


def announced(build: Any, schema: Any, mode: OutputMode, **rest: Any) -> Any:
    return build.one(
        responses=(build.response(schema, **rest),),
        definitions=DEFINITIONS,
        config=Config(output_schemas=mode),
    ).tool


def test_off_announces_nothing(build: Any) -> None:
    assert announced(build, {"$ref": "#/$defs/Pet"}, OutputMode.OFF).output is None


def test_shallow_announces_names_and_types_without_what_is_write_only(build: Any) -> None:
    tool = announced(build, {"$ref": "#/$defs/Pet"}, OutputMode.SHALLOW)

    properties = {"id": {"type": "integer"}, "owner": {"type": "object"}}
    assert tool.output == {"type": "object", "properties": properties}
    assert not tool.wrapped


@pytest.mark.parametrize("mode", [OutputMode.SHALLOW, OutputMode.FULL])
def test_an_array_is_wrapped_in_an_object(build: Any, mode: OutputMode) -> None:
    tool = announced(build, {"type": "array", "items": {"type": "string"}}, mode)

    assert tool.output["type"] == "object"
    assert tool.output["properties"]["result"]["type"] == "array"
    assert tool.wrapped


def test_full_writes_references_out(build: Any) -> None:
    tool = announced(build, {"$ref": "#/$defs/Pet"}, OutputMode.FULL)

    name = {"type": ["string", "null"]}
    assert tool.output["properties"]["owner"]["properties"]["name"] == name
    assert "secret" not in tool.output["properties"]


def test_full_falls_back_to_shallow_for_a_recursive_schema(build: Any) -> None:
    tool = announced(build, {"$ref": "#/$defs/Tree"}, OutputMode.FULL)

    assert tool.output == {"type": "object", "properties": {"children": {"type": "array"}}}


def test_an_answer_that_is_no_json_has_no_output_schema(build: Any) -> None:
    tool = announced(build, {"type": "string"}, OutputMode.SHALLOW, media="text/csv")

    assert tool.output is None
    assert tool.route.accept == "text/csv"


def test_without_a_described_answer_anything_is_accepted(build: Any) -> None:
    assert build.one().tool.route.accept == "*/*"
