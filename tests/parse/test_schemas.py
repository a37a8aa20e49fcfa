"""Normal form of schemas in both dialects."""

import jsonschema_rs
import pytest

from mcpgen.diagnostics import Severity


@pytest.mark.parametrize(
    ("original", "normal"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        (
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"type": "string", "enum": ["a", None], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"allOf": [{"type": "object"}], "nullable": True, "description": "d"},
            {"description": "d", "anyOf": [{"allOf": [{"type": "object"}]}, {"type": "null"}]},
        ),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"minimum": 1, "exclusiveMinimum": False}, {"minimum": 1}),
        ({"maximum": 9, "exclusiveMaximum": True}, {"exclusiveMaximum": 9}),
        ({"exclusiveMaximum": True}, {}),
        ({"type": "integer", "example": 4}, {"type": "integer", "examples": [4]}),
        ({"type": "string", "x-internal": 1, "externalDocs": {"url": "u"}}, {"type": "string"}),
        ({"type": "string", "format": "binary"}, {"type": "string", "format": "binary"}),
        ({"xml": {"name": "n", "x-a": 1}}, {"xml": {"name": "n"}}),
        ({"additionalProperties": False}, {"additionalProperties": False}),
    ],
)
def test_keywords_of_3_0_become_those_of_json_schema(schema, original, normal):
    normalized_schema, result = schema(original, "3.0.3")

    assert normalized_schema == normal
    assert {item.code.id for item in result.findings} <= {"MG265"}


def test_schemas_of_3_1_stay_as_they_are(schema):
    original = {
        "type": ["object", "null"],
        "properties": {"a": {"const": 1}, "b": True},
        "patternProperties": {"^x": {"type": "string"}},
        "if": {"required": ["a"]},
        "then": {"minProperties": 2},
        "dependentRequired": {"a": ["b"]},
        "prefixItems": [{"type": "string"}],
        "exclusiveMinimum": 3,
        "unevaluatedProperties": False,
        "contentMediaType": "application/json",
        "contentSchema": {"type": "array"},
        "examples": [{"a": 1}],
    }

    normalized_schema, result = schema(original)

    assert normalized_schema == original
    assert result.findings == []


def test_siblings_of_a_reference_are_kept_in_3_1(schema):
    original = {"$ref": "#/components/schemas/A", "minLength": 2, "description": "d"}

    normalized_schema, result = schema(original, definitions={"A": {"type": "string"}})

    assert normalized_schema == {"$ref": "#/$defs/A", "minLength": 2, "description": "d"}
    assert result.findings == []


def test_only_texts_beside_a_reference_are_kept_in_3_0(schema):
    original = {"$ref": "#/components/schemas/A", "minLength": 2, "description": "d", "x-a": 1}

    normalized_schema, result = schema(original, "3.0.3", {"A": {"type": "string"}})

    assert normalized_schema == {"$ref": "#/$defs/A", "description": "d"}
    assert result.names == ["ignored-sibling"]
    assert "`minLength`" in result.finding.message


def test_keywords_of_json_schema_are_honored_in_3_0_with_one_note(schema):
    original = {"properties": {"a": {"const": 1}, "b": {"const": 2}}}

    normalized_schema, result = schema(original, "3.0.3")

    assert normalized_schema == original
    assert result.finding.severity is Severity.NOTE
    assert "in 2 places" in result.finding.message


@pytest.mark.parametrize(
    ("original", "reason", "hint"),
    [
        (
            {"nullable": True, "allOf": [{"type": "object"}]},
            "beside `allOf` without `type`",
            "write `type` beside `nullable: true`, here and in each schema of `allOf`",
        ),
        (
            {"nullable": True, "not": {"type": "integer"}},
            "beside `not` without `type`",
            "write `type` beside `nullable: true`",
        ),
        (
            {"nullable": True, "type": "string", "enum": ["a"]},
            "beside an `enum` without null",
            "add null to the values of `enum`",
        ),
    ],
)
def test_a_nullable_that_3_0_gives_no_effect_is_reported_once(schema, original, reason, hint):
    normalized_schema, result = schema(
        {"type": "object", "properties": {"a": original, "b": original}}, "3.0.3"
    )

    (finding,) = result.findings
    assert finding.message == (
        f"`nullable: true` {reason} has no effect in OpenAPI 3.0; mcpgen still allows null"
        " (in 2 places)"
    )
    assert finding.hint == hint
    assert jsonschema_rs.is_valid(normalized_schema["properties"]["a"], None)


