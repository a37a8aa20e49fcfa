"""Schemas of bodies and responses become classes for hooks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lower.conftest import Builder

from mcpgen.config import Config
from mcpgen.config.tables.tool_schemas import ApiModels, ApiSchemas
from mcpgen.ir.source import Json

PET = {
    "type": "object",
    "required": ["id", "name", "secret"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": ["string", "null"], "minLength": 1, "pattern": "^a", "default": "a"},
        "secret": {"type": "string", "writeOnly": True},
    },
}
REFERENCE = "#/components/schemas/"
NULL = {"type": "null"}


def classes(
    response: Json = None,
    definitions: dict[str, Json] | None = None,
    *,
    body: Json = None,
    selection: str = "all",
) -> dict[str, Any]:
    """Returns the schemas of the classes of one operation."""
    build = Builder(Config(api_models=ApiModels(ApiSchemas(selection))))
    responses = () if response is None else (build.response(response),)
    request_body = None if body is None else build.body(body)
    lowering = build.lower_operation(
        body=request_body, definitions=definitions, responses=responses
    )
    return dict(lowering.server.api_schemas)


def member(schema: Json, definitions: dict[str, Json] | None = None) -> Json:
    """Returns the type of a property with this schema."""
    holder = {"type": "object", "properties": {"a": schema}}
    return classes(holder, definitions)["DoThingResponse"]["properties"]["a"]


def ref(name: str) -> dict[str, str]:
    """Returns a reference of the document."""
    return {"$ref": f"#/$defs/{name}"}


def reference_to(name: str) -> dict[str, str]:
    """Returns a reference to a class."""
    return {"$ref": f"{REFERENCE}{name}"}


def test_no_class_is_made_where_none_is_chosen() -> None:
    assert classes(ref("Pet"), {"Pet": PET}, body=ref("Pet"), selection="none") == {}


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ("bodies", ["DoThingBody"]),
        ("responses", ["Pet"]),
        ("all", ["DoThingBody", "Pet"]),
    ],
)
def test_the_key_chooses_between_bodies_and_responses(selection: str, expected: list[str]) -> None:
    body = {"type": "object", "properties": {"a": {"type": "string"}}}

    assert list(classes(ref("Pet"), {"Pet": PET}, body=body, selection=selection)) == expected


@pytest.mark.parametrize(
    ("selection", "required"),
    [
        ("bodies", ["name", "secret"]),
        ("responses", ["id", "name"]),
        ("all", ["name"]),
    ],
)
def test_a_member_that_travels_one_way_is_required_that_way_only(
    selection: str, required: list[str]
) -> None:
    pet = classes(ref("Pet"), {"Pet": PET}, body=ref("Pet"), selection=selection)["Pet"]

    assert pet["required"] == required
    assert pet["additionalProperties"] is True


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (PET["properties"]["name"], {"anyOf": [{"type": "string"}, NULL]}),  # type: ignore[index]
        ({"enum": ["a", "b", None]}, {"anyOf": [{"type": "string", "enum": ["a", "b"]}, NULL]}),
        ({"const": 3}, {"type": "integer", "enum": [3]}),
        ({"enum": [True, 1]}, {}),
        ({"type": "array", "items": ref("Pet")}, {"type": "array", "items": reference_to("Pet")}),
        (
            {"type": "object", "additionalProperties": ref("Pet")},
            {"type": "object", "additionalProperties": reference_to("Pet")},
        ),
        ({"type": "object"}, {"type": "object", "additionalProperties": True}),
        ({"$ref": "#/$defs/Pet", "description": "The pet."}, reference_to("Pet")),
        ({"allOf": [ref("Pet")], "deprecated": True}, reference_to("Pet")),
        ({"anyOf": [ref("Pet"), NULL]}, {"anyOf": [reference_to("Pet"), NULL]}),
        (
            {"oneOf": [ref("Pet"), {"type": "string"}]},
            {"anyOf": [reference_to("Pet"), {"type": "string"}]},
        ),
        (
            {"oneOf": [{"const": "a"}, {"const": "b"}]},
            {"type": "string", "enum": ["a", "b"]},
        ),
        ({"anyOf": [{"const": "a"}, {"type": "string"}]}, {"type": "string"}),
        ({"anyOf": [{}, {"type": "string"}]}, {}),
        ({"type": ["string", "integer"]}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        (True, {}),
        (NULL, {}),
        ({"enum": ["\ud800"]}, {}),
    ],
)
def test_a_schema_becomes_the_type_of_its_values(schema: Json, expected: Json) -> None:
    assert member(schema, {"Pet": PET}) == expected


def test_parts_of_a_composition_are_members_of_one_class() -> None:
    dog = {"allOf": [ref("Pet"), {"properties": {"bark": {"type": "boolean"}}}]}

    result = classes(ref("Dog"), {"Pet": PET, "Dog": dog})

    assert list(result) == ["Dog"]
    assert list(result["Dog"]["properties"]) == ["id", "name", "secret", "bark"]


@pytest.mark.parametrize(
    "self_reference",
    [
        ref("Node"),
        {"$ref": "#/$defs/Node", "description": "The next."},
        {"anyOf": [{"allOf": [ref("Node")]}, NULL]},
    ],
)
def test_a_schema_that_leads_to_itself_is_one_class(self_reference: Json) -> None:
    node = {"type": "object", "properties": {"next": self_reference}}

    assert list(classes(ref("Node"), {"Node": node})) == ["Node"]


def test_compositions_that_lead_to_themselves_end() -> None:
    more = {"properties": {"more": {"type": "string"}}}
    node = {"type": "object", "properties": {"next": {"allOf": [ref("Node"), more]}}}
    tree = {"anyOf": [{"type": "string"}, {"type": "array", "items": ref("Tree")}]}
    node["properties"]["tree"] = ref("Tree")  # type: ignore[index]

    result = classes(ref("Node"), {"Node": node, "Tree": tree})

    assert list(result) == ["Node", "NodeNext"]
    assert result["Node"]["properties"]["tree"]["anyOf"][1] == {"type": "array", "items": {}}


def test_classes_without_a_name_are_called_by_tool_and_property() -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}}}
    outer = {"type": "object", "properties": {"a-b": {"type": "array", "items": inner}}}

    result = classes({"type": "array", "items": outer}, body=outer)

    assert list(result) == [
        "DoThingBody",
        "DoThingResponseItem",
        "DoThingBodyABItem",
        "DoThingResponseItemABItem",
    ]


def test_no_two_classes_share_a_name_and_none_has_one_of_python() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    names = ["pet", "Pet", "BaseModel", "list", "Warning", "1st", "None", "-"]
    union = {"anyOf": [ref(name) for name in names]}

    result = classes(union, dict.fromkeys(names, schema))

    assert list(result) == [
        "Pet2",
        "Pet",
        "BaseModel2",
        "List",
        "Warning2",
        "Model1st",
        "ModelNone",
        "Model",
    ]
