"""XML bodies: flat arguments where the schema has an XML form, else XML text."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.ir.server import ElementSpec, XmlNode
from mcpgen.lower.scenarios.wire_values import canonical

XML = "application/xml"


ROOTS = [
    (
        {"xml": {"name": "a", "prefix": "p", "namespace": "urn:p"}},
        ElementSpec("p:a", namespace="urn:p"),
    ),
    ({"xml": {"name": "p:a", "namespace": "urn:p"}}, ElementSpec("p:a", namespace="urn:p")),
    ({"xml": {"name": "a", "namespace": "urn:p"}}, ElementSpec("a", namespace="urn:p")),
    ({"xml": {"name": "a", "nodeType": "element"}}, ElementSpec("a")),
]


@pytest.mark.parametrize(("more", "root"), ROOTS)
def test_a_root_is_named_by_its_xml_object(build: Any, more: Any, root: ElementSpec) -> None:
    lowering = build.lower_operation(body=build.body({"type": "string", **more}, XML))

    assert lowering.route.body.xml == {"": root}
    assert "MG322" not in lowering.codes


@pytest.mark.parametrize("node", ["text", "cdata", "attribute"])
def test_a_node_type_of_openapi_3_2_is_followed(build: Any, node: str) -> None:
    schema = {
        "type": "object",
        "xml": {"name": "a"},
        "properties": {"b": {"type": "string", "xml": {"nodeType": node}}},
    }

    shape = build.lower_operation(body=build.body(schema, XML)).tool.route.body.xml[""]

    assert shape.fields == {"b": ElementSpec(node=XmlNode(node))}


def object_schema(**schema: Any) -> dict[str, Any]:
    """Returns an object with a root element."""
    return {"type": "object", "xml": {"name": "a"}, **schema}


ODD = [
    (None, "free-form"),
    ({}, "free-form"),
    (object_schema(), "free-form"),
    ({"type": ["string", "object"], "xml": {"name": "a"}}, "free-form"),
    ({"type": "object", "properties": {"b": {}}}, "nothing names its root element"),
    ({"type": "array", "items": {}, "xml": {"name": "a"}}, "nothing names its root element"),
    ({"type": "string", "xml": {"name": "a", "attribute": True}}, "no root element"),
    (object_schema(properties={"b c": {"type": "string"}}), "`b c` cannot be the name"),
    (object_schema(properties={"b": {"type": "string", "xml": {"name": "<b"}}}), "`<b` cannot be the name"),
    (object_schema(properties={"b": {"xml": {"name": "b", "prefix": "q"}}}), "prefix `q` has no namespace"),
    (object_schema(properties={"b": {"xml": {"prefix": "xmlns", "namespace": "u"}}}), "cannot be a prefix"),
    (object_schema(properties={"b": {"xml": {"namespace": "u\n"}}}), "the namespace of `b` is none"),
    (
        object_schema(properties={"b": {"type": "string", "xml": {"attribute": True, "namespace": "u"}}}),
        "a namespace but no prefix",
    ),
    (
        object_schema(properties={"b": {"type": "array", "items": {"type": "array", "items": {}}}}),
        "cannot be told apart",
    ),
    (
        object_schema(properties={"b": {"type": "array", "prefixItems": [{}], "items": {}}}),
        "is a tuple",
    ),
    (object_schema(properties={"b": {"type": ["object", "string"]}}), "an object or something else"),
    (
        object_schema(properties={k: {"type": "string", "xml": {"name": "x", "attribute": True}} for k in "bc"}),
        "have one name",
    ),
    (
        {"oneOf": [object_schema(properties={"b": {}}), object_schema(properties={"c": {}})], "xml": {"name": "z"}},
        "have names of their own",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "reason"), ODD)
def test_a_schema_without_a_form_in_xml_leaves_the_document_to_the_caller(
    build: Any, schema: Any, reason: str
) -> None:
    lowering = build.lower_operation(body=build.body(schema, "text/xml"))

    assert list(lowering.arguments) == ["body"]
    assert lowering.arguments["body"].schema["contentMediaType"] == XML
    assert lowering.route.body.xml == {}
    messages = [f.message for f in lowering.diagnostics if f.code.id == "MG322"]
    assert len(messages) == 1
    assert reason in messages[0]
    assert lowering.scenario("required_only").expected_request.body == "<sample></sample>"


def test_a_schema_that_never_ends_ends_in_time(build: Any) -> None:
    forms = [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]
    union = {"type": "object", "properties": {"next": {"anyOf": forms}}}

    lowering = build.lower_operation(
        body=build.body({"$ref": "#/$defs/A"}, XML),
        definitions={"A": union, "B": {**union, "title": "B"}},
    )

    assert lowering.server.missing == ()


def test_json_is_preferred_to_xml(build: Any) -> None:
    json = build.body({"type": "object", "properties": {"a": {"type": "string"}}})
    xml = build.body({"type": "string"}, XML)

    lowering = build.lower_operation(body=type(json)(True, (*xml.media, *json.media), json.at))

    assert lowering.route.body.media_type == "application/json"


def test_the_expectation_reads_shapes_on_its_own() -> None:
    shapes = {
        "": ElementSpec("a", namespace="urn:a", like="A"),
        "A": ElementSpec(
            fields={"x": ElementSpec("p:x", XmlNode.ATTRIBUTE, "urn:p"), "y": ElementSpec()}
        ),
    }

    document = canonical(shapes, {"y": [1, None], "x": 'q"'})

    assert document == (
        '<a xmlns="urn:a" xmlns:p="urn:p" p:x="q&quot;"><y>1</y>'
        '<y xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></y></a>'
    )