@pytest.mark.parametrize(
    "original",
    [
        {"nullable": True},
        {"nullable": True, "type": "string", "enum": ["a", None]},
        {"nullable": False, "allOf": [{"type": "object"}]},
    ],
)
def test_a_nullable_that_has_its_effect_is_not_reported(schema, original):
    _, result = schema(original, "3.0.3")

    assert result.findings == []


def test_nullable_is_honored_in_3_1_with_a_note(schema):
    normalized_schema, result = schema({"type": "string", "nullable": True})

    assert normalized_schema == {"type": ["string", "null"]}
    assert result.names == ["foreign-keyword"]


def test_a_recursive_schema_is_natural(schema):
    tree = {"properties": {"kids": {"type": "array", "items": {"$ref": "#/components/schemas/T"}}}}

    normalized_schema, result = schema({"$ref": "#/components/schemas/T"}, definitions={"T": tree})

    kids = result.api.definitions["T"].json["properties"]["kids"]
    assert normalized_schema == {"$ref": "#/$defs/T"}
    assert kids["items"] == {"$ref": "#/$defs/T"}
    assert result.findings == []


@pytest.mark.parametrize(
    ("definitions", "normal"),
    [
        ({"A": {"$ref": "#/components/schemas/A"}}, {"A": {}}),
        (
            {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}},
            {"A": {"$ref": "#/$defs/B"}, "B": {}},
        ),
        (
            {"A": {"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/A"}]}},
            {"A": {"anyOf": [{"type": "string"}]}},
        ),
        (
            {"A": {"allOf": [{"minimum": 1}, {"$ref": "#/components/schemas/A"}]}},
            {"A": {"allOf": [{"minimum": 1}, {}]}},
        ),
    ],
)
def test_a_schema_that_applies_itself_to_its_own_value_is_opened(schema, definitions, normal):
    _, result = schema({"$ref": "#/components/schemas/A"}, definitions=definitions)

    assert {name: definition.json for name, definition in result.api.definitions.items()} == normal
    assert result.names == ["endless-schema"]


def test_a_mapping_of_a_discriminator_names_definitions(schema):
    original = {
        "oneOf": [{"$ref": "#/components/schemas/Cat"}],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"cat": "Cat", "dog": "#/components/schemas/Dog", "elk": "#/nowhere"},
        },
    }

    normalized_schema, result = schema(original, definitions={"Cat": {}, "Dog": {"type": "object"}})

    assert normalized_schema["discriminator"] == {
        "propertyName": "kind",
        "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"},
    }
    assert list(result.api.definitions) == ["Cat", "Dog"]
    assert result.names == ["unusable-mapping"]


def test_the_name_an_author_chose_for_a_property_stays(schema):
    original = {"properties": {"a": {"type": "string", "x-mcp-name": "alpha"}}}

    normalized_schema, result = schema(original)

    assert normalized_schema == original
    assert result.findings == []


def test_an_unknown_keyword_is_reported_with_the_closest_keyword(schema):
    normalized_schema, result = schema({"type": "string", "minLenght": 3})

    assert normalized_schema == {"type": "string"}
    assert result.finding.hint == "did you mean `minLength`?"


def test_a_schema_nested_too_deeply_makes_its_operation_missing(parse_document, document):
    original = {"type": "string"}
    for _ in range(150):
        original = {"type": "array", "items": original}
    body = {"content": {"application/json": {"schema": original}}}

    result = parse_document(document({"requestBody": body}))

    assert result.names == ["deep-schema"]
    assert len(result.api.missing) == 1


def test_normal_forms_do_not_share_values_with_the_document(parse_document, document):
    components = {"schemas": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
    tree = document({"requestBody": body}, components=components)

    parse_document(tree)

    assert tree["components"] == {"schemas": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}}}


def test_definitions_with_their_references_compile(schema):
    definitions = {"A b": {"properties": {"b": {"$ref": "#/components/schemas/A b"}}}}

    normalized_schema, result = schema({"$ref": "#/components/schemas/A b"}, "3.0.0", definitions)

    defs = {name: definition.json for name, definition in result.api.definitions.items()}
    validator = jsonschema_rs.Draft202012Validator(normalized_schema | {"$defs": defs})
    assert validator.is_valid({"b": {}})
