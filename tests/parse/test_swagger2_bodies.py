"""Swagger 2.0: bodies, forms and files."""

import pytest

from mcpgen.ir.api import Style

BINARY = {"type": "string", "format": "binary"}
MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"


def _field(name, **more):
    return {"name": name, "in": "formData", "type": "string"} | more


def _body(name="body", **more):
    return {"name": name, "in": "body", "schema": {"type": "object"}} | more


@pytest.mark.parametrize(
    ("document", "operation", "names"),
    [
        ({}, {}, ["application/json"]),
        ({"consumes": ["application/xml"]}, {}, ["application/xml"]),
        ({"consumes": ["application/xml"]}, {"consumes": []}, ["application/json"]),
        ({}, {"consumes": ["text/plain", "application/json"]}, ["text/plain", "application/json"]),
    ],
)
def test_a_body_travels_in_what_its_operation_consumes(
    parse_document, swagger, document, operation, names
):
    operation_object = operation | {"parameters": [_body(required=True, description="d")]}

    result = parse_document(swagger(operation_object, **document))

    body = result.operation.body
    assert [item.name for item in body.media] == names
    assert {str(item.schema.json) for item in body.media} == {"{'type': 'object'}"}
    assert (body.required, body.description) == (True, "d")
    assert result.findings == []


def test_a_body_refers_to_definitions_and_keeps_its_example_and_name(parse_document, swagger):
    parameter = _body(schema={"$ref": "#/definitions/Pet"}) | {"x-example": {}, "x-mcp-name": "pet"}

    result = parse_document(
        swagger({"parameters": [parameter]}, definitions={"Pet": {"type": "object"}})
    )

    (media,) = result.operation.body.media
    assert media.schema.json == {"$ref": "#/$defs/Pet", "x-mcp-name": "pet"}
    assert media.examples == ({},)
    assert result.api.definitions["Pet"].json == {"type": "object"}


@pytest.mark.parametrize(
    ("fields", "schema"), [({}, None), ({"type": "string"}, {"type": "string"})]
)
def test_a_body_without_a_schema_is_reported(parse_document, swagger, fields, schema):
    result = parse_document(swagger({"parameters": [{"name": "b", "in": "body"} | fields]}))

    body_schema = result.operation.body.media[0].schema
    assert (body_schema and body_schema.json) == schema
    assert result.names == ["parameter-without-schema"]


@pytest.mark.parametrize(
    ("parameters", "place"),
    [
        ([_body("a"), _body("b")], "/1"),
        ([_body("a"), _field("b")], "/0"),
    ],
)
def test_several_bodies_are_an_error_of_their_operation(parse_document, swagger, parameters, place):
    result = parse_document(swagger({"parameters": parameters, "consumes": [URLENCODED]}))

    assert result.names == ["several-bodies"]
    assert result.finding.at.pointer == f"/paths/~1a/post/parameters{place}"
    assert [item.operation for item in result.api.missing] == ["POST /a"]


@pytest.mark.parametrize("shared", [_body("other"), _field("other")])
def test_the_body_of_an_operation_replaces_that_of_its_path(parse_document, swagger, shared):
    item = {"parameters": [shared], "post": {"parameters": [_body("own")]}}

    result = parse_document(swagger(paths={"/a": item}))

    assert result.operation.body.media[0].schema.json == {"type": "object"}
    assert result.findings == []


def test_the_fields_of_a_form_are_one_closed_object(parse_document, swagger):
    fields = [
        _field("name", required=True, description="d", maxLength=9),
        _field("age", type="integer") | {"x-mcp-name": "years", "x-example": 7},
    ]

    result = parse_document(swagger({"consumes": [URLENCODED], "parameters": fields}))

    body = result.operation.body
    (media,) = body.media
    assert (media.name, body.required) == (URLENCODED, True)
    assert media.schema.json == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 9, "minLength": 1, "description": "d"},
            "age": {"type": "integer", "x-mcp-name": "years", "examples": [7]},
        },
        "additionalProperties": False,
        "required": ["name"],
    }
    assert result.findings == []


@pytest.mark.parametrize(
    ("collection_format", "style", "explode"),
    [
        ("csv", Style.FORM, False),
        ("tsv", Style.TAB, False),
        ("pipes", Style.PIPE, False),
        ("multi", Style.FORM, True),
    ],
)
def test_the_arrays_of_a_form_are_written_as_they_say(
    parse_document, swagger, collection_format, style, explode
):
    field = _field(
        "tags", type="array", items={"type": "string"}, collectionFormat=collection_format
    )

    result = parse_document(swagger({"consumes": [URLENCODED], "parameters": [field, _field("b")]}))

    (encoding,) = result.operation.body.media[0].encodings
    assert (encoding.name, encoding.style, encoding.explode) == ("tags", style, explode)


def test_a_file_is_bytes_in_a_multipart_body(parse_document, swagger):
    fields = [_field("file", type="file", required=True), _field("note")]

    result = parse_document(swagger({"consumes": [URLENCODED, MULTIPART], "parameters": fields}))

    (media,) = result.operation.body.media
    assert media.name == MULTIPART
    note = {"type": "string", "minLength": 1}
    assert media.schema.json["properties"] == {"file": BINARY, "note": note}
    assert result.findings == []


@pytest.mark.parametrize(
    ("consumes", "kind", "used"),
    [
        ([], "string", URLENCODED),
        (["application/json"], "string", URLENCODED),
        ([], "file", MULTIPART),
        ([URLENCODED], "file", MULTIPART),
    ],
)
def test_a_form_that_nothing_consumed_can_carry_is_repaired(
    parse_document, swagger, consumes, kind, used
):
    result = parse_document(swagger({"consumes": consumes, "parameters": [_field("f", type=kind)]}))

    assert [item.name for item in result.operation.body.media] == [used]
    assert result.names == ["unfit-form"]
    assert result.finding.at.pointer == "/paths/~1a/post/parameters/0"


def test_of_what_is_consumed_only_forms_carry_a_form(parse_document, swagger):
    consumes = ["application/json", MULTIPART, URLENCODED]

    result = parse_document(swagger({"parameters": [_field("f")]}, consumes=consumes))

    assert [item.name for item in result.operation.body.media] == [MULTIPART, URLENCODED]
    assert result.findings == []


def test_a_media_type_that_is_none_is_reported_once_for_the_document(parse_document, swagger):
    paths = {"/a": {"post": {"parameters": [_body()]}}, "/b": {"post": {"parameters": [_body()]}}}

    result = parse_document(swagger(paths=paths, consumes=["json", "application/json"]))

    assert result.names == ["ignored-media-type"]
    assert [item.name for item in result.api.operations[1].body.media] == ["application/json"]
