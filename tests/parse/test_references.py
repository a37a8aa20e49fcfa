"""References: allowed at every value, with a target or an error."""

import json
from typing import Any

import pytest

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.parse import parse
from mcpgen.read import read


def test_every_kind_of_object_may_be_a_reference(parse_document, document):
    components = {
        "pathItems": {"a": {"post": {"$ref": "#/components/x-operations/a"}}},
        "x-operations": {
            "a": {
                "parameters": [{"$ref": "#/components/parameters/q"}],
                "requestBody": {"$ref": "#/components/requestBodies/b"},
                "responses": {"200": {"$ref": "#/components/responses/r"}},
                "security": [{"key": []}],
            }
        },
        "parameters": {
            "q": {
                "name": "q",
                "in": "query",
                "schema": {"$ref": "#/components/schemas/S"},
                "examples": {"one": {"$ref": "#/components/examples/e"}},
            }
        },
        "examples": {"e": {"value": "x"}},
        "requestBodies": {
            "b": {"content": {"text/plain": {"schema": {"$ref": "#/components/schemas/S"}}}}
        },
        "responses": {"r": {"description": "fine", "headers": {"H": {"$ref": "#/components/h"}}}},
        "h": {"schema": {}},
        "schemas": {"S": {"type": "string"}},
        "securitySchemes": {"key": {"$ref": "#/components/x-schemes/key"}},
        "x-schemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    }
    tree = document(paths={"/a": {"$ref": "#/components/pathItems/a"}}, components=components)

    result = parse_document(tree)

    operation = result.operation
    assert result.findings == []
    assert operation.key == "POST /a"
    assert operation.parameters[0].schema.json == {"$ref": "#/$defs/S"}
    assert operation.parameters[0].examples == ("x",)
    assert operation.body is not None
    assert operation.responses[0].description == "fine"
    assert operation.security[0][0].scheme == "key"
    assert result.api.definitions["S"].json == {"type": "string"}


def test_a_reference_is_relative_to_its_document(parse_document, document):
    other_documents = {
        "parts/item.json": {"get": {"responses": {"200": {"$ref": "deep/r.json#/r%20one"}}}},
        "parts/deep/r.json": {
            "r one": {
                "description": "d",
                "content": {"application/json": {"schema": {"$ref": "../../api.json#/x/a~1b"}}},
            }
        },
    }
    tree = document(paths={"/a": {"$ref": "parts/item.json"}}, x={"a/b": {"type": "integer"}})

    result = parse_document(tree, other_documents)

    (response,) = result.operation.responses
    assert result.findings == []
    assert response.media[0].schema is not None
    assert response.media[0].schema.json == {"$ref": "#/$defs/x_a_b"}
    assert response.at.file == "parts/item.json"
    assert result.api.definitions["x_a_b"].at.pointer == "/x/a~1b"


def test_a_whole_document_may_be_a_schema_named_after_its_file(parse_document, document):
    body = {"content": {"application/json": {"schema": {"$ref": "models/pet.json"}}}}

    result = parse_document(
        document({"requestBody": body}), {"models/pet.json": {"type": "object"}}
    )

    assert list(result.api.definitions) == ["pet"]


def test_a_pointer_passes_through_references_on_its_way(parse_document, document):
    components = {
        "parameters": {
            "real": {"name": "q", "in": "query", "schema": {"type": "boolean"}},
            "alias": {"$ref": "#/components/parameters/real"},
        }
    }
    used = {"name": "p", "in": "query", "schema": {"$ref": "#/components/parameters/alias/schema"}}

    result = parse_document(document({"parameters": [used]}, components=components))

    (definition,) = result.api.definitions.values()
    assert definition.json == {"type": "boolean"}


def test_a_reference_leading_nowhere_is_an_error_at_the_reference(parse_document, document):
    paths = {
        "/a": {"get": {"parameters": [{"$ref": "#/components/parameters/gone"}]}},
        "/b": {"get": {}},
    }

    result = parse_document(document(paths=paths))

    assert result.finding.code is codes.DANGLING_REFERENCE
    assert result.finding.at.pointer == "/paths/~1a/get/parameters/0/$ref"
    assert ": the document has no `components`" in result.finding.message
    assert [operation.key for operation in result.api.operations] == ["GET /b"]
    assert [missing.operation for missing in result.api.missing] == ["GET /a"]
    assert result.api.missing[0].reason == result.finding.message


def _response(schema: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {"responses": {"200": {"description": "fine", "content": content}}}


@pytest.mark.parametrize(
    "operation",
    [
        {"responses": {"200": {"$ref": "#/components/responses/Gone"}}},
        {"responses": {"200": {"description": "", "content": {"a/b": {"$ref": "#/gone"}}}}},
        _response({"$ref": "#/components/schemas/Gone"}),
        _response({"$ref": "#/components/schemas/Holder"}),
        _response({"$ref": 5}),
    ],
    ids=["response", "media type", "schema", "schema far away", "no text"],
)
def test_a_broken_reference_in_a_response_is_a_warning_and_costs_no_operation(
    parse_document, document, operation
):
    schemas = {"Holder": {"type": "object", "properties": {"a": {"$ref": "#/gone"}}}}

    result = parse_document(document(operation, components={"schemas": schemas}))

    assert result.operation.key == "GET /a"
    assert result.finding.severity is Severity.WARNING
    assert result.api.missing == ()


def test_the_sound_part_of_a_response_stays_where_a_reference_in_it_is_broken(
    parse_document, document
):
    response_schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/gone"}, "b": {"type": "string"}},
    }

    result = parse_document(document(_response(response_schema)))

    schema = result.operation.responses[0].media[0].schema
    assert schema is not None
    assert schema.json == {"type": "object", "properties": {"a": {}, "b": {"type": "string"}}}


def test_a_broken_reference_that_a_request_shares_with_a_response_is_an_error(
    parse_document, document
):
    shared = {"application/json": {"schema": {"$ref": "#/components/schemas/Holder"}}}
    schemas = {"Holder": {"type": "object", "properties": {"a": {"$ref": "#/gone"}}}}
    operation = _response({"$ref": "#/components/schemas/Holder"})
    paths = {"/a": {"get": operation}, "/b": {"post": {"requestBody": {"content": shared}}}}

    result = parse_document(document(paths=paths, components={"schemas": schemas}))

    assert result.finding.severity is Severity.ERROR
    assert [operation.key for operation in result.api.operations] == ["GET /a"]
    assert [operation.operation for operation in result.api.missing] == ["POST /b"]


def test_an_operation_is_missing_if_a_schema_far_away_is_broken(parse_document, document):
    components = {
        "schemas": {
            "A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}},
            "B": {"items": {"$ref": "#/components/schemas/Gone"}},
            "C": {"type": "string"},
        }
    }
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
    sound_body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/C"}}}}
    paths = {"/a": {"post": {"requestBody": body}}, "/c": {"post": {"requestBody": sound_body}}}

    result = parse_document(document(paths=paths, components=components))

    assert result.names == ["dangling-reference"]
    assert [missing.operation for missing in result.api.missing] == ["POST /a"]
    assert list(result.api.definitions) == ["C"]


def test_references_in_a_circle_are_an_error(parse_document, document):
    bodies = {
        "a": {"$ref": "#/components/requestBodies/b"},
        "b": {"$ref": "#/components/requestBodies/a"},
    }
    operation = {"requestBody": {"$ref": "#/components/requestBodies/a"}}

    result = parse_document(document(operation, components={"requestBodies": bodies}))

    assert result.names == ["circular-reference"]
    assert len(result.api.missing) == 1


def test_a_document_that_was_not_read_is_an_error_that_says_so(parse_document, document):
    for reference in ("https://example.com/s.json", "gone.json#/a", "../up.json", "/etc/passwd"):
        body = {"content": {"application/json": {"schema": {"$ref": reference}}}}

        result = parse_document(document({"requestBody": body}))

        assert result.finding.code is codes.UNREAD_DOCUMENT
        assert reference in result.finding.message


def test_a_reference_that_is_no_text_is_an_error(parse_document, document):
    body = {"content": {"application/json": {"schema": {"$ref": 5}}}}

    result = parse_document(document({"requestBody": body, "parameters": [{"$ref": None}]}))

    assert result.names == ["malformed-reference", "malformed-reference"]


def test_a_dynamic_reference_that_is_no_text_is_called_by_its_keyword(parse_document, document):
    body = {"content": {"application/json": {"schema": {"$dynamicRef": {"x": 1}}}}}

    result = parse_document(document({"requestBody": body}))

    assert result.finding.message == "`$dynamicRef` must be a text, but it is a mapping"
    assert result.finding.hint == "write the reference as a text, such as `#node`"


def test_a_reference_may_override_its_description_since_3_1(parse_document, document):
    responses = {"r": {"description": "theirs"}}
    operation = {"responses": {"200": {"$ref": "#/components/responses/r", "description": "ours"}}}

    results = [
        parse_document(document(operation, version=version, components={"responses": responses}))
        for version in ("3.1.0", "3.0.0")
    ]

    assert [item.operation.responses[0].description for item in results] == ["ours", "theirs"]


def test_unused_headers_and_links_that_lead_nowhere_are_only_warned_of(parse_document, document):
    response = {
        "description": "d",
        "headers": {"H": {"$ref": "#/no"}},
        "links": {"L": {"$ref": "#/no"}},
    }

    result = parse_document(document({"responses": {"200": response}}))

    assert [finding.severity.value for finding in result.findings] == ["warning", "warning"]
    assert result.api.missing == ()


def test_schemas_are_found_by_their_identifier_and_anchor(parse_document, document):
    components = {
        "schemas": {
            "Pet": {
                "$id": "https://example.com/pet",
                "properties": {
                    "tag": {"$ref": "#/$defs/tag"},
                    "owner": {"$ref": "#owner"},
                    "home": {"$ref": "#/components/schemas/Home"},
                },
                "$defs": {
                    "tag": {"type": "string"},
                    "owner": {"$anchor": "owner", "type": "object"},
                },
            },
            "Home": {"type": "number"},
        }
    }
    body = {"content": {"application/json": {"schema": {"$ref": "https://example.com/pet"}}}}

    result = parse_document(document({"requestBody": body}, components=components))

    assert result.findings == []
    assert {name: definition.json for name, definition in result.api.definitions.items()} == {
        "Pet": {
            "properties": {
                "tag": {"$ref": "#/$defs/tag"},
                "owner": {"$ref": "#/$defs/owner"},
                "home": {"$ref": "#/$defs/Home"},
            }
        },
        "tag": {"type": "string"},
        "owner": {"type": "object"},
        "Home": {"type": "number"},
    }


def test_dynamic_references_become_plain_ones_with_a_warning(schema):
    definitions = {
        "Tree": {
            "$recursiveAnchor": True,
            "properties": {"kids": {"items": {"$recursiveRef": "#"}}},
        },
        "Node": {"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}},
    }
    composition = {
        "oneOf": [{"$ref": "#/components/schemas/Tree"}, {"$ref": "#/components/schemas/Node"}]
    }

    _, result = schema(composition, definitions=definitions)

    parsed_definitions = result.api.definitions
    assert parsed_definitions["Tree"].json["properties"]["kids"]["items"] == {
        "$ref": "#/$defs/Tree"
    }
    assert parsed_definitions["Node"].json["properties"]["next"] == {"$ref": "#/$defs/Node"}
    assert result.names == ["dynamic-reference", "dynamic-reference"]


def test_a_file_with_a_syntax_fault_costs_the_operations_whose_requests_need_it(tmp_path):
    response = {"content": {"application/json": {"schema": {"$ref": "other.yaml#/X"}}}}
    body = {"content": {"application/json": {"schema": {"$ref": "other.yaml#/X"}}}}
    paths = {
        "/a": {"get": {"responses": {"200": response}}},
        "/b": {"post": {"requestBody": body}},
    }
    tree = {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": paths}
    (tmp_path / "api.json").write_text(json.dumps(tree), encoding="utf-8")
    (tmp_path / "other.yaml").write_text("X:\n  type: [string\n", encoding="utf-8")
    diagnostics = Diagnostics()

    source = read(str(tmp_path / "api.json"), diagnostics)
    assert source is not None
    api = parse(source, diagnostics)

    assert api is not None
    assert [diagnostic.key for diagnostic in api.operations] == ["GET /a"]
    assert [diagnostic.operation for diagnostic in api.missing] == ["POST /b"]
    errors = [
        diagnostic.at.pointer for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR
    ]
    assert errors == ["/paths/~1b/post/requestBody/content/application~1json/schema/$ref"]
