"""Malformed schemas: repaired if the intention is clear, and always reported."""

import jsonschema_rs
import pytest

from mcpgen.diagnostics import Severity


@pytest.mark.parametrize(
    ("original", "normal", "finding"),
    [
        ({"type": "int"}, {"type": "integer"}, "unknown-type"),
        ({"type": "String"}, {"type": "string"}, "unknown-type"),
        ({"type": "datetime"}, {"type": "string", "format": "date-time"}, "unknown-type"),
        ({"type": "file"}, {"type": "string", "format": "binary"}, "unknown-type"),
        ({"type": "any"}, {}, "unknown-type"),
        ({"type": None}, {}, "unknown-type"),
        ({"type": 5}, {}, "unknown-type"),
        ({"type": ["string", "thing"]}, {}, "unknown-type"),
        ({"required": "name"}, {"required": ["name"]}, "malformed-schema"),
        ({"required": {"a": 1}}, {}, "malformed-schema"),
        ({"required": ["a", 5]}, {"required": ["a"]}, "malformed-schema"),
        ({"required": True}, {}, "misplaced-required"),
        ({"enum": "a"}, {"enum": ["a"]}, "malformed-schema"),
        ({"enum": None}, {}, "malformed-schema"),
        ({"enum": []}, {}, "malformed-schema"),
        (
            {"type": "integer", "enum": ["1", "x", 1]},
            {"type": "integer", "enum": [1, "x"]},
            "malformed-schema",
        ),
        (
            {"type": ["string", "null"], "enum": [1, 2.5, True, "a", None]},
            {"type": ["string", "null"], "enum": ["1", "2.5", "true", "a", None]},
            "malformed-schema",
        ),
        (
            {"type": "boolean", "enum": ["true", "no"]},
            {"type": "boolean", "enum": [True, "no"]},
            "malformed-schema",
        ),
        (
            {"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]},
            {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            "malformed-schema",
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "enum": ["1", 2]},
            {"type": "array", "items": {"type": "integer", "enum": [1, 2]}},
            "malformed-schema",
        ),
        (
            {"type": "array", "items": True, "enum": ["a"]},
            {"type": "array", "items": {"enum": ["a"]}},
            "malformed-schema",
        ),
        (
            {"type": "array", "items": {"enum": ["a"]}, "enum": ["b", None]},
            {"type": "array", "items": {"enum": ["a"]}},
            "malformed-schema",
        ),
        ({"properties": None}, {}, "malformed-schema"),
        ({"properties": {"a": None}}, {"properties": {"a": {}}}, "malformed-schema"),
        ({"properties": {"a": ["x"]}}, {"properties": {"a": {}}}, "malformed-schema"),
        ({"minLength": "5"}, {"minLength": 5}, "malformed-schema"),
        ({"minLength": -1}, {}, "malformed-schema"),
        ({"maxItems": 1.5}, {}, "malformed-schema"),
        ({"multipleOf": 0}, {}, "malformed-schema"),
        ({"minimum": "abc"}, {}, "malformed-schema"),
        ({"maximum": True}, {}, "malformed-schema"),
        ({"minimum": 2, "exclusiveMinimum": True}, {"exclusiveMinimum": 2}, "malformed-schema"),
        ({"allOf": []}, {}, "malformed-schema"),
        ({"oneOf": {"type": "string"}}, {"oneOf": [{"type": "string"}]}, "malformed-schema"),
        (
            {"items": [{"type": "string"}]},
            {"prefixItems": [{"type": "string"}]},
            "malformed-schema",
        ),
        ({"additionalProperties": "false"}, {"additionalProperties": False}, "malformed-schema"),
        ({"readOnly": "true"}, {"readOnly": True}, "malformed-schema"),
        ({"examples": {"a": {"value": 1}}}, {"examples": [1]}, "malformed-schema"),
        ({"description": ["a"]}, {}, "malformed-schema"),
        (
            {"discriminator": "kind"},
            {"discriminator": {"propertyName": "kind"}},
            "malformed-schema",
        ),
        ({"type": "integer", "default": "x"}, {"type": "integer"}, "unfit-value"),
        ({"type": "string", "example": 5}, {"type": "string"}, "unfit-value"),
        (
            {"type": "string", "examples": ["a", 5]},
            {"type": "string", "examples": ["a"]},
            "unfit-value",
        ),
        ({"pattern": "["}, {}, "dropped-pattern"),
        ({"pattern": "/^a$/i"}, {}, "dropped-pattern"),
        ({"pattern": r"/^\_a$/i"}, {}, "dropped-pattern"),
        ({"pattern": r"/^[\w\_-]+$/u"}, {"pattern": r"^[\w\_-]+$"}, "corrected-pattern"),
        ({"pattern": "/^a$/"}, {"pattern": "^a$"}, "corrected-pattern"),
        ({"pattern": r"^[\w-.]+\Z"}, {"pattern": r"^[\w\-.]+$"}, "corrected-pattern"),
        ({"patternProperties": {"[": {}}}, {}, "dropped-pattern"),
        ("string", {}, "malformed-schema"),
        (None, {}, "malformed-schema"),
    ],
)
def test_a_malformed_keyword_is_repaired_or_left_out_with_a_warning(
    schema, original, normal, finding
):
    repaired_schema, result = schema(original)

    assert repaired_schema == normal
    assert result.names == [finding]
    jsonschema_rs.Draft202012Validator(repaired_schema)


def test_a_required_property_is_required_by_its_object(schema):
    properties = {"a": {"type": "string", "required": True}, "b": {"required": False}}

    repaired_schema, result = schema({"required": ["c"], "properties": properties})

    assert repaired_schema["required"] == ["c", "a"]
    assert repaired_schema["properties"] == {"a": {"type": "string"}, "b": {}}
    assert result.names == ["misplaced-required", "misplaced-required"]


def test_required_beside_a_reference_has_an_effect_on_the_object(schema):
    properties = {"a": {"$ref": "#/components/schemas/A", "required": True}}

    repaired_schema, result = schema({"properties": properties}, "3.0.3", {"A": {}})

    assert repaired_schema["required"] == ["a"]
    assert result.names == ["misplaced-required"]


def test_required_may_stand_before_and_after_the_properties(schema):
    properties = {"a": {"required": True}}

    before, _ = schema({"required": ["b"], "properties": properties})
    after, _ = schema({"properties": properties, "required": ["b"]})

    assert sorted(before["required"]) == sorted(after["required"]) == ["a", "b"]


@pytest.mark.parametrize(
    "original",
    [
        {"type": "integer", "enum": [1, 2.0]},
        {"type": ["string", "integer"], "enum": [1, "a"]},
        {"type": "integer", "enum": [1, "x"]},
        {"type": "array", "enum": [["a"], "b"]},
        {"type": "object", "enum": ["a", {}]},
        {"enum": [1, "a"]},
    ],
)
def test_an_enumeration_that_says_what_it_means_is_left_as_it_is(schema, original):
    repaired_schema, result = schema(original)

    assert (repaired_schema, result.names) == (original, [])


def test_values_that_items_of_an_array_cannot_take_over_are_left_out_with_a_finding(schema):
    repaired_schema, result = schema({"type": "array", "items": {"enum": ["a"]}, "enum": ["b"]})

    assert repaired_schema == {"type": "array", "items": {"enum": ["a"]}}
    assert result.finding.message.endswith("it is left out")


def test_an_array_of_3_0_says_what_it_holds(schema):
    repaired_schema, result = schema({"type": "array"}, "3.0.3")

    assert repaired_schema == {"type": "array", "items": {}}
    assert result.names == ["malformed-schema"]


def test_an_unquoted_null_among_types_is_the_type_null(schema):
    result, _ = schema({"type": ["string", None]})

    assert result == {"type": ["string", "null"]}


def test_older_keywords_get_their_present_names(schema):
    original = {
        "items": [{"type": "string"}],
        "additionalItems": False,
        "dependencies": {"a": ["b"], "c": {"required": ["d"]}},
    }

    result, _ = schema(original)

    assert result == {
        "prefixItems": [{"type": "string"}],
        "items": False,
        "dependentRequired": {"a": ["b"]},
        "dependentSchemas": {"c": {"required": ["d"]}},
    }


def test_additional_items_count_in_front_of_items_as_well(schema):
    original = {"additionalItems": {"type": "integer"}, "items": [{"type": "string"}]}

    result, _ = schema(original)

    assert result == {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}


def test_look_around_and_unicode_classes_are_accepted(schema):
    for pattern in (r"^(?!x)a", r"(?<=a)b", r"\p{L}+", r"^\d{3}\-\d$"):
        repaired_schema, result = schema({"pattern": pattern})

        assert repaired_schema == {"pattern": pattern}
        assert result.findings == []


def test_a_reference_in_place_of_properties_brings_the_properties_it_leads_to(
    parse_document, document
):
    shared = {"properties": {"a": {"type": "string"}, "b/c": {"type": "integer"}}}
    original = {"properties": {"$ref": "shared.json#/properties", "own": {"type": "boolean"}}}
    body = {"content": {"application/json": {"schema": original}}}

    result = parse_document(document({"requestBody": body}), {"shared.json": shared})

    assert result.operation.body is not None
    repaired_schema = result.operation.body.media[0].schema
    assert repaired_schema is not None
    assert repaired_schema.json["properties"] == {
        "a": {"$ref": "#/$defs/a"},
        "b/c": {"$ref": "#/$defs/b_c"},
        "own": {"type": "boolean"},
    }
    assert result.names == ["malformed-schema"]


def test_null_that_serializers_write_for_no_example_is_one_note(schema):
    text = {"type": "string", "example": None}
    original = {
        "type": "object",
        "properties": {"a": text, "b": text, "c": {**text, "default": None}},
    }

    json, result = schema(original, "3.0.3")

    assert json["properties"]["a"] == {"type": "string"}
    assert [item.severity for item in result.findings] == [Severity.NOTE, Severity.NOTE]
    assert (
        "`example: null` is not allowed by the schema (in 3 places)" in result.findings[0].message
    )


def test_examples_of_another_type_are_reported_once_and_every_default(schema):
    text = {"type": "string", "example": 5, "default": 6}
    original = {"type": "object", "properties": {"a": text, "b": text}}

    _, result = schema(original)

    assert result.names == ["unfit-value"] * 3
    assert result.findings[2].message.endswith("it is left out (in 2 places)")


@pytest.mark.parametrize(
    ("original", "normal", "place"),
    [
        (
            {"type": "string", "enum": ["USER", "GROUP"], "pattern": "user|group"},
            {"type": "string", "enum": ["USER", "GROUP"]},
            "pattern",
        ),
        (
            {"type": "string", "enum": ["a", "b"], "minLength": 2, "maxLength": 5},
            {"type": "string", "enum": ["a", "b"], "maxLength": 5},
            "minLength",
        ),
        ({"type": "number", "enum": ["REG"]}, {"type": "string", "enum": ["REG"]}, "type"),
        (
            {"type": "integer", "format": "int32", "enum": ["a", None], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
            "type",
        ),
    ],
)
def test_the_values_of_an_enumeration_stand_before_what_excludes_them_all(
    schema, original, normal, place
):
    json, result = schema(original, "3.0.3")

    assert json == normal
    assert result.names == ["contradictory-keywords"]
    assert result.finding.at.pointer.endswith(f"/{place}")


def test_an_enumeration_of_which_some_values_are_possible_is_left_alone(schema):
    original = {"type": "string", "enum": ["a", "bb"], "minLength": 2}

    json, result = schema(original)

    assert json == original
    assert result.findings == []
