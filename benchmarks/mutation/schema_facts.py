"""Reduces the published JSON Schemas to facts about members of results.

`python -m benchmarks.mutation.schema_facts FOLDER` reads `FOLDER/REVISION/schema.json`, the folder
`schema` of the repository of the specification, and writes `schema_facts.json` beside this module.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
FACTS = Path(__file__).with_name("schema_facts.json")
RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
}
"""The definition of the result of each method."""

NOTIFICATIONS = {
    "notifications/progress": "ProgressNotification",
    "notifications/message": "LoggingMessageNotification",
}
OPAQUE = ("_meta", "inputSchema", "outputSchema", "structuredContent", "experimental")
"""Members whose contents the schema leaves open."""

Fact = dict[str, Any]


def facts(schema: dict[str, Any], definition: str) -> list[Fact]:
    """The facts about the members of a definition, in document order.

    `path` is a list of member names; `*` is an entry of a list, and `?NAME=VALUE` or `?NAME` selects
    the objects with the member. `kinds` are the allowed JSON types.
    """
    definitions = schema.get("$defs") or schema["definitions"]
    return list(_members({"$ref": f"/{definition}"}, definitions, [], ()))


def _members(
    schema: dict[str, Any], definitions: dict[str, Any], path: list[str], above: tuple[str, ...]
) -> Iterator[Fact]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in above:
            yield from _members(definitions[name], definitions, path, (*above, name))
        return
    for branch in schema.get("anyOf", ()):
        resolved = _resolve(branch, definitions)
        yield from _members(resolved, definitions, [*path, *_condition(resolved)], above)
    if isinstance(schema.get("items"), dict):
        items = _resolve(schema["items"], definitions)
        if "enum" in items:
            fact = {"path": [*path, "*"], "kinds": _kinds(items, definitions), "required": False}
            yield fact | {"values": items["enum"]}
        yield from _members(schema["items"], definitions, [*path, "*"], above)
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items():
        resolved = _resolve(member, definitions)
        kinds = _kinds(resolved, definitions)
        fact: Fact = {"path": [*path, name], "kinds": kinds, "required": name in required}
        values = resolved.get("enum") or ([resolved["const"]] if "const" in resolved else None)
        fact |= {"values": values} if values else {}
        fact |= {key: resolved[key] for key in ("minimum", "maximum") if key in resolved}
        if kinds:
            yield fact
        if name not in OPAQUE:
            yield from _members(member, definitions, [*path, name], above)


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


def main() -> None:
    """Writes the facts of every revision."""
    folder = Path(sys.argv[1])
    table: dict[str, dict[str, list[Fact]]] = {}
    for revision in REVISIONS:
        schema = json.loads((folder / revision / "schema.json").read_text("utf-8"))
        definitions = schema.get("$defs") or schema["definitions"]
        table[revision] = {
            method: facts(schema, definition)
            for method, definition in (RESULTS | NOTIFICATIONS).items()
            if definition in definitions
        }
    lines = []
    for revision, methods in table.items():
        rows = [
            f'  "{method}": [\n   '
            + ",\n   ".join(json.dumps(fact) for fact in found)
            + "\n  ]"
            for method, found in methods.items()
        ]
        lines.append(f' "{revision}": {{\n' + ",\n".join(rows) + "\n }")
    FACTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
