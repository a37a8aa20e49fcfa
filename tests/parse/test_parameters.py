"""Parameters: defaults by place, and repairs."""

import pytest

from mcpgen.diagnostics import Severity
from mcpgen.ir.api import Place, Style


def _parse_parameter(parse_document, document, parameter, path="/a", version="3.1.0"):
    result = parse_document(
        document(paths={path: {"get": {"parameters": [parameter]}}}, version=version)
    )
    return result, result.operation.parameters


@pytest.mark.parametrize(
    ("place", "style", "explode"),
    [
        ("path", Style.SIMPLE, False),
        ("query", Style.FORM, True),
        ("header", Style.SIMPLE, False),
        ("cookie", Style.FORM, True),
    ],
)
def test_each_place_has_its_own_default_style(parse_document, document, place, style, explode):
    definition = {"name": "p", "in": place, "required": True, "schema": {}}

    result, (parameter,) = _parse_parameter(
        parse_document, document, definition, "/a/{p}" if place == "path" else "/a"
    )

    assert (parameter.place, parameter.style, parameter.explode) == (Place(place), style, explode)
    assert result.findings == []


@pytest.mark.parametrize(
    ("style", "explode_field", "explode"),
    [
        ("form", {"explode": False}, False),
        ("pipeDelimited", {}, False),
        ("pipeDelimited", {"explode": True}, True),
        ("deepObject", {}, True),
        ("deepObject", {"explode": False}, True),
    ],
)
def test_explode_follows_the_style_unless_it_is_said(
    parse_document, document, style, explode_field, explode
):
    definition = {"name": "p", "in": "query", "style": style, "schema": {}} | explode_field

    _, (parameter,) = _parse_parameter(parse_document, document, definition)

    assert (parameter.style, parameter.explode) == (Style(style), explode)


def test_a_style_of_another_place_is_replaced_with_a_warning(parse_document, document):
    definition = {"name": "p", "in": "header", "style": "deepObject", "schema": {}}

    result, (parameter,) = _parse_parameter(parse_document, document, definition)

    assert parameter.style is Style.SIMPLE
    assert result.names == ["unknown-style"]


def test_every_field_of_a_parameter_is_kept(parse_document, document):
    definition = {
        "name": "filter[name]",
        "in": "query",
        "description": "d",
        "required": True,
        "deprecated": True,
        "allowReserved": True,
        "schema": {"type": "string"},
        "example": "a",
        "examples": {"b": {"value": "b"}},
        "x-mcp-name": "by_name",
    }

    result, (parameter,) = _parse_parameter(parse_document, document, definition)

    assert result.findings == []
    assert (parameter.name, parameter.announced) == ("filter[name]", "by_name")
    assert (parameter.required, parameter.deprecated, parameter.allow_reserved) == (True,) * 3
    assert parameter.examples == ("a", "b")


def test_a_parameter_may_be_written_in_a_media_type(parse_document, document):
    content = {"application/json": {"schema": {"type": "object"}, "example": {"a": 1}}}

    result, (parameter,) = _parse_parameter(
        parse_document, document, {"name": "p", "in": "query", "content": content}
    )

    assert result.findings == []
    assert (parameter.content, parameter.schema.json) == ("application/json", {"type": "object"})
    assert parameter.examples == ({"a": 1},)


@pytest.mark.parametrize(
    ("definition", "schema"),
    [
        ({}, {"type": "string"}),
        ({"type": "integer", "format": "int32"}, {"type": "integer", "format": "int32"}),
        ({"schema": {"type": "number"}, "content": {"text/plain": {}}}, {"type": "number"}),
    ],
)
def test_a_parameter_with_a_malformed_schema_is_repaired(
    parse_document, document, definition, schema
):
    result, (parameter,) = _parse_parameter(
        parse_document, document, {"name": "p", "in": "query"} | definition
    )

    assert parameter.schema.json == schema
    assert result.names == ["parameter-without-schema"]


