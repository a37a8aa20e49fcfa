"""Converts XML to values by the `xml` objects of a schema; openapi-core only parses XML.

https://spec.openapis.org/oas/v3.1.1.html#xml-object, and `nodeType` of
https://spec.openapis.org/oas/v3.2.0.html#xml-object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from decode_values import Valid, best, cast, items, members, types
from jsonschema_path import SchemaPath

NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"


def value(schema: SchemaPath, element: Element, valid: Valid) -> Any:
    """The value of a document. Raises ValueError for a root with another name than the schema's."""
    if not fits(schema, element, ""):
        raise ValueError(f"the root is {element.tag}")
    return element_value(schema, element, "", valid)


def element_value(schema: SchemaPath, element: Element, name: str, valid: Valid) -> Any:
    """The value of an element; `name` is the name of the property."""
    if element.get(NIL) == "true":
        return None
    kinds = types(schema)
    if "array" in kinds and "object" not in kinds:
        return array_items(schema, list(element), name, valid)
    if "object" in kinds:
        return object_members(schema, element, valid)
    return cast(schema, element.text or "", valid) if not len(element) else untyped_value(element)


def array_items(schema: SchemaPath, elements: list[Element], name: str, valid: Valid) -> list[Any]:
    """The items of an array. Raises ValueError for an element with another name than the items'."""
    item_schemas = items(schema)
    for element in elements:
        if item_schemas and not any(fits(item, element, name) for item in item_schemas):
            raise ValueError(f"an item is {element.tag}")
    return [
        best_inside(
            [item for item in item_schemas if fits(item, element, name)], element, name, valid
        )
        for element in elements
    ]


def object_members(schema: SchemaPath, element: Element, valid: Valid) -> dict[str, Any]:
    """The object of attributes, children and text; elements without a schema keep their names."""
    result: dict[str, Any] = {}
    unread_elements = list(element)
    attributes = {local(key): text for key, text in element.attrib.items()}
    properties = members(schema)
    for name, schemas in properties.items():
        first_schema = schemas[0]
        kind = node(first_schema)
        if kind == "attribute":
            if (key := word(first_schema, name)) in attributes:
                result[name] = best(
                    schemas, attribute_value(first_schema, attributes.pop(key)), valid
                )
        elif kind in ("text", "cdata"):
            result[name] = best(schemas, element.text or "", valid)
        elif kind == "none":
            matching = [
                item
                for item in unread_elements
                if any(fits(i, item, name) for i in items(first_schema))
            ]
            if matching:
                result[name] = array_items(first_schema, matching, name, valid)
            unread_elements = [item for item in unread_elements if item not in matching]
        else:
            matching = [item for item in unread_elements if fits(first_schema, item, name)]
            if len(matching) > 1:
                raise ValueError(f"{name} stands there more than once")
            if matching:
                result[name] = best_inside(schemas, matching[0], name, valid)
                unread_elements.remove(matching[0])
    result.update((key, text) for key, text in attributes.items() if key not in result)
    extra = [schema / "additionalProperties"] if is_map(schema) else []
    for item in unread_elements:
        result[local(item.tag)] = best_inside(extra, item, local(item.tag), valid)
    return result


def best_inside(schemas: list[SchemaPath], element: Element, name: str, valid: Valid) -> Any:
    """The value of an element by the first schema that accepts the value; else by the first schema."""
    values = [(schema, element_value(schema, element, name, valid)) for schema in schemas]
    fitting = (result for schema, result in values if valid(schema, result))
    return next(fitting, values[0][1] if values else untyped_value(element))


def untyped_value(element: Element) -> Any:
    """The value of an element without a schema: text, or children by name."""
    if not len(element):
        return element.text or ""
    return {local(item.tag): untyped_value(item) for item in element}


def node(schema: SchemaPath) -> str:
    """The node type of a property; an array that is not wrapped has no element."""
    xml_keywords = xml_object(schema)
    if "nodeType" in xml_keywords:
        return str(xml_keywords["nodeType"])
    if xml_keywords.get("attribute"):
        return "attribute"
    kinds = types(schema)
    is_list = "array" in kinds and "object" not in kinds
    return "none" if is_list and not xml_keywords.get("wrapped") else "element"


def attribute_value(schema: SchemaPath, text: str) -> Any:
    """The value of an attribute; items of a list are separated by spaces."""
    return text.split() if types(schema) == {"array"} else text


def fits(schema: SchemaPath, element: Element, name: str) -> bool:
    """True if an element has the name and the namespace of a schema."""
    xml_keywords = xml_object(schema)
    space = xml_keywords.get("namespace")
    is_there = not space or element.tag.startswith(f"{{{space}}}")
    return is_there and word(schema, name) in ("", local(element.tag))


def word(schema: SchemaPath, name: str) -> str:
    """The XML name of a property."""
    return str(xml_object(schema).get("name") or name)


def xml_object(schema: SchemaPath) -> dict[str, Any]:
    """The `xml` object of a schema, or of a branch that all values fit."""
    result: dict[str, Any] = {}
    for part in conjoined(schema):
        if "xml" in part:
            result = {**(part / "xml").read_value(), **result}
    return result


def conjoined(schema: SchemaPath) -> Iterator[SchemaPath]:
    """A schema with the members of its `allOf`."""
    yield schema
    if "allOf" in schema:
        for branch in schema / "allOf":
            yield from conjoined(branch)


def is_map(schema: SchemaPath) -> bool:
    """True if `additionalProperties` is a schema."""
    return "additionalProperties" in schema and not isinstance(
        (schema / "additionalProperties").read_value(), bool
    )


def local(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]
