"""Unions become covering types; the original is checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Schema
from mcpgen.lower.flatten.objects import Objects
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.flatten.types import schema_types


def test_the_subtypes_of_a_base_with_a_discriminator_are_its_forms(build: Any) -> None:
    base = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"type": "string"}},
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"},
        },
    }
    cat = {"allOf": [{"$ref": "#/$defs/Pet"}, {"properties": {"lives": {"type": "integer"}}}]}
    dog = {"allOf": [{"$ref": "#/$defs/Pet"}, {"properties": {"tricks": {"type": "string"}}}]}
    definitions = {"Pet": base, "Cat": cat, "Dog": dog}

    of_base = build.of_body({"$ref": "#/$defs/Pet"}, definitions=definitions)
    of_cat = build.of_body({"$ref": "#/$defs/Cat"}, definitions=definitions)

    assert set(of_base.arguments) == {"kind", "lives", "tricks"}
    assert of_base.arguments["kind"].schema["enum"] == ["cat", "dog"]
    assert set(of_cat.arguments) == {"kind", "lives"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, {"type": "number"}),
        ({"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}, {"type": "string", "enum": ["a", "b"]}),
        ({"anyOf": [{"type": "string"}, {"enum": ["a"]}]}, {"type": "string"}),
        ({"type": ["string", "integer"]}, {"type": "string"}),
    ],
)
def test_a_union_of_scalars_is_the_type_that_covers_them(
    build: Any, schema: Any, expected: Any
) -> None:
    lowering = build.of_body({"type": "object", "properties": {"value": schema}})

    result = dict(lowering.arguments["value"].schema)
    result.pop("description")
    assert result == expected


def test_values_that_one_type_cannot_cover_are_json_text(build: Any) -> None:
    schema = {"anyOf": [{"type": "integer"}, {"type": "string", "enum": ["auto"]}]}

    lowering = build.of_body({"type": "object", "properties": {"value": schema}})

    assert lowering.arguments["value"].text == "json"
    assert 'JSON: `integer | "auto"`' in lowering.arguments["value"].schema["description"]


STRING_OR_INTEGER = {"oneOf": [{"type": "string"}, {"type": "integer", "minimum": 1}]}


def test_a_number_is_sent_as_a_number_where_a_string_is_announced(
    build: Any, build_request: Any
) -> None:
    lowering = build.of_body({"type": "object", "properties": {"value": STRING_OR_INTEGER}})

    bodies = [json.loads(build_request(lowering, {"value": value}).body) for value in ("5", 5)]

    assert lowering.arguments["value"].schema["type"] == "string"
    assert "Takes integers, too." in lowering.arguments["value"].schema["description"]
    assert bodies == [{"value": "5"}, {"value": 5}]


def test_items_of_several_types_keep_their_types(build: Any, build_request: Any) -> None:
    items = {"type": ["string", "number", "boolean"]}

    lowering = build.of_body({"type": "object", "properties": {"value": {"items": items}}})

    arguments = {"value": ["a", 1.5, True]}
    assert json.loads(build_request(lowering, arguments).body) == arguments


@pytest.mark.parametrize("value", [0, 1.5, True, None, ["a"]])
def test_a_value_of_no_alternative_is_refused(build: Any, problems_of: Any, value: Any) -> None:
    properties = {"value": STRING_OR_INTEGER}
    lowering = build.of_body({"type": "object", "properties": properties, "required": ["value"]})

    (problem,) = problems_of(lowering, {"value": value})

    assert problem.startswith("value: ")


FORMS = [
    ({"type": "integer"}, 5),
    ({"type": "number"}, 1.5),
    ({"type": "boolean"}, True),
    ({"type": ["integer", "null"]}, 5),
]


@pytest.mark.parametrize(("schema_of_count", "value"), FORMS)
def test_each_form_can_be_sent_where_a_property_has_another_type_in_each(
    build: Any, build_request: Any, schema_of_count: Any, value: Any
) -> None:
    forms = [
        {"required": ["kind", "v"], "properties": {"kind": {"enum": [kind]}, "v": schema}}
        for kind, schema in (("count", schema_of_count), ("name", {"type": "string"}))
    ]
    lowering = build.of_body({"oneOf": forms})

    bodies = [{"kind": "count", "v": value}, {"kind": "name", "v": "5"}]

    for body in bodies:
        arguments = {"kind": body["kind"], "v": json.dumps(body["v"])}
        assert json.loads(build_request(lowering, arguments).body) == body


def test_each_form_can_be_sent_without_a_discriminator(build: Any, build_request: Any) -> None:
    forms = [
        {"required": ["id"], "properties": {"id": {"type": "integer"}}},
        {"required": ["name", "id"], "properties": {n: {"type": "string"} for n in ("name", "id")}},
    ]
    lowering = build.of_body({"type": "object", "properties": {"owner": {"oneOf": forms}}})

    bodies = [
        json.loads(build_request(lowering, item).body)["owner"]
        for item in ({"owner_id": "1"}, {"owner_id": '"1"', "owner_name": "a"})
    ]

    assert bodies == [{"id": 1}, {"id": "1", "name": "a"}]


@pytest.mark.thorough("reading a description replaces such a union before this stage meets one")
def test_a_union_that_contains_itself_ends(build: Any) -> None:
    definitions = {
        "A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]},
        "B": {"oneOf": [{"$ref": "#/$defs/C"}, {"type": "object", "properties": {"x": {}}}]},
        "C": {"oneOf": [{"$ref": "#/$defs/B"}, {"type": "object", "properties": {"y": {}}}]},
    }
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}},
    }

    lowering = build.of_body(schema, definitions=definitions)

    assert lowering.tool.arguments


def test_unions_of_unions_are_looked_at_once() -> None:
    leaf: Any = {"type": "object", "properties": {"x": {}}}
    location = Location("spec.yaml")
    levels: dict[str, Any] = {"L8": leaf}
    for level in range(8):
        levels[f"L{level}"] = {"anyOf": [{"$ref": f"#/$defs/L{level + 1}"} for _ in range(30)]}
    schemas = SchemaViews({name: Schema(json, location) for name, json in levels.items()})
    view = schemas.view({"$ref": "#/$defs/L0"})

    assert schema_types(schemas, view) == {"object"}
    assert Objects(schemas).properties(view) is None
