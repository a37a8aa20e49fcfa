"""Swagger 2.0: responses, and schemas of the dialect."""

import pytest


def _media(result):
    return result.operation.responses[0].media


@pytest.mark.parametrize(
    ("document", "operation", "names"),
    [
        ([], None, ["application/json"]),
        (["application/xml", "application/json"], None, ["application/xml", "application/json"]),
        (["application/xml"], ["text/plain"], ["text/plain"]),
        (["application/xml"], [], ["application/json"]),
    ],
)
def test_a_response_comes_in_what_its_operation_produces(
    parse_document, swagger, document, operation, names
):
    response = {"description": "d", "schema": {"type": "string"}}
    fields = {} if operation is None else {"produces": operation}

    result = parse_document(swagger({"responses": {"200": response}} | fields, produces=document))

    assert [item.name for item in _media(result)] == names
    assert all(item.schema.json == {"type": "string"} for item in _media(result))
    assert result.findings == []


def test_a_response_without_a_schema_has_no_content(parse_document, swagger):
    result = parse_document(
        swagger({"responses": {"204": {"description": "d"}}}, produces=["text/plain"])
    )

    assert _media(result) == ()


@pytest.mark.parametrize(
    ("produces", "name"), [([], "application/octet-stream"), (["image/png"], "image/png")]
)
def test_a_file_is_answered_as_bytes(parse_document, swagger, produces, name):
    response = {"description": "d", "schema": {"type": "file"}}

    result = parse_document(swagger({"produces": produces, "responses": {"200": response}}))

    (media,) = _media(result)
    assert (media.name, media.schema.json) == (name, {"type": "string", "format": "binary"})
    assert result.findings == []


def test_examples_belong_to_their_media_types(parse_document, swagger):
    examples = {"application/json": {"a": 1}, "text/plain": "a"}
    response = {"description": "d", "schema": {}, "examples": examples}

    result = parse_document(
        swagger({"produces": ["application/json"], "responses": {"200": response}})
    )

    assert [item.examples for item in _media(result)] == [({"a": 1},)]
    assert result.names == ["ignored-value"]
    assert result.finding.at.pointer.endswith("/examples/text~1plain")


def test_named_responses_and_definitions_are_found(parse_document, swagger):
    operation = {"responses": {"404": {"$ref": "#/responses/Missing"}}}
    missing = {"description": "d", "schema": {"$ref": "#/definitions/Error"}}

    result = parse_document(
        swagger(
            operation, responses={"Missing": missing}, definitions={"Error": {"type": "object"}}
        )
    )

    assert _media(result)[0].schema.json == {"$ref": "#/$defs/Error"}
    assert list(result.api.definitions) == ["Error"]
    assert result.findings == []


@pytest.mark.parametrize(
    ("original", "schema"),
    [
        ({"type": "string", "x-nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "x-nullable": False}, {"type": "string"}),
        (
            {"$ref": "#/definitions/A", "x-nullable": True},
            {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
        ),
        (
            {"type": "integer", "maximum": 5, "exclusiveMaximum": True},
            {"type": "integer", "exclusiveMaximum": 5},
        ),
        (
            {"type": "object", "discriminator": "kind"},
            {"type": "object", "discriminator": {"propertyName": "kind"}},
        ),
        (
            {"type": "string", "example": "a", "readOnly": True},
            {"type": "string", "examples": ["a"], "readOnly": True},
        ),
    ],
)
def test_schemas_are_normal_without_a_word(parse_document, swagger, original, schema):
    body = {"name": "b", "in": "body", "schema": original}

    result = parse_document(swagger({"parameters": [body]}, definitions={"A": {"type": "object"}}))

    assert result.operation.body.media[0].schema.json == schema
    assert result.findings == []


@pytest.mark.parametrize(
    ("original", "schema", "name"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}, "foreign-keyword"),
        ({"oneOf": [{"type": "string"}]}, {"oneOf": [{"type": "string"}]}, "foreign-keyword"),
        (
            {"discriminator": {"propertyName": "k", "mapping": {"a": "A"}}},
            {"discriminator": {"propertyName": "k", "mapping": {"a": "#/$defs/A"}}},
            "malformed-schema",
        ),
    ],
)
def test_keywords_of_later_versions_are_read_and_reported(
    parse_document, swagger, original, schema, name
):
    body = {"name": "b", "in": "body", "schema": original}

    result = parse_document(swagger({"parameters": [body]}, definitions={"A": {"type": "object"}}))

    assert result.operation.body.media[0].schema.json == schema
    assert result.names == [name]
