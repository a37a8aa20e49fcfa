"""The arguments of a declared tool: flat JSON Schemas.

https://json-schema.org/draft/2020-12/json-schema-validation
"""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import Json
from mcpgen.openspec.companion.keys import (
    ANY,
    COUNTED,
    FLAG,
    HEADER_NAME,
    LIST,
    MAPPING,
    PATTERN,
    CompanionKey,
    CompanionType,
    Keys,
    number_key,
    text_key,
    texts_key,
)
from mcpgen.openspec.companion.reader import CompanionReader, as_texts, read_text
from mcpgen.openspec.model.companion import Input
from mcpgen.parse.node import Node

_SCALARS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_TYPES: Mapping[str, tuple[type, ...]] = {**_SCALARS, "array": (list,), "object": (dict,)}
_BOUND = CompanionKey(
    CompanionType.ANY, False, lambda found: type(found) in (int, float), "a number"
)

_TYPE = (lambda name: name in _TYPES, "one of " + ", ".join(f"`{name}`" for name in _TYPES))

SCALAR: Keys = {
    "type": texts_key(_TYPE),
    "description": text_key(),
    "title": text_key(),
    "enum": LIST,
    "const": ANY,
    "default": ANY,
    "examples": LIST,
    "format": text_key(),
    "pattern": text_key(PATTERN),
    "minLength": number_key(COUNTED),
    "maxLength": number_key(COUNTED),
    "minimum": _BOUND,
    "maximum": _BOUND,
    "exclusiveMinimum": _BOUND,
    "exclusiveMaximum": _BOUND,
    "multipleOf": CompanionKey(
        CompanionType.ANY,
        False,
        lambda found: type(found) in (int, float) and found > 0,
        "more than 0",
    ),
}
ARGUMENT: Keys = {
    **SCALAR,
    "items": MAPPING,
    "minItems": number_key(COUNTED),
    "maxItems": number_key(COUNTED),
    "uniqueItems": FLAG,
    "required": FLAG,
    "from": text_key(),
    "header": text_key(HEADER_NAME),
}
OWN = ("required", "from", "header")
"""The keys that are not of the schema."""

NESTING = {
    "properties": "it has properties",
    "additionalProperties": "it describes properties",
    "patternProperties": "it describes properties",
    "prefixItems": "its elements differ",
    "anyOf": "it is a choice of schemas",
    "oneOf": "it is a choice of schemas",
    "allOf": "it is made of several schemas",
    "$ref": "it refers to another schema",
}
"""Keywords that say more than a flat schema can, and how."""


def input_of(reader: CompanionReader, name: str, node: Node, upstream: bool) -> Input | None:
    """An argument of a tool; None where nothing can be made of it, which is told."""
    nested = next((keyword for keyword in NESTING if node.has(keyword)), None)
    if nested:
        what = NESTING[nested]
        reader.tell(codes.NESTED_INPUT, node.child(nested), name=name, what=what)
        return None
    found = reader.members(node, f"the argument `{name}`", ARGUMENT)
    source = read_text(found, "from")
    if source and not upstream:
        at = found["from"]
        reader.tell(codes.SOURCE_WITHOUT_UPSTREAM, at, name=name, source=source)
    if not {"type", "enum", "const", "from"} & found.keys() and type(node.value) is dict:
        if not node.has("type"):
            owner = f"the argument `{name}`"
            reader.tell(codes.MISSING_COMPANION_KEY, node, owner=owner, key="type")
        return None
    if not _flat_elements(reader, name, found):
        return None
    _tell_strange_values(reader, found)
    schema = {key: member.value for key, member in found.items() if key not in OWN}
    required = "required" in found and bool(found["required"].value)
    return Input(name, schema, required, node.at, source, read_text(found, "header"))


def _flat_elements(reader: CompanionReader, name: str, found: Mapping[str, Node]) -> bool:
    """Whether the elements of a list are scalars, if the argument is a list."""
    if "items" not in found:
        return True
    items = found["items"]
    keys = {**SCALAR, **dict.fromkeys(NESTING, ANY), "items": ANY}
    elements = reader.members(items, f"`items` of the argument `{name}`", keys)
    types = as_texts(elements.get("type"))
    nested = next((key for key in (*NESTING, "items") if key in elements), None)
    if nested or {"array", "object"} & set(types):
        at = items.child(nested or "type")
        what = "its elements are not texts, numbers or flags"
        reader.tell(codes.NESTED_INPUT, at, name=name, what=what)
        return False
    return True


def _tell_strange_values(reader: CompanionReader, found: Mapping[str, Node]) -> None:
    """Tells of values that the argument's own type does not allow."""
    types = as_texts(found.get("type"))
    if not types:
        return
    given = [found[key] for key in ("default", "const") if key in found]
    for key in ("enum", "examples"):
        given += found[key].elements() if key in found else ()
    for node in given:
        if not any(_is(node.value, one) for one in types):
            reader.wrong_type(node, node.path[-1], f"of the type {' or '.join(types)}")


def _is(value: Json, name: str) -> bool:
    whole = name == "integer" and isinstance(value, float) and value.is_integer()
    return whole or type(value) in _TYPES[name]
