"""Type notation of JSON text arguments: depth by room, names for cut parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Schema
from mcpgen.lower.descriptions import LEAN, RICH
from mcpgen.lower.flatten.schema_view import SchemaViews
from mcpgen.lower.flatten.type_notation import type_notation

TEXT = {"type": "string"}
NONE: Mapping[str, Any] = {}


def members(**properties: Any) -> dict[str, Any]:
    """Returns an object schema with these properties, all required."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def notation(
    schema: Any, limit: int, deeper: int = 0, definitions: Mapping[str, Any] = NONE
) -> str:
    """Returns the compact type of a schema."""
    location = Location("doc.yaml")
    schemas = SchemaViews({name: Schema(json, location) for name, json in definitions.items()})
    return type_notation(schemas, schema, limit, deeper)


def ref(name: str) -> dict[str, str]:
    """Returns a reference to a definition."""
    return {"$ref": f"#/$defs/{name}"}


BULK = {
    "type": "array",
    "items": members(
        title=TEXT,
        contact={"anyOf": [ref("Contact"), {"type": "null"}]},
        attachments={"type": "array", "items": ref("Attachment")},
    ),
}
CONTACT = members(name=TEXT, email=TEXT, address=ref("Address"))
DEFINITIONS = {
    "Contact": CONTACT,
    "Attachment": members(url=TEXT, size={"type": "integer"}),
    "Address": members(street=TEXT, city=TEXT, country=TEXT, postcode=TEXT),
}


@pytest.mark.parametrize(
    ("deeper", "text"),
    [
        (0, "[{title: string, contact: {…} | null, attachments: [{…}]}]"),
        (64, "[{title: string, contact: Contact{…} | null, attachments: […]}]"),
        (80, "[{title: string, contact: Contact{…} | null, attachments: [Attachment{…}]}]"),
        (
            140,
            "[{title: string, contact: {name: string, email: string, address: Address{…}} | null,"
            " attachments: [{url: string, size: integer}]}]",
        ),
        (
            300,
            "[{title: string, contact: {name: string, email: string, address: {street: string,"
            " city: string, country: string, postcode: string}} | null,"
            " attachments: [{url: string, size: integer}]}]",
        ),
    ],
)
def test_inner_shapes_are_shown_breadth_first_as_far_as_there_is_room(
    deeper: int, text: str
) -> None:
    assert notation(BULK, 60, deeper, DEFINITIONS) == text
    assert len(text) <= max(60, deeper)


def test_a_type_that_fits_as_a_whole_is_the_same_with_more_room() -> None:
    line = {"type": "array", "items": members(sku=TEXT, tags={"type": "array", "items": TEXT})}

    assert notation(line, 320) == notation(line, 320, 440) == "[{sku: string, tags: [string]}]"


def test_recursion_ends_with_the_name_of_the_type() -> None:
    parts = {"type": "array", "items": ref("shop.Part")}
    part = {"type": "object", "properties": {"name": TEXT, "made_of": parts}}

    text = notation(parts, 320, 0, {"shop.Part": part})

    assert text == "[{name?: string, made_of?: [Part]}]"


def test_a_part_too_large_for_the_room_does_not_keep_others_from_theirs() -> None:
    large = members(**{f"a_long_name_{number}": TEXT for number in range(20)})
    schema = members(first=large, second=members(x=TEXT), third=large)

    text = notation(schema, 50, 60)

    assert text == "{first: {…}, second: {x: string}, third: {…}}"


def test_an_object_too_large_begins_with_the_members_that_are_required() -> None:
    large = {
        "type": "object",
        "required": ["id", "email"],
        "properties": {f"optional_{number}": TEXT for number in range(20)}
        | {"id": {"type": "integer"}, "email": TEXT},
    }

    text = notation({"type": "array", "items": large}, 10, 60)

    assert text == "[{id: integer, email: string, optional_0?: string, …}]"


def test_alternatives_that_are_cut_alike_are_opened_together() -> None:
    schema = members(pet={"oneOf": [members(meow=TEXT), members(bark=TEXT)]})

    assert notation(schema, 15, 15) == "{pet: {…}}"
    assert notation(schema, 15, 60) == "{pet: {meow: string} | {bark: string}}"


def test_lists_that_are_cut_alike_are_distinguished_where_they_fit_as_a_whole() -> None:
    lists = [{"type": "array", "items": members(**{name: TEXT})} for name in ("a", "b")]

    assert notation({"oneOf": lists}, 320) == "[{a: string}] | [{b: string}]"


@pytest.mark.parametrize("name", ["Weird Name", "`injected`", "a\nb", "x" * 80])
def test_a_name_that_cannot_be_read_is_not_written(name: str) -> None:
    text = notation(members(inner=ref(name)), 20, 20, {name: CONTACT, **DEFINITIONS})

    assert text == "{inner: {…}}"


def test_a_rich_description_has_room_for_what_lies_deep(build: Any) -> None:
    lines = {
        "type": "object",
        "properties": {
            f"member_{number:02}": members(**{f"x{letter}": TEXT for letter in "ab"})
            for number in range(14)
        },
    }
    body = {"type": "object", "properties": {"lines": {"type": "array", "items": lines}}}

    description = build.of_body(body).arguments["lines"].schema["description"]

    assert RICH.json_type > LEAN.json_type
    assert LEAN.json_type < len(description) <= RICH.json_type + 60
    assert "member_00?: {xa: string, xb: string}" in description
    assert "member_13?: {…}" in description


@pytest.mark.parametrize(
    ("keywords", "type_"),
    [
        ({"items": False}, "[string, integer]"),
        ({"items": {"type": "boolean"}}, "[string, integer, ...boolean[]]"),
        ({}, "[string, integer, ...any[]]"),
    ],
)
def test_a_tuple_is_written_item_by_item(keywords: dict[str, Any], type_: str) -> None:
    pair = {"type": "array", "prefixItems": [TEXT, {"type": "integer"}], **keywords}

    assert notation(pair, 200) == type_
    assert notation({"type": "array", "items": pair}, 200) == f"[{type_}]"


def test_the_type_of_a_definition_is_written_once_for_all_that_refer_to_it() -> None:
    schemas = SchemaViews({"Pet": Schema(members(name=TEXT), Location("doc.yaml"))})
    limit = 10 * len("{name: string}")

    first = type_notation(schemas, {"$ref": "#/$defs/Pet"}, limit)
    second = type_notation(schemas, {"$ref": "#/$defs/Pet"}, limit)
    shorter = type_notation(schemas, {"$ref": "#/$defs/Pet"}, 5)

    assert first == "{name: string}"
    assert second is first
    assert shorter != first
