"""Path templates: parameters, queries, fragments and repairs."""

import pytest

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Place


def _paths(parse_document, document, *paths):
    return parse_document(document(paths={path: {"get": {}} for path in paths}))


def test_a_segment_may_hold_several_parameters(parse_document, document):
    result = _paths(parse_document, document, "/a/{b}.{c}/{b}")

    assert [parameter.name for parameter in result.operation.parameters] == ["b", "c"]
    assert result.operation.path == "/a/{b}.{c}/{b}"


def test_a_missing_slash_is_put_in_front(parse_document, document):
    result = _paths(parse_document, document, "pets")

    assert result.operation.key == "GET /pets"
    assert result.names == ["corrected-path"]


def test_a_query_in_the_path_becomes_fixed_parameters(parse_document, document):
    result = _paths(parse_document, document, "/a?x=y&z=")

    first, second = result.operation.parameters
    assert (result.operation.path, result.operation.key) == ("/a", "GET /a?x=y&z=")
    assert (first.name, first.place, first.required) == ("x", Place.QUERY, True)
    assert (first.schema.json["const"], second.schema.json["const"]) == ("y", "")
    assert result.names == ["corrected-path"]


def test_what_the_query_in_a_path_leaves_open_becomes_query_parameters(parse_document, document):
    parameter_objects = [
        {"name": "lat", "in": "path", "required": True, "schema": {"type": "number"}},
        {"name": "unit", "in": "query", "schema": {"type": "string"}},
        {"name": "n", "in": "header", "schema": {"type": "string"}},
    ]
    path = "/near?lat={lat}&count={n}&unit={unit}&v=2"

    result = parse_document(document(paths={path: {"get": {"parameters": parameter_objects}}}))

    parameters = {
        parameter.name: parameter
        for parameter in result.operation.parameters
        if parameter.place is Place.QUERY
    }
    assert list(parameters) == ["lat", "count", "unit", "v"]
    assert parameters["lat"].schema.json == {"type": "number"}
    assert [parameter.required for parameter in parameters.values()] == [True, True, False, True]
    assert [
        parameter.name
        for parameter in result.operation.parameters
        if parameter.place is Place.HEADER
    ] == ["n"]
    assert result.names == ["corrected-path", "undeclared-path-parameter"]


def test_a_query_parameter_travels_under_the_name_that_the_path_gives_it(parse_document, document):
    parameter_objects = [{"name": "place", "in": "query", "schema": {"type": "string"}}]

    result = parse_document(
        document(paths={"/near?q={place}": {"get": {"parameters": parameter_objects}}})
    )

    assert [parameter.name for parameter in result.operation.parameters] == ["q"]


def test_a_query_parameter_is_its_own_where_the_path_means_another(parse_document, document):
    parameter_objects = [
        {"name": name, "in": "query", "schema": {"type": "string"}} for name in ("x", "y")
    ]

    result = parse_document(
        document(paths={"/near?x={y}": {"get": {"parameters": parameter_objects}}})
    )

    assert [parameter.name for parameter in result.operation.parameters] == ["x", "y"]


def test_an_expression_behind_a_path_names_parameters_that_may_be_left_out(
    parse_document, document
):
    parameter_objects = [{"name": "limit", "in": "query", "schema": {"type": "integer"}}]

    result = parse_document(
        document(paths={"/a/{b}{?limit,tags*}": {"get": {"parameters": parameter_objects}}})
    )

    parameters = {parameter.name: parameter for parameter in result.operation.parameters}
    assert result.operation.path == "/a/{b}"
    assert (parameters["limit"].schema.json, parameters["limit"].required) == (
        {"type": "integer"},
        False,
    )
    assert (parameters["tags"].place, parameters["tags"].required) == (Place.QUERY, False)
    assert result.names == ["corrected-path", "undeclared-path-parameter"]


def test_an_expression_behind_a_path_names_a_parameter_once_and_without_what_modifies_it(
    parse_document, document
):
    result = _paths(parse_document, document, "/a{?limit:3,limit,tags*}")

    assert [parameter.name for parameter in result.operation.parameters] == ["limit", "tags"]


def test_operations_of_one_path_distinguished_by_fragment_are_all_there(parse_document, document):
    result = _paths(parse_document, document, "/a", "/a#one", "/a#two")

    assert [operation.path for operation in result.api.operations] == ["/a", "/a", "/a"]
    assert [operation.key for operation in result.api.operations] == [
        "GET /a",
        "GET /a#one",
        "GET /a#two",
    ]
    assert result.names == ["corrected-path", "corrected-path"]


def test_paths_that_differ_only_in_the_names_of_parameters_are_warned_of(parse_document, document):
    result = _paths(parse_document, document, "/a/{b}", "/a/{c}")

    assert len(result.api.operations) == 2
    assert "equivalent-paths" in result.names


@pytest.mark.parametrize(
    "path",
    [
        "/a/{b",
        "/a/b}",
        "/a/{}",
        "/a/{{b}}",
        "/a b",
        "/a\r\nHost: x",
        "/../a",
        "/a/./b",
        "//host/a",
        "/a\\b",
        "/a?x={y}{z}",
        "/a?x=v{y}",
        "/a?{y}=1",
        "/a?={y}",
        "/a{?y,}",
    ],
)
def test_a_path_that_cannot_be_requested_is_an_error(parse_document, document, path):
    result = _paths(parse_document, document, path, "/fine")

    assert result.finding.code is codes.ILLEGAL_PATH
    assert [operation.path for operation in result.api.operations] == ["/fine"]
    assert len(result.api.missing) == 1


def test_a_path_that_is_the_same_once_repaired_is_an_error(parse_document, document):
    result = _paths(parse_document, document, "/a", "a")

    assert result.finding.code is codes.ILLEGAL_PATH
    assert len(result.api.operations) == 1


def test_a_path_that_another_differs_from_in_its_fragment_is_reported_once(
    parse_document, document
):
    result = _paths(parse_document, document, "/a/{b}#c", "/a/{b}")

    assert result.names == ["corrected-path", *["undeclared-path-parameter"] * 2]


def test_an_undeclared_parameter_of_the_query_is_to_be_declared_there(parse_document, document):
    result = _paths(parse_document, document, "/a?convert={convert}")

    hints = [item.hint for item in result.findings if item.code is codes.UNDECLARED_PATH_PARAMETER]
    assert hints == ["declare a parameter `convert` with `in: query`"]
