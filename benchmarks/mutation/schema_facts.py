"""Facts about members of results and notifications, from the published JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from mcpgen.conformance import message_schemas
from mcpgen.conformance.message_schemas import RESULTS

SCHEMAS = Path(message_schemas.__file__).with_name("published")
METHODS = {
    **{method: definition for method, definition in RESULTS.items() if method != "ping"},
    "notifications/progress": "ProgressNotification",
    "notifications/message": "LoggingMessageNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
}
"""The definition of the result of each method, and of notifications."""

OPAQUE = ("_meta", "inputSchema", "outputSchema", "structuredContent", "experimental")
"""Members whose contents the schema leaves open."""

Fact = dict[str, Any]


def facts(revision: str, definition: str) -> list[Fact]:
    """The facts about the members of a definition, in document order; `[]` if the revision lacks the
    definition.

    `path` is a list of member names; `*` is an entry of a list, and `?NAME=VALUE` or `?NAME` selects
    the objects with the member. `kinds` are the allowed JSON types.
    """
    schema = _revision_schema(revision)
    result = schema.get("$defs") or schema["definitions"]
    if definition not in result:
        return []
    return list(_member_facts({"$ref": f"/{definition}"}, result, [], ()))


@cache
def _revision_schema(revision: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{revision}.json").read_text("utf-8"))
    return schema


def _member_facts(
    schema: dict[str, Any], definitions: dict[str, Any], path: list[str], ancestors: tuple[str, ...]
) -> Iterator[Fact]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in ancestors:
            yield from _member_facts(definitions[name], definitions, path, (*ancestors, name))
        return
    for branch in schema.get("anyOf", ()):
        resolved_schema = _resolve(branch, definitions)
        yield from _member_facts(
            resolved_schema, definitions, [*path, *_condition(resolved_schema)], ancestors
        )
    if isinstance(schema.get("items"), dict):
        items = _resolve(schema["items"], definitions)
        if "enum" in items:
            entry: Fact = {"path": [*path, "*"], "kinds": _kinds(items, definitions)}
            yield entry | {"required": False, "values": items["enum"]}
        yield from _member_facts(schema["items"], definitions, [*path, "*"], ancestors)
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items():
        resolved_schema = _resolve(member, definitions)
        kinds = _kinds(resolved_schema, definitions)
        fact: Fact = {"path": [*path, name], "kinds": kinds, "required": name in required}
        values = resolved_schema.get("enum") or (
            [resolved_schema["const"]] if "const" in resolved_schema else None
        )
        fact |= {"values": values} if values else {}
        fact |= {
            key: resolved_schema[key] for key in ("minimum", "maximum") if key in resolved_schema
        }
        if kinds:
            yield fact
        if name not in OPAQUE:
            yield from _member_facts(member, definitions, [*path, name], ancestors)


def _resolve(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    return schema


def _condition(schema: dict[str, Any]) -> list[str]:
    """The condition that distinguishes a branch of a union."""
    properties = schema.get("properties", {})
    kind = properties.get("type", {}).get("const")
    if kind:
        return [f"?type={kind}"]
    return [f"?{name}" for name in ("text", "blob") if name in schema.get("required", ())]


def _kinds(schema: dict[str, Any], definitions: dict[str, Any]) -> list[str]:
    """The JSON types that a schema allows; `[]` if the schema allows all."""
    if "anyOf" in schema:
        branches = [_kinds(_resolve(part, definitions), definitions) for part in schema["anyOf"]]
        return sorted({kind for branch in branches for kind in branch})
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)
