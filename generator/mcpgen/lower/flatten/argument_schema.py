"""The announced schema of one value, before it has a description."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.constraint_text import default_of
from mcpgen.lower.flatten.schema_view import SchemaView
from mcpgen.lower.flatten.values import json_type

BEYOND = {
    "not",
    "if",
    "allOf",
    "anyOf",
    "oneOf",
    "contains",
    "prefixItems",
    "unevaluatedItems",
}
"""Keywords that a flat schema cannot hold, so the original is checked."""


@dataclass(frozen=True, slots=True)
class ArgumentSchema:
    """An announced schema without its description.

    `says_less` tells that the original must be checked as well; `instead` is the schema to check
    instead where the value is text on the wire whatever its type, or one value alone stands in an
    array. `words` are what only words can say. `also` lists the scalar types that a call may give
    beside the announced `string`. `unlisted` tells that the values are too many to be announced.
    """

    schema: dict[str, Json]
    says_less: bool = False
    instead: Json = None
    words: list[str] = field(default_factory=list)
    also: tuple[str, ...] = ()
    unlisted: bool = False


def put_default(schema: dict[str, Json], view: SchemaView, words: list[str]) -> None:
    """Announces a default that the flat schema itself allows; another is said in words."""
    if "default" not in view.keywords or view.get("default") is None:
        return
    value = view.get("default")
    kind = schema["type"]
    fits = json_type(value) == kind or (kind == "number" and json_type(value) == "integer")
    if fits and kind == "array":
        item = schema["items"]["type"]
        fits = all(
            json_type(part) == item or (item == "number" and json_type(part) == "integer")
            for part in value
        ) and not any("enum" in schema["items"] and p not in schema["items"]["enum"] for p in value)
    if fits and value not in schema.get("enum", [value]):
        fits = False
    if fits:
        schema["default"] = value
    else:
        words.append(default_of(value))