@pytest.mark.parametrize("name", ["Accept", "content-type"])
def test_headers_that_follow_from_the_operation_are_ignored_with_a_note(
    parse_document, document, name
):
    result, parameters = _parse_parameter(
        parse_document, document, {"name": name, "in": "header", "schema": {}}
    )

    assert parameters == ()
    assert result.names == ["reserved-header"]


def test_a_path_parameter_is_always_required(parse_document, document):
    result, (parameter,) = _parse_parameter(
        parse_document, document, {"name": "p", "in": "path", "schema": {}}, "/a/{p}"
    )

    assert parameter.required
    assert result.names == ["optional-path-parameter"]


def test_an_undeclared_path_parameter_becomes_a_required_string(parse_document, document):
    result = parse_document(document(paths={"/a/{id}/{sub}": {"get": {}}}))

    first, second = result.operation.parameters
    assert (first.name, second.name) == ("id", "sub")
    assert (first.place, first.required, first.schema.json) == (
        Place.PATH,
        True,
        {"type": "string"},
    )
    assert (first.style, first.explode) == (Style.SIMPLE, False)
    assert result.names == ["undeclared-path-parameter"] * 2


def test_a_path_parameter_without_braces_is_left_out_and_the_near_one_is_named(
    parse_document, document
):
    definition = {"name": "petID", "in": "path", "required": True, "schema": {}}

    result, parameters = _parse_parameter(parse_document, document, definition, "/a/{petId}")

    assert [parameter.name for parameter in parameters] == ["petId"]
    assert result.names == ["unused-path-parameter", "undeclared-path-parameter"]
    assert result.findings[0].hint == "did you mean `petId`?"


def test_a_parameter_declared_twice_counts_once(parse_document, document):
    definitions = [
        {"name": "q", "in": "query", "schema": {"type": "string"}},
        {"name": "q", "in": "query", "schema": {"type": "integer"}},
        {"name": "X-A", "in": "header", "schema": {}},
        {"name": "x-a", "in": "header", "schema": {}},
    ]

    result = parse_document(document({"parameters": definitions}))

    assert [parameter.name for parameter in result.operation.parameters] == ["q", "X-A"]
    assert result.operation.parameters[0].schema.json == {"type": "string"}
    assert result.names == ["duplicate-parameter", "duplicate-parameter"]


@pytest.mark.parametrize("version", ["2.0", "3.0.3", "3.1.0"])
def test_an_empty_row_among_the_parameters_does_not_stand_in_the_way(
    parse_document, document, version
):
    empty = {"name": " ", "in": "header", "type": "string"}

    result, parameters = _parse_parameter(parse_document, document, empty, version=version)

    assert parameters == ()
    assert result.names == ["nameless-parameter"]


def test_a_required_parameter_with_an_empty_name_is_an_error(parse_document, document):
    empty = {"name": "", "in": "query", "required": True, "schema": {}}

    result = parse_document(document(paths={"/a": {"get": {"parameters": [empty]}, "post": {}}}))

    assert result.names == ["malformed-operation"]
    assert result.finding.message.endswith("must be a text, but it is empty")


def test_an_optional_header_that_http_cannot_carry_is_left_out(parse_document, document, swagger):
    for name, character in (("my header", "spaces"), ("a:b", "`:`"), ("größe", "`ö`")):
        definition = [{"name": name, "in": "header", "schema": {"type": "string"}}]
        older = [{"name": name, "in": "header", "type": "string"}]
        for tree in (document({"parameters": definition}), swagger({"parameters": older})):
            result = parse_document(tree)

            assert result.operation.parameters == ()
            assert result.names == ["illegal-header-name"]
            assert result.finding.severity is Severity.WARNING
            assert f"`{name}`" in result.finding.message
            assert f"cannot hold {character}" in result.finding.message
            assert result.finding.at.pointer.endswith("/parameters/0/name")


def test_an_operation_that_requires_a_header_that_http_cannot_carry_is_missing(
    parse_document, document
):
    definition = {"name": "my header", "in": "header", "required": True, "schema": {}}

    result = parse_document(document({"parameters": [definition]}))

    assert result.finding.severity is Severity.ERROR
    assert [item.operation for item in result.api.missing] == ["GET /a"]
    assert "requires" in result.api.missing[0].reason
