"""Closed parts of a composition do not forbid properties of the other parts."""

import json

import jsonschema_rs
import pytest

from mcpgen.parse.schemas.closed_allof import MAX_PROPERTIES

CLOSED = {"type": "object", "additionalProperties": False, "properties": {"a": {"type": "string"}}}
OPEN = {"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}}


def _validity_of(result, schema):
    """True if the body's schema, with the definitions, allows a value."""
    definitions = {name: definition.json for name, definition in result.api.definitions.items()}
    return jsonschema_rs.validator_for({**schema, "$defs": definitions}).is_valid


@pytest.mark.parametrize(
    "composition",
    [
        {"allOf": [CLOSED, OPEN]},
        {"allOf": [{"$ref": "#/components/schemas/Base"}, OPEN]},
        {"allOf": [{"$ref": "#/components/schemas/Heir"}, {"additionalProperties": False}]},
        {"allOf": [CLOSED], **OPEN},
        {
            "allOf": [{"properties": {"a": {"type": "string"}}}],
            **OPEN,
            "additionalProperties": False,
        },
        {"allOf": [CLOSED, {"oneOf": [OPEN, {"required": ["c"], "properties": {"c": {}}}]}]},
    ],
)
def test_what_any_part_describes_is_allowed_and_nothing_else(parse_document, document, composition):
    base = {"Base": CLOSED, "Heir": {"allOf": [{"$ref": "#/components/schemas/Base"}, OPEN]}}
    operation = {"requestBody": {"content": {"application/json": {"schema": composition}}}}

    result = parse_document(
        document(paths={"/a": {"post": operation}}, components={"schemas": base})
    )

    is_allowed = _validity_of(result, result.operation.body.media[0].schema.json)
    assert is_allowed({"a": "x", "b": 1})
    assert not is_allowed({"a": 1, "b": 1})
    assert not is_allowed({"a": "x", "b": 1, "d": 1})
    assert set(result.names) == {"closed-part"}


def test_four_forbidden_properties_are_named_and_the_others_counted(schema):
    part = {"properties": {name: {} for name in "bcdefg"}}

    _, result = schema({"allOf": [CLOSED, part]})

    (finding,) = result.findings
    assert "forbids `b`, `c`, `d`, `e` and 2 more of another schema" in finding.message


REST = {"additionalProperties": {"type": "object"}, "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    "composition",
    [
        {"allOf": [REST, OPEN]},
        {"allOf": [{"$ref": "#/components/schemas/Base"}], **OPEN},
        {"allOf": [{"$ref": "#/components/schemas/Heir"}, OPEN]},
        {"allOf": [OPEN], **REST},
        {"allOf": [{"oneOf": [OPEN]}, REST]},
    ],
)
def test_a_declared_property_stands_before_additional_properties_of_another_type(
    parse_document, document, composition
):
    base = {"Base": REST, "Heir": {"allOf": [{"$ref": "#/components/schemas/Base"}]}}
    operation = {"requestBody": {"content": {"application/json": {"schema": composition}}}}

    result = parse_document(
        document(paths={"/a": {"post": operation}}, components={"schemas": base})
    )

    is_allowed = _validity_of(result, result.operation.body.media[0].schema.json)
    assert is_allowed({"a": "x", "b": 1, "c": {}})
    assert not is_allowed({"a": "x", "b": "x"})
    assert not is_allowed({"a": "x", "b": 1, "c": 5})
    assert "`b` of another part" in result.finding.message
    assert result.names == ["contradictory-keywords"]


def test_additional_properties_that_fit_a_declared_property_are_unchanged(parse_document, document):
    open_part = {"additionalProperties": {"type": ["integer", "null"]}}
    composition = {"allOf": [open_part, OPEN]}
    operation = {"requestBody": {"content": {"application/json": {"schema": composition}}}}

    result = parse_document(document(paths={"/a": {"post": operation}}))

    assert result.findings == []
    assert result.operation.body.media[0].schema.json == composition


def test_a_part_that_is_composed_stays_closed_by_itself(parse_document, document):
    schemas = {"Base": CLOSED, "Heir": {"allOf": [{"$ref": "#/components/schemas/Base"}, OPEN]}}
    content = {
        name: {"schema": {"$ref": f"#/components/schemas/{part}"}}
        for name, part in (("application/json", "Base"), ("text/json", "Heir"))
    }

    result = parse_document(
        document(
            paths={"/a": {"post": {"requestBody": {"content": content}}}},
            components={"schemas": schemas},
        )
    )

    assert not _validity_of(result, {"$ref": "#/$defs/Base"})({"a": "x", "b": 1})
    assert _validity_of(result, {"$ref": "#/$defs/Heir"})({"a": "x", "b": 1})


def test_a_part_that_is_composed_of_closed_parts_is_opened_with_them(schema):
    parts = {name: {**CLOSED, "properties": {name: {"type": "integer"}}} for name in "abc"}
    pair_schema = {"allOf": [{"$ref": f"#/components/schemas/{name}"} for name in "ab"]}
    root_schema = {
        "allOf": [{"$ref": "#/components/schemas/Both"}, {"$ref": "#/components/schemas/c"}]
    }

    json, result = schema(root_schema, definitions={"Both": pair_schema, **parts})

    is_allowed = _validity_of(result, json)
    assert is_allowed({"a": 1, "b": 2, "c": 3})
    assert not is_allowed({"a": 1, "b": 2, "c": 3, "d": 4})


def test_a_part_that_is_opened_names_its_own_properties_first(schema):
    json, _ = schema({"allOf": [CLOSED, OPEN]})

    assert [*json["allOf"][0]["properties"]] == ["a", "b"]


@pytest.mark.parametrize(
    "composition",
    [
        {"allOf": [CLOSED, {"required": ["a"]}]},
        {"allOf": [CLOSED, {"properties": {"a": {"maxLength": 3}}}]},
        {"allOf": [OPEN, {"properties": {"c": {"type": "string"}}}]},
    ],
)
def test_a_composition_without_contradiction_is_left_as_it_is(
    parse_document, document, composition
):
    operation = {"requestBody": {"content": {"application/json": {"schema": composition}}}}

    result = parse_document(document(paths={"/a": {"post": operation}}))

    assert result.operation.body.media[0].schema.json == composition
    assert result.names == []


def _ladder(levels, last_step):
    """Returns compositions: every composition contains the next composition twice and describes a
    property."""
    steps = {
        f"N{level}": {
            "allOf": [{"$ref": f"#/components/schemas/N{level + 1}"}] * 2,
            "properties": {f"p{level}": {"type": "string"}},
        }
        for level in range(levels)
    }
    return {**steps, f"N{levels}": last_step}


@pytest.mark.parametrize("levels", [60, 120])
def test_a_composition_whose_allof_was_cut_is_left_alone(schema, levels):
    _, result = schema({"$ref": "#/components/schemas/N0"}, definitions=_ladder(levels, CLOSED))

    assert "tangled-schema" in result.names


def test_as_much_is_copied_as_real_compositions_need(schema):
    _, result = schema({"$ref": "#/components/schemas/N0"}, definitions=_ladder(12, CLOSED))

    texts = [json.dumps(definition.json) for definition in result.api.definitions.values()]
    assert result.names.count("closed-part") > 2
    assert max(map(len, texts)) < 100 * MAX_PROPERTIES


def test_a_composition_of_more_parts_than_anybody_writes_stays_as_small_as_it_is(schema):
    parts = [{**CLOSED, "properties": {f"p{number}": {}}} for number in range(200)]

    json, result = schema({"allOf": parts})

    assert json == {"allOf": parts}
    assert result.names == []
