"""What an input schema says beside its arguments: conditions among them.

https://json-schema.org/draft/2020-12/json-schema-core#section-10
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import jsonschema_rs

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import Json
from mcpgen.openspec.companion.reader import CompanionReader
from mcpgen.parse.node import Node

KEYWORDS = (
    "$schema",
    "$defs",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "minProperties",
    "maxProperties",
)
"""The keywords that may stand there."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERRING = ("$ref", "$dynamicRef", "$id")


def conditions_of(reader: CompanionReader, node: Node | None, upstream: bool) -> Mapping[str, Json]:
    """The keywords under `conditions`, none where one of them cannot be used, which is told."""
    if node is None:
        return {}
    if upstream:
        reader.illegal(node, "conditions", "that of a tool without `upstream`")
        return {}
    wrong = [(keyword, member, _reason(keyword, member)) for keyword, member in node.members()]
    told = [each for each in wrong if each[2]]
    if not told and (reason := _unresolved(node.value)):
        told = [("$ref", node, reason)]
    for keyword, member, reason in told:
        reader.tell(codes.UNFIT_CONDITION, member, keyword=keyword, reason=reason)
    return {} if told else dict(node.value)


def _reason(keyword: str, node: Node) -> str:
    """Why a keyword cannot stand there, or `""`."""
    if keyword not in KEYWORDS:
        return "it is none of " + ", ".join(f"`{known}`" for known in KEYWORDS)
    if keyword == "$schema":
        return "" if node.value == _DIALECT else f"schemas are those of {_DIALECT}"
    if any(not target.startswith("#") for target in _references(node.value)):
        return "it refers to what stands outside of it"
    try:
        jsonschema_rs.meta.validate({"$schema": _DIALECT, keyword: node.value})
    except jsonschema_rs.ValidationError as error:
        return error.message[:200]
    return ""


def _unresolved(conditions: Json) -> str:
    """Why conditions that are sound one by one make no schema, or `""`."""
    try:
        jsonschema_rs.Draft202012Validator(conditions)
    except (jsonschema_rs.ValidationError, ValueError) as error:
        return str(error).splitlines()[0][:200]
    return ""


def _references(value: Json) -> Iterator[str]:
    """What a schema refers to."""
    if isinstance(value, dict):
        yield from (str(value[word]) for word in _REFERRING if word in value)
        for member in value.values():
            yield from _references(member)
    elif isinstance(value, list):
        for element in value:
            yield from _references(element)
