"""Swagger 2.0: parameters in path, query and headers, and serialization of arrays."""

import pytest

from mcpgen.ir.api import Place, Style

ARRAY = {"type": "array", "items": {"type": "string"}}


def _parse_parameter(parse_document, swagger, parameter, **fields):
    """Returns the result for an operation with a single parameter, declared in the path if needed."""
    path = "/a/{p}" if parameter.get("in") == "path" else "/a"
    required_member = {"required": True} if parameter.get("in") == "path" else {}
    operation = {"parameters": [{"name": "p"} | required_member | parameter]}
    return parse_document(swagger(paths={path: {"get": operation}}, **fields))


@pytest.mark.parametrize(
    ("place", "collection_format", "style", "explode"),
    [
        ("query", "csv", Style.FORM, False),
        ("query", None, Style.FORM, False),
        ("query", "ssv", Style.SPACE, False),
        ("query", "tsv", Style.TAB, False),
        ("query", "pipes", Style.PIPE, False),
        ("query", "multi", Style.FORM, True),
        ("path", "csv", Style.SIMPLE, False),
        ("path", None, Style.SIMPLE, False),
        ("path", "ssv", Style.SPACE, False),
        ("path", "tsv", Style.TAB, False),
        ("header", "csv", Style.SIMPLE, False),
        ("header", "pipes", Style.PIPE, False),
    ],
)
def test_a_collection_format_is_a_style(
    parse_document, swagger, place, collection_format, style, explode
):
    fields = {"collectionFormat": collection_format} if collection_format else {}

    result = _parse_parameter(parse_document, swagger, {"in": place} | ARRAY | fields)

    (parameter,) = result.operation.parameters
    assert (parameter.place, parameter.style, parameter.explode) == (Place(place), style, explode)
    assert parameter.schema.json == ARRAY
    assert result.findings == []


@pytest.mark.parametrize(
    ("place", "style", "explode"),
    [("query", Style.FORM, True), ("path", Style.SIMPLE, False), ("header", Style.SIMPLE, False)],
)
def test_a_single_value_has_the_style_of_its_place(parse_document, swagger, place, style, explode):
    definition = {"in": place, "type": "integer", "collectionFormat": "pipes"}

    (parameter,) = _parse_parameter(parse_document, swagger, definition).operation.parameters

    assert (parameter.style, parameter.explode) == (style, explode)


@pytest.mark.parametrize(("place", "collection_format"), [("path", "multi"), ("query", "commas")])
def test_a_format_that_a_place_does_not_have_is_read_as_csv(
    parse_document, swagger, place, collection_format
):
    result = _parse_parameter(
        parse_document, swagger, {"in": place, "collectionFormat": collection_format} | ARRAY
    )

    assert result.operation.parameters[0].explode is False
    assert result.names == ["unknown-style"]
    assert result.finding.at.pointer.endswith("/parameters/0/collectionFormat")


def test_the_keywords_beside_the_name_are_the_schema(parse_document, swagger):
    definition = {
        "in": "query",
        "type": "number",
        "format": "double",
        "minimum": 0,
        "exclusiveMinimum": True,
        "maximum": 9,
        "default": 5,
        "description": "d",
        "required": True,
        "x-example": 7,
        "x-mcp-name": "chosen",
    }

    result = _parse_parameter(parse_document, swagger, definition)

    (parameter,) = result.operation.parameters
    assert parameter.schema.json == {
        "type": "number",
        "format": "double",
        "default": 5,
        "exclusiveMinimum": 0,
        "maximum": 9,
    }
    assert (parameter.description, parameter.required) == ("d", True)
    assert (parameter.examples, parameter.announced) == ((7,), "chosen")
    assert result.findings == []


@pytest.mark.parametrize(
    ("definition", "schema"),
    [
        ({}, {"type": "string", "minLength": 1}),
        ({"enum": ["a"]}, {"type": "string", "enum": ["a"]}),
        ({"items": {"type": "integer"}}, {"type": "array", "items": {"type": "integer"}}),
        ({"schema": {"type": "boolean"}}, {"type": "boolean"}),
    ],
)
def test_a_parameter_without_a_type_is_repaired(parse_document, swagger, definition, schema):
    result = _parse_parameter(parse_document, swagger, {"in": "query"} | definition)

    assert result.operation.parameters[0].schema.json == schema
    assert result.names == ["untyped-parameter"]


