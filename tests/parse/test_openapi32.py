"""Additions of OpenAPI 3.2."""

import pytest

from mcpgen.ir.api import Place, Style


def _parse(parse_document, document, item, **fields):
    return parse_document(document(paths={"/a": item}, version="3.2.0", **fields))


def test_query_and_further_methods_are_operations(parse_document, document):
    item = {"query": {}, "additionalOperations": {"LINK": {}, "M-SEARCH": {}, "link": {}}}

    result = _parse(parse_document, document, item)

    methods = [operation.method for operation in result.api.operations]
    assert methods == ["QUERY", "LINK", "M-SEARCH", "link"]
    assert result.findings == []


@pytest.mark.parametrize("method", ["GET", "post", "A B", "X\r\nY"])
def test_a_further_method_must_be_one_that_has_no_field(parse_document, document, method):
    result = _parse(parse_document, document, {"get": {}, "additionalOperations": {method: {}}})

    assert [operation.method for operation in result.api.operations] == ["GET"]
    assert result.names == ["ignored-value"]
    assert result.finding.message.startswith("a key of `additionalOperations` must be a method")
    assert result.finding.message.endswith("; the operation is left out")


def test_these_are_no_operations_in_3_1(parse_document, document):
    result = parse_document(
        document(paths={"/a": {"get": {}, "query": {}, "additionalOperations": {}}})
    )

    assert [operation.method for operation in result.api.operations] == ["GET"]


def test_a_query_string_that_is_a_form_is_an_exploded_object(parse_document, document):
    schema = {"type": "object", "properties": {"b": {"type": "string"}}}
    content = {"application/x-www-form-urlencoded": {"schema": schema}}
    item = {"get": {"parameters": [{"in": "querystring", "name": "q", "content": content}]}}

    result = _parse(parse_document, document, item)

    (parameter,) = result.operation.parameters
    assert (parameter.place, parameter.style, parameter.explode) == (Place.QUERY, Style.FORM, True)
    assert (parameter.schema.json, parameter.content) == (schema, "")
    assert result.findings == []


def test_a_query_string_in_another_media_type_is_the_whole_query(parse_document, document):
    content = {"application/json": {"schema": {"type": "object"}}}
    item = {"get": {"parameters": [{"in": "querystring", "name": "q", "content": content}]}}

    result = _parse(parse_document, document, item)

    (parameter,) = result.operation.parameters
    assert (parameter.style, parameter.content) == (Style.WHOLE, "application/json")


def test_a_query_string_without_a_media_type_makes_the_operation_missing(parse_document, document):
    item = {"get": {"parameters": [{"in": "querystring", "name": "q"}]}}

    result = _parse(parse_document, document, item)

    assert result.names == ["malformed-operation"]
    assert len(result.api.missing) == 1


def test_media_types_may_be_references_and_describe_the_items_of_a_stream(parse_document, document):
    components = {"mediaTypes": {"lines": {"itemSchema": {"type": "integer"}}}}
    content = {"application/jsonl": {"$ref": "#/components/mediaTypes/lines"}}
    item = {"get": {"responses": {"200": {"summary": "Lines.", "content": content}}}}

    result = _parse(parse_document, document, item, components=components)

    (response,) = result.operation.responses
    assert response.description == "Lines."
    assert response.media[0].schema is not None
    assert response.media[0].schema.json == {"type": "array", "items": {"type": "integer"}}


def test_examples_may_hold_their_value_as_data(parse_document, document):
    parameter = {"name": "q", "in": "query", "schema": {}, "examples": {"e": {"dataValue": 5}}}

    result = _parse(parse_document, document, {"get": {"parameters": [parameter]}})

    assert result.operation.parameters[0].examples == (5,)


def test_a_document_may_be_referred_to_by_the_name_it_gives_itself(parse_document, document):
    body = {
        "content": {"text/plain": {"schema": {"$ref": "https://e.com/api#/components/schemas/S"}}}
    }
    fields = {"$self": "https://e.com/api", "components": {"schemas": {"S": {"type": "string"}}}}

    result = _parse(parse_document, document, {"get": {"requestBody": body}}, **fields)

    assert list(result.api.definitions) == ["S"]
    assert result.findings == []


