"""Operations: inherited values, and faults."""

from dataclasses import replace

import pytest

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Place
from mcpgen.ir.source import Syntax
from mcpgen.parse import parse


def test_operations_stand_in_the_order_of_the_document(parse_document, document):
    paths = {"/b": {"post": {}, "get": {}}, "/a": {"trace": {}, "x-note": {}, "summary": "s"}}

    result = parse_document(document(paths=paths))

    assert [operation.key for operation in result.api.operations] == [
        "POST /b",
        "GET /b",
        "TRACE /a",
    ]


def test_texts_of_an_operation_are_kept_as_they_are(parse_document, document):
    operation = {
        "operationId": "getA",
        "summary": " A ",
        "description": 5,
        "tags": ["x", 7],
        "deprecated": True,
    }

    result = parse_document(document(operation)).operation

    assert (result.id, result.summary, result.description) == ("getA", " A ", "5")
    assert (result.tags, result.deprecated) == (("x", "7"), True)


def test_parameters_of_the_path_item_are_joined_and_the_operation_wins(parse_document, document):
    item = {
        "parameters": [
            {"name": "q", "in": "query", "schema": {"type": "string"}},
            {"name": "h", "in": "header", "schema": {}},
        ],
        "get": {
            "parameters": [
                {"name": "q", "in": "query", "schema": {"type": "integer"}},
                {"name": "q", "in": "cookie", "schema": {}},
            ]
        },
    }

    result = parse_document(document(paths={"/a": item})).operation

    assert [(parameter.name, parameter.place) for parameter in result.parameters] == [
        ("q", Place.QUERY),
        ("h", Place.HEADER),
        ("q", Place.COOKIE),
    ]
    assert result.parameters[0].schema.json == {"type": "integer"}


def test_a_path_item_may_add_to_the_one_it_refers_to(parse_document, document):
    shared_item = {"get": {"operationId": "theirs"}, "post": {"operationId": "post"}}
    paths = {"/a": {"$ref": "#/x", "get": {"operationId": "ours"}}}

    result = parse_document(document(paths=paths, x=shared_item))

    assert [operation.id for operation in result.api.operations] == ["ours", "post"]


def test_a_duplicate_operation_id_is_warned_of_with_both_operations(parse_document, document):
    paths = {"/a": {"get": {"operationId": "x"}}, "/b": {"get": {"operationId": "x"}}}

    result = parse_document(document(paths=paths))

    assert [operation.id for operation in result.api.operations] == ["x", "x"]
    assert result.finding.code is codes.DUPLICATE_OPERATION_ID
    assert result.finding.at.pointer == "/paths/~1b/get/operationId"
    assert result.finding.message == "the operationId `x` of `GET /b` is also that of `GET /a`"


def test_bodies_and_responses_are_read_by_media_type(parse_document, document):
    operation = {
        "requestBody": {
            "required": True,
            "description": "d",
            "content": {
                "multipart/form-data": {
                    "schema": {"type": "object"},
                    "encoding": {
                        "file": {"contentType": "image/png, image/jpeg", "explode": False}
                    },
                    "example": {"a": 1},
                },
                "application/json; charset=utf-8": {"examples": {"e": {"value": {"b": 2}}}},
            },
        },
        "responses": {"200": {"description": "ok"}, "4xx": {"description": "bad"}, "default": {}},
    }

    result = parse_document(document(operation))

    parsed_operation = result.operation
    assert result.findings == []
    assert parsed_operation.body is not None
    form, json = parsed_operation.body.media
    assert (parsed_operation.body.required, parsed_operation.body.description) == (True, "d")
    assert (form.name, form.examples) == ("multipart/form-data", ({"a": 1},))
    assert (form.encodings[0].name, form.encodings[0].explode) == ("file", False)
    assert form.encodings[0].content_type == "image/png, image/jpeg"
    assert (json.schema, json.examples) == (None, ({"b": 2},))
    assert [response.status for response in parsed_operation.responses] == ["200", "4XX", "default"]


