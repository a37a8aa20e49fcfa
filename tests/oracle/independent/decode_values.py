"""Converts texts to values by the schema of the value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from jsonschema_path import SchemaPath

Valid = Callable[[SchemaPath, Any], bool]
MAX_DEPTH = 6
"""How many branches below each other are looked into."""


def types(schema: SchemaPath, depth: int = 0) -> set[str]:
    """The types that a schema allows; empty for a schema without types."""
    if "type" in schema:
        value = (schema / "type").read_value()
        return {value} if isinstance(value, str) else set(value)
    result: set[str] = set()
    for keyword in ("allOf", "oneOf", "anyOf"):
        if keyword in schema and depth < MAX_DEPTH:
            for branch in schema / keyword:
                result |= types(branch, depth + 1)
    return result or ({"object"} if "properties" in schema else set())


def members(schema: SchemaPath, depth: int = 0) -> dict[str, list[SchemaPath]]:
    """Properties of an object, each with the schemas of all branches."""
    result: dict[str, list[SchemaPath]] = {}
    if "properties" in schema:
        for name, schemas in (schema / "properties").items():
            result.setdefault(str(name), []).append(schemas)
    for keyword in ("allOf", "oneOf", "anyOf"):
        if keyword in schema and depth < MAX_DEPTH:
            for branch in schema / keyword:
                for name, branch_schemas in members(branch, depth + 1).items():
                    result.setdefault(name, []).extend(branch_schemas)
    return result


def items(schema: SchemaPath, depth: int = 0) -> list[SchemaPath]:
    """Schemas of all branches for the items of an array."""
    result = [schema / "items"] if "items" in schema else []
    for keyword in ("allOf", "oneOf", "anyOf"):
        if keyword in schema and depth < MAX_DEPTH:
            for branch in schema / keyword:
                result += items(branch, depth + 1)
    return result


def cast(schema: SchemaPath, raw: Any, valid: Valid) -> Any:
    """The value of a text, or of a tree of texts."""
    kinds = types(schema)
    if isinstance(raw, dict):
        if "array" in kinds or "object" not in kinds:
            raw = index_keys_to_list(raw)
        if isinstance(raw, dict):
            properties = members(schema)
            return {
                name: best(properties.get(name, []), candidate, valid)
                for name, candidate in raw.items()
            }
    if isinstance(raw, list):
        if kinds and "array" not in kinds and len(raw) == 1:
            return cast(schema, raw[0], valid)
        return [best(items(schema), candidate, valid) for candidate in raw]
    if not isinstance(raw, str):
        return raw
    candidates = list(scalars(raw, kinds))
    fitting = (
        candidate for candidate in candidates if len(candidates) > 1 and valid(schema, candidate)
    )
    return next(fitting, candidates[0])


def best(schemas: list[SchemaPath], raw: Any, valid: Valid) -> Any:
    """The value by the first schema that accepts the value; else by the first schema."""
    values = [(schema, cast(schema, raw, valid)) for schema in schemas]
    return next(
        (value for schema, value in values if len(values) == 1 or valid(schema, value)),
        values[0][1] if values else plain(raw),
    )


def plain(raw: Any) -> Any:
    """The value of a tree of texts without a schema."""
    raw = index_keys_to_list(raw)
    if isinstance(raw, dict):
        return {name: plain(item) for name, item in raw.items()}
    if isinstance(raw, list):
        return (
            raw[0] if len(raw) == 1 and isinstance(raw[0], str) else [plain(item) for item in raw]
        )
    return raw


def scalars(text: str, kinds: set[str]) -> Iterator[Any]:
    """Possible values of a text, by the allowed types."""
    if kinds & {"integer", "number"} and re.fullmatch(r"-?\d+", text):
        yield int(text)
    elif "number" in kinds and re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", text):
        yield float(text)
    if "boolean" in kinds and text in ("true", "false"):
        yield text == "true"
    if "null" in kinds and text in ("", "null"):
        yield None
    if kinds & {"object", "array"} and text[:1] in ("{", "["):
        with suppress(ValueError):
            yield json.loads(text)
    yield text


def index_keys_to_list(tree: Any) -> Any:
    """The tree with arrays for objects whose keys are `""` or count from 0."""
    if not isinstance(tree, dict):
        return tree
    if list(tree) == [""]:
        return tree[""]
    return list(tree.values()) if list(tree) == [str(n) for n in range(len(tree))] else tree