def test_a_discriminator_may_have_a_default(parse_document, document):
    schema = {
        "oneOf": [{"$ref": "#/components/schemas/S"}],
        "discriminator": {"propertyName": "k", "defaultMapping": "S"},
    }
    body = {"content": {"application/json": {"schema": schema}}}
    components = {"schemas": {"S": {"type": "object"}}}

    result = _parse(parse_document, document, {"get": {"requestBody": body}}, components=components)

    assert result.operation.body is not None
    body_schema = result.operation.body.media[0].schema
    assert body_schema is not None
    assert body_schema.json["discriminator"] == {"propertyName": "k", "defaultMapping": "#/$defs/S"}


def test_a_stream_has_a_schema_for_its_items(parse_document, document):
    schemas = {"schema": {"type": "array"}, "itemSchema": {"type": "integer"}}
    content = {"application/jsonl": schemas}
    item = {"get": {"responses": {"200": {"description": "", "content": content}}}}

    (response,) = _parse(parse_document, document, item).operation.responses

    assert response.media[0].item_schema is not None
    assert response.media[0].item_schema.json == {"type": "integer"}
    assert response.media[0].schema is not None
    assert response.media[0].schema.json == {"type": "array"}


def test_parts_without_names_are_written_by_position(parse_document, document):
    media_object = {
        "itemSchema": {},
        "prefixEncoding": [{"contentType": "application/json"}, {"contentType": "text/plain"}],
        "itemEncoding": {"contentType": "image/png"},
    }
    item = {"post": {"requestBody": {"content": {"multipart/mixed": media_object}}}}

    result = _parse(parse_document, document, item)

    assert result.operation.body is not None
    (media,) = result.operation.body.media
    assert [encoding.content_type for encoding in media.prefix_encodings] == [
        "application/json",
        "text/plain",
    ]
    assert [encoding.name for encoding in media.prefix_encodings] == ["", ""]
    assert media.item_encoding is not None
    assert media.item_encoding.content_type == "image/png"
    assert result.findings == []


def test_encodings_by_position_are_a_list(parse_document, document):
    media_object = {"schema": {}, "prefixEncoding": {"contentType": "text/plain"}}
    item = {"post": {"requestBody": {"content": {"multipart/mixed": media_object}}}}

    result = _parse(parse_document, document, item)

    assert result.names == ["ignored-value"]


def test_an_encoding_by_position_that_is_no_mapping_is_named_in_words(parse_document, document):
    media_object = {"schema": {}, "prefixEncoding": ["text/plain"]}
    item = {"post": {"requestBody": {"content": {"multipart/mixed": media_object}}}}

    result = _parse(parse_document, document, item)

    assert result.finding.message == (
        "the encoding of a part without a name must be a mapping, but it is `text/plain`; "
        "it is ignored"
    )


@pytest.mark.parametrize(
    ("version", "style", "names"),
    [("3.2.0", Style.COOKIE, []), ("3.1.0", Style.FORM, ["unknown-style"])],
)
def test_cookies_have_a_style_of_their_own(parse_document, document, version, style, names):
    cookie = {"name": "c", "in": "cookie", "style": "cookie", "schema": {"type": "array"}}

    result = parse_document(document({"parameters": [cookie]}, version=version))

    (parameter,) = result.operation.parameters
    assert (parameter.style, parameter.explode) == (style, True)
    assert result.names == names


def test_the_headers_of_a_part_are_read_but_not_those_that_frame_it(parse_document, document):
    headers = {
        "X-Rate": {"schema": {"type": "integer"}, "required": True},
        "Content-Type": {"schema": {"type": "string"}},
        "Not a header": {"schema": {"type": "string"}},
    }
    media = {"schema": {"type": "object"}, "encoding": {"photo": {"headers": headers}}}
    item = {"post": {"requestBody": {"content": {"multipart/form-data": media}}}}

    result = _parse(parse_document, document, item)

    (encoding,) = result.operation.body.media[0].encodings
    (header,) = encoding.headers
    assert (header.name, header.required, header.schema.json) == (
        "X-Rate",
        True,
        {"type": "integer"},
    )
    assert result.finding.message == (
        "a key of `headers` must be the name of a header, without spaces and separators, but it is "
        "`Not a header`; the header is ignored"
    )


@pytest.mark.parametrize("keyword", ["encoding", "prefixEncoding", "itemEncoding"])
def test_an_encoding_inside_an_encoding_is_reported(parse_document, document, keyword):
    media = {"schema": {"type": "object"}, "encoding": {"p": {keyword: {}}}}
    item = {"post": {"requestBody": {"content": {"multipart/form-data": media}}}}

    result = _parse(parse_document, document, item)

    assert result.names == ["unread-encoding"]
