"""Schemas with their subtypes as alternatives."""

import pytest


def _schemas_with(prefix, pet):
    size_schema = {"type": "object", "properties": {"size": {"type": "integer"}}}
    kind = {"properties": {"kind": {"type": "string"}}, "required": ["kind"]}
    return {
        "Pet": {"type": "object"} | kind | pet,
        "Cat": {"allOf": [{"$ref": f"{prefix}/Pet"}, size_schema]},
        "Lion": {"allOf": [{"$ref": f"{prefix}/Cat"}, size_schema]},
        "Stone": size_schema,
    }


def test_in_swagger_2_they_are_named_by_their_definitions(parse_document, swagger):
    definitions = _schemas_with("#/definitions", {"discriminator": "kind"})
    body = {"in": "body", "name": "b", "schema": {"$ref": "#/definitions/Pet"}}

    result = parse_document(swagger({"parameters": [body]}, definitions=definitions))

    assert result.api.definitions["Pet"].json["discriminator"] == {
        "propertyName": "kind",
        "mapping": {"Cat": "#/$defs/Cat", "Lion": "#/$defs/Lion", "Pet": "#/$defs/Pet"},
    }
    assert set(result.api.definitions) == {"Pet", "Cat", "Lion"}
    assert result.findings == []


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_in_openapi_3_a_mapping_may_rename_some_of_them(parse_document, document, version):
    pet = {"discriminator": {"propertyName": "kind", "mapping": {"c": "Cat"}}}
    schemas = _schemas_with("#/components/schemas", pet)
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}

    result = parse_document(
        document(
            {"requestBody": {"content": content}}, version=version, components={"schemas": schemas}
        )
    )

    assert result.api.definitions["Pet"].json["discriminator"]["mapping"] == {
        "c": "#/$defs/Cat",
        "Lion": "#/$defs/Lion",
        "Pet": "#/$defs/Pet",
    }


def test_a_schema_that_nothing_inherits_from_is_no_alternative_of_itself(parse_document, swagger):
    stone = _schemas_with("#/definitions", {})["Stone"] | {"discriminator": "size"}
    body = {"in": "body", "name": "b", "schema": {"$ref": "#/definitions/Stone"}}

    result = parse_document(swagger({"parameters": [body]}, definitions={"Stone": stone}))

    assert result.api.definitions["Stone"].json["discriminator"] == {"propertyName": "size"}


def test_a_schema_that_lists_its_alternatives_has_no_others(parse_document, document):
    pet = {
        "discriminator": {"propertyName": "kind"},
        "oneOf": [{"$ref": "#/components/schemas/Stone"}],
    }
    schemas = _schemas_with("#/components/schemas", pet)
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}

    result = parse_document(
        document({"requestBody": {"content": content}}, components={"schemas": schemas})
    )

    assert result.api.definitions["Pet"].json["discriminator"] == {"propertyName": "kind"}
