"""`x-mcp` and `x-mcp-name`."""

import pytest

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Extension


def test_everything_an_author_can_say_is_read(parse_document, document):
    extension = {
        "name": "list_pets",
        "title": "Pets",
        "description": "All pets.",
        "hidden": True,
        "annotations": {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }

    result = parse_document(document({"x-mcp": extension}))

    assert result.findings == []
    assert result.operation.extension == Extension(
        "list_pets", "Pets", "All pets.", True, True, False, True, False
    )


def test_nothing_said_is_nothing_known(parse_document, document):
    assert parse_document(document({"x-mcp": None})).operation.extension == Extension()


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        ({"x-mcp-name": "a"}, "a"),
        ({"x-mcp-name": "a", "x-mcp": {"name": "b"}}, "b"),
        ({"x-mcp-name": "a", "x-mcp": {"title": "t"}}, "a"),
    ],
)
def test_a_name_may_be_given_in_short(parse_document, document, operation, name):
    assert parse_document(document(operation)).operation.extension.name == name


@pytest.mark.parametrize(
    ("operation", "pointer"),
    [
        ({"x-mcp": "hidden"}, "/paths/~1a/get/x-mcp"),
        ({"x-mcp": {"hidden": "yes"}}, "/paths/~1a/get/x-mcp/hidden"),
        ({"x-mcp": {"name": 5}}, "/paths/~1a/get/x-mcp/name"),
        ({"x-mcp": {"annotations": []}}, "/paths/~1a/get/x-mcp/annotations"),
        (
            {"x-mcp": {"annotations": {"readOnlyHint": "no"}}},
            "/paths/~1a/get/x-mcp/annotations/readOnlyHint",
        ),
        ({"x-mcp-name": ["a"]}, "/paths/~1a/get/x-mcp-name"),
    ],
)
def test_a_wrong_type_is_one_error_and_the_operation_is_not_exposed(
    parse_document, document, operation, pointer
):
    result = parse_document(document(operation))

    assert result.finding.code is codes.MALFORMED_EXTENSION
    assert result.finding.at.pointer == pointer
    assert result.api.operations == ()
    assert len(result.api.missing) == 1


@pytest.mark.parametrize(
    ("extension", "hint"),
    [
        ({"hiden": True}, "did you mean `hidden`?"),
        ({"annotations": {"readonlyHint": True}}, "did you mean `readOnlyHint`?"),
        (
            {"zzz": 1},
            "one of: name, title, description, hidden, annotations, scopes, fields, arguments, "
            "resource",
        ),
    ],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest(
    parse_document, document, extension, hint
):
    result = parse_document(document({"x-mcp": extension}))

    assert result.finding.code is codes.UNKNOWN_EXTENSION_KEY
    assert result.finding.hint == hint
    assert result.api.operations == ()


def test_the_fields_of_a_result_are_dotted_paths(parse_document, document):
    extension = {"fields": ["id", "owner.name", "id"]}

    result = parse_document(document({"x-mcp": extension}))

    assert result.findings == []
    assert result.operation.extension.fields == ("id", "owner.name")


def test_header_that_repeats_an_argument_is_read(parse_document, document):
    result = parse_document(document({"x-mcp": {"arguments": {"region": {"header": "Region"}}}}))

    assert result.findings == []
    assert result.operation.extension.arguments["region"].header == "Region"


@pytest.mark.parametrize("setting", ["", "Region", "a b", "a" * 41])
def test_setting_that_cannot_be_a_variable_is_an_error(parse_document, document, setting):
    result = parse_document(document({"x-mcp": {"arguments": {"r": {"setting": setting}}}}))

    assert result.finding.code is codes.MALFORMED_EXTENSION
    assert result.finding.at.pointer == "/paths/~1a/get/x-mcp/arguments/r/setting"
    assert result.api.operations == ()


def test_argument_without_a_value_counts_as_absent(parse_document, document):
    result = parse_document(document({"x-mcp": {"arguments": {"r": None}}}))

    assert result.findings == []
    assert result.operation.extension.arguments == {}


def test_scopes_are_recorded(parse_document, document):
    result = parse_document(document({"x-mcp": {"scopes": ["pets:read", "pets:write"]}}))

    assert result.operation.extension.scopes == ("pets:read", "pets:write")
    assert not list(result.findings)


@pytest.mark.parametrize(
    ("extension", "pointer"),
    [
        ({"scopes": "pets:read"}, "/scopes"),
        ({"scopes": [5]}, "/scopes/0"),
        ({"scopes": ["a", "pets read"]}, "/scopes/1"),
        ({"scopes": [""]}, "/scopes/0"),
        ({"fields": {"id": True}}, "/fields"),
        ({"fields": ["id", None]}, "/fields/1"),
        ({"fields": ["owner..name"]}, "/fields/0"),
        ({"fields": [".id"]}, "/fields/0"),
        ({"fields": [" "]}, "/fields/0"),
    ],
)
def test_a_list_that_is_none_of_texts_is_an_error_at_its_place(
    parse_document, document, extension, pointer
):
    result = parse_document(document({"x-mcp": extension}))

    assert [
        (finding.code, finding.at.pointer)
        for finding in result.findings
        if finding.severity == "error"
    ] == [(codes.MALFORMED_EXTENSION, f"/paths/~1a/get/x-mcp{pointer}")]
    assert len(result.api.missing) == 1


def test_a_resource_is_kept_with_its_location(parse_document, document):
    result = parse_document(document({"x-mcp": {"resource": {"uri": "a://b"}}}))

    resource = result.operation.extension.resource
    assert resource.told == {"uri": "a://b"}
    assert resource.at.pointer == "/paths/~1a/get/x-mcp"


def test_a_resource_that_is_no_mapping_is_reported(parse_document, document):
    result = parse_document(document({"x-mcp": {"resource": "a://b"}}))

    assert result.finding.code is codes.MALFORMED_EXTENSION
    assert result.finding.at.pointer == "/paths/~1a/get/x-mcp/resource"