@pytest.mark.parametrize(
    ("place", "outer", "inner", "style", "explode", "rows"),
    [
        ("query", "csv", "pipes", Style.FORM, False, Style.PIPE),
        ("query", "multi", "csv", Style.FORM, True, Style.FORM),
        ("path", "ssv", "csv", Style.SPACE, False, Style.SIMPLE),
        ("header", "csv", "tsv", Style.SIMPLE, False, Style.TAB),
    ],
)
def test_an_array_of_arrays_has_a_separator_for_each_level(
    parse_document, swagger, place, outer, inner, style, explode, rows
):
    items = ARRAY | {"collectionFormat": inner}
    definition = {"in": place, "type": "array", "collectionFormat": outer, "items": items}

    (parameter,) = _parse_parameter(
        parse_document, swagger, definition | {"required": True}
    ).operation.parameters

    assert (parameter.style, parameter.explode, parameter.rows) == (style, explode, rows)
    assert parameter.schema.json["items"] == ARRAY


def test_an_array_of_arrays_with_one_separator_is_left_out_unless_the_operation_needs_it(
    parse_document, swagger
):
    definition = {"in": "query", "type": "array", "items": ARRAY}

    optional = _parse_parameter(parse_document, swagger, definition)
    required = _parse_parameter(parse_document, swagger, definition | {"required": True})

    assert optional.operation.parameters == ()
    assert [item.severity.value for item in optional.findings] == ["warning"]
    assert required.api.operations == ()
    assert [item.operation for item in required.api.missing] == ["GET /a"]
    assert required.names == ["nested-array"]


@pytest.mark.parametrize(
    ("definition", "schema", "names"),
    [
        ({"type": "string"}, {"type": "string"}, []),
        ({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["a", ""]}, []),
        ({"type": "boolean"}, {"type": "boolean"}, ["empty-value"]),
        ({"type": "string", "minLength": 1}, {"type": "string", "minLength": 1}, ["empty-value"]),
    ],
)
def test_a_value_that_may_be_empty_is_allowed_or_reported(
    parse_document, swagger, definition, schema, names
):
    result = _parse_parameter(
        parse_document, swagger, {"in": "query", "allowEmptyValue": True} | definition
    )

    assert result.operation.parameters[0].schema.json == schema
    assert result.names == names


@pytest.mark.parametrize(
    ("definition", "min_length"),
    [
        ({"in": "query"}, 1),
        ({"in": "header"}, None),
        ({"in": "query", "default": ""}, 1),
        ({"in": "query", "allowEmptyValue": True}, None),
        ({"in": "query", "minLength": 3}, 3),
    ],
)
def test_a_text_is_empty_only_where_the_document_lets_it(
    parse_document, swagger, definition, min_length
):
    result = _parse_parameter(parse_document, swagger, {"type": "string"} | definition)

    schema = result.operation.parameters[0].schema.json
    assert (schema.get("minLength"), "default" in schema) == (min_length, False)
    assert result.findings == []


def test_named_parameters_are_found_in_the_document_and_in_other_files(parse_document, swagger):
    operation = {
        "parameters": [{"$ref": "#/parameters/page"}, {"$ref": "shared.json#/parameters/size"}]
    }
    size = {"name": "size", "in": "query", "type": "integer"}
    page = {"name": "page", "in": "query", "type": "integer"}

    result = parse_document(
        swagger(operation, parameters={"page": page}),
        {"shared.json": {"parameters": {"size": size}}},
    )

    assert [parameter.name for parameter in result.operation.parameters] == ["page", "size"]
    assert result.findings == []


def test_a_parameter_of_the_operation_replaces_that_of_its_path(parse_document, swagger):
    shared = [
        {"name": "q", "in": "query", "type": "string"},
        {"name": "X-A", "in": "header", "type": "string"},
    ]
    operation_parameters = [{"name": "q", "in": "query", "type": "integer"}]

    result = parse_document(
        swagger(paths={"/a": {"parameters": shared, "get": {"parameters": operation_parameters}}})
    )

    schemas = {parameter.name: parameter.schema.json for parameter in result.operation.parameters}
    assert schemas == {"q": {"type": "integer"}, "X-A": {"type": "string"}}


@pytest.mark.parametrize(
    "parameter",
    [{"name": "p", "in": "cookie", "type": "string"}, {"in": "query", "type": "string"}, "p", 5],
)
def test_what_is_no_parameter_is_an_error_of_its_operation(parse_document, swagger, parameter):
    result = parse_document(swagger({"parameters": [parameter]}))

    assert result.names == ["malformed-operation"]
    assert len(result.api.missing) == 1


def test_an_operation_keeps_its_extension(parse_document, swagger):
    result = parse_document(
        swagger({"x-mcp": {"title": "T"}, "x-mcp-name": "chosen", "tags": ["t"]})
    )

    extension = result.operation.extension
    assert (extension.name, extension.title) == ("chosen", "T")
    assert result.operation.tags == ("t",)
