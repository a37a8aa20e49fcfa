"""Tools as TypeScript: the types of their arguments and results."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from .tool import Json, Tool

_DEEPEST = 4
"""How many objects inside one another are written out."""

_VALUES = 20
"""How many values a union of values has at most."""

_NAMES: Mapping[str, str] = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")

Schemas = Mapping[str, Json]


def method_signature(method: str, tool: Tool) -> str:
    """The signature of a method, below what it does."""
    about = " ".join((tool.title or tool.description or tool.name).split())
    comment = f"/** {about[:200]} */".replace("*/", "* /", about[:200].count("*/"))
    return f"{comment}\n{_property(method)}({_parameter(tool)}): Promise<{result_type(tool)}>;"


def _parameter(tool: Tool) -> str:
    """What a method takes; nothing, where its tool takes nothing."""
    schema = tool.input_schema
    if not schema["properties"]:
        return ""
    needed = needed_by(tool)
    members = (
        f"{_property(name)}{'' if name in needed else '?'}: {_type(each, tool.shared, 1)}"
        for name, each in schema["properties"].items()
    )
    return f"{'arguments' if needed else 'arguments?'}: {{ {'; '.join(members)} }}"


def needed_by(tool: Tool) -> frozenset[str]:
    """The names of the arguments that no call can do without."""
    return frozenset(one.name for one in tool.arguments if one.required and not one.hidden)


def result_type(tool: Tool) -> str:
    """The type of what a script gets, `any` where nothing is announced."""
    if tool.output is None:
        return "any"
    shared = tool.output.get("$defs", {})
    schema = tool.output.get("properties", {}).get("result") if tool.wrapped else tool.output
    return _type(schema, shared, 1)


def typescript_type(schema: Json, shared: Schemas) -> str:
    """A schema as a type."""
    return _type(schema, shared, 1)


def _type(schema: Json, shared: Schemas, depth: int) -> str:
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return "any"
    if "$ref" in schema:
        target = shared.get(str(schema["$ref"]).removeprefix("#/$defs/"))
        return _type(target, shared, depth + 1)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list) and 0 < len(values) <= _VALUES:
        return " | ".join(dict.fromkeys(json.dumps(value) for value in values))
    for word in ("anyOf", "oneOf"):
        if isinstance(schema.get(word), list):
            return _union(_type(each, shared, depth + 1) for each in schema[word])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return _union(_named(str(kind), schema, shared, depth) for kind in kinds)
    return _named(str(kinds), schema, shared, depth)


def _named(kind: str, schema: Schemas, shared: Schemas, depth: int) -> str:
    """The type that a word of JSON Schema stands for."""
    if kind == "array":
        inner = _type(schema.get("items"), shared, depth + 1)
        return f"({inner})[]" if " " in inner and not inner.startswith("{") else f"{inner}[]"
    if kind == "object":
        return _object(schema, shared, depth)
    return _NAMES.get(kind, "any")


def _object(schema: Schemas, shared: Schemas, depth: int) -> str:
    members = schema.get("properties")
    if not isinstance(members, Mapping) or not members:
        return f"Record<string, {_type(schema.get('additionalProperties'), shared, depth + 1)}>"
    needed = schema.get("required", ())
    texts = (
        f"{_property(name)}{'' if name in needed else '?'}: {_type(each, shared, depth + 1)}"
        for name, each in members.items()
    )
    return f"{{ {'; '.join(texts)} }}"


def _union(types: object) -> str:
    found = dict.fromkeys(types)  # type: ignore[call-overload]
    return "any" if "any" in found else " | ".join(found)


def _property(name: str) -> str:
    return name if _IDENTIFIER.fullmatch(name) else json.dumps(name)