def test_a_body_without_media_types_is_no_body(parse_document, document):
    result = parse_document(document({"requestBody": {"content": {}}}))

    assert result.operation.body is None
    assert result.names == ["empty-body"]


def test_what_is_no_media_type_is_ignored(parse_document, document):
    content = {"text/plain": {}, "json": {}, "a/b\r\nX: y": {}, "*/*": {}, "image/*": {}}

    result = parse_document(document({"requestBody": {"content": content}}))

    assert result.operation.body is not None
    assert [item.name for item in result.operation.body.media] == ["text/plain", "*/*", "image/*"]
    assert result.names == ["ignored-media-type", "ignored-media-type"]


def test_an_encoding_cannot_name_a_header_line(parse_document, document):
    media = {"encoding": {"a": {"contentType": "text/plain\r\nX: y"}}}

    result = parse_document(document({"requestBody": {"content": {"multipart/form-data": media}}}))

    assert result.operation.body is not None
    assert result.operation.body.media[0].encodings[0].content_type == ""
    assert result.names == ["ignored-value"]


@pytest.mark.parametrize(
    ("operation", "pointer"),
    [
        (["a"], "/paths/~1a/get"),
        ("text", "/paths/~1a/get"),
        ({"parameters": "q"}, "/paths/~1a/get/parameters"),
        ({"parameters": ["q"]}, "/paths/~1a/get/parameters/0"),
        ({"parameters": [{"in": "query"}]}, "/paths/~1a/get/parameters/0"),
        ({"parameters": [{"name": "q"}]}, "/paths/~1a/get/parameters/0"),
        ({"parameters": [{"name": "q", "in": "body"}]}, "/paths/~1a/get/parameters/0/in"),
        ({"requestBody": []}, "/paths/~1a/get/requestBody"),
    ],
)
def test_an_operation_that_cannot_be_understood_is_missing_and_the_rest_is_there(
    parse_document, document, operation, pointer
):
    paths = {"/a": {"get": operation, "post": {}}}

    result = parse_document(document(paths=paths))

    assert result.finding.severity is Severity.ERROR
    assert result.finding.code in codes.PER_OPERATION
    assert "GET /a" in result.finding.message
    assert result.finding.at.pointer == pointer
    assert [item.key for item in result.api.operations] == ["POST /a"]
    assert [item.operation for item in result.api.missing] == ["GET /a"]


@pytest.mark.parametrize(
    "operation",
    [
        {"tags": "a"},
        {"tags": [{}]},
        {"summary": ["s"]},
        {"responses": []},
        {"responses": {"200": []}},
        {"deprecated": "very"},
        {"security": {}},
        {"servers": {}},
        {"requestBody": {"content": {"text/plain": {}}, "required": []}},
        {"requestBody": {"content": {"text/plain": []}}},
    ],
)
def test_what_an_operation_can_do_without_is_ignored_with_a_warning(
    parse_document, document, operation
):
    result = parse_document(document(operation))

    assert result.operation.key == "GET /a"
    assert result.names == ["ignored-value"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"deprecated": "True"},
            "`deprecated` must be true or false without quotes, but it is `True`; it is read as true",
        ),
        (
            {"deprecated": "yes"},
            "`deprecated` must be true or false, but it is `yes`; it is ignored",
        ),
        (
            {"tags": ["x", {"a": 1}]},
            "an item of `tags` must be a text, but it is a mapping; it is ignored",
        ),
        (
            {"security": "oauth"},
            "`security` must be a list, but it is `oauth`; the `security` of the document applies",
        ),
        (
            {"security": ["oauth"]},
            "an item of `security` must be a mapping, but it is `oauth`; calls go without a "
            "credential",
        ),
        (
            {"security": ["oauth", {}]},
            "an item of `security` must be a mapping, but it is `oauth`; it is ignored",
        ),
    ],
)
def test_what_follows_from_an_ignored_value_is_said(parse_document, document, fields, message):
    result = parse_document(document(fields))

    assert result.finding.message == message


def test_ignored_security_of_a_document_means_calls_without_a_credential(parse_document, document):
    result = parse_document(document(security="oauth"))

    assert result.finding.message.endswith(
        "; operations without `security` are called without a credential"
    )


def test_all_findings_of_a_document_come_at_once(parse_document, document):
    paths = {
        "/a": {"get": [], "post": {"parameters": [{"in": "query"}, {"$ref": "#/no"}]}},
        "/b": "no path item",
        "/c": {"get": {}},
    }

    result = parse_document(document(paths=paths))

    assert result.names == [
        "malformed-operation",
        "malformed-operation",
        "dangling-reference",
        "malformed-operation",
    ]
    assert [operation.operation for operation in result.api.missing] == ["GET /a", "POST /a", "/b"]
    assert [operation.key for operation in result.api.operations] == ["GET /c"]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("no path item", "the path item of `/a`"),
        ({"get": []}, "the operation of `GET /a`"),
        ({"get": {"parameters": {}}}, "`parameters` of `GET /a`"),
        ({"get": {"parameters": ["x"]}}, "a parameter of `GET /a`"),
        ({"get": {"parameters": [{"in": "query"}]}}, "`name` of a parameter of `GET /a`"),
        ({"post": {"requestBody": []}}, "`requestBody` of `POST /a`"),
    ],
)
def test_what_is_malformed_is_named_with_the_words_of_the_document_alone_in_backticks(
    parse_document, document, item, expected
):
    (result,) = parse_document(document(paths={"/a": item})).findings

    assert result.message.partition(" must be ")[0] == expected


def test_every_missing_operation_has_a_reason(parse_document, document):
    result = parse_document(
        document(paths={"/a": {"$ref": "#/no"}, "/b": {"get": {"$ref": "#/no"}}})
    )

    assert [item.operation for item in result.api.missing] == ["/a", "GET /b"]
    assert all(item.reason for item in result.api.missing)


@pytest.mark.parametrize(
    ("version", "media", "is_styled"),
    [
        ("3.0.3", "multipart/form-data", False),
        ("3.0.3", "application/x-www-form-urlencoded", True),
        ("3.1.0", "multipart/form-data", True),
        ("3.1.0", "multipart/mixed", False),
        ("3.2.0", "application/x-www-form-urlencoded; charset=utf-8", True),
    ],
)
def test_styles_of_an_encoding_count_where_the_version_says_so(
    parse_document, document, version, media, is_styled
):
    encoding = {"l": {"style": "form", "explode": False, "contentType": "text/plain"}}
    media_object = {"schema": {"type": "object"}, "encoding": encoding}
    operation = {"requestBody": {"content": {media: media_object}}}

    result = parse_document(document(operation, version=version))

    (read,) = result.operation.body.media[0].encodings
    assert (read.style is not None, read.explode is not None) == (is_styled, is_styled)
    assert read.content_type == "text/plain"


def test_yaml_under_the_name_of_json_is_reported(source, document):
    read = source(document({}))
    diagnostics = Diagnostics()

    parse(replace(read, documents={"": replace(read.root, syntax=Syntax.YAML)}), diagnostics)

    assert [diagnostic.code.id for diagnostic in diagnostics] == ["MG262"]


@pytest.mark.parametrize("place", ["body", "formData"])
def test_a_place_of_swagger_in_openapi_3_is_named(parse_document, document, place):
    result = parse_document(document({"parameters": [{"in": place, "name": "b"}]}, version="3.0.3"))

    assert result.finding.message == (
        f"`in: {place}` of a parameter of `GET /a` is Swagger 2.0, and this is OpenAPI 3"
    )
    assert len(result.api.missing) == 1


def test_a_malformed_value_is_shown(parse_document, document):
    result = parse_document(document({"parameters": [{"in": "quary", "name": "b"}]}))

    assert result.finding.message.endswith("header, cookie, but it is `quary`")


@pytest.mark.parametrize("status", ["600", "2xx!"])
def test_a_status_that_http_does_not_have_is_reported(parse_document, document, status):
    result = parse_document(document({"responses": {status: {"description": ""}}}))

    assert result.finding.message == (
        f"`{status}` is not an HTTP status (100 to 599); this response of `GET /a` is ignored"
    )
