"""Validates messages of a server with the published JSON Schema of their revision.

The schemas in `published/` are those of the specification's repository without descriptions;
`python -m tests.conformance.specification` writes the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from mcpgen.conformance.revisions import MODERN
from mcpgen.conformance.schemas import value_problem_at_reference
from mcpgen.conformance.strict_json import Json

RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "ping": "EmptyResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "resources/subscribe": "EmptyResult",
    "resources/unsubscribe": "EmptyResult",
    "completion/complete": "CompleteResult",
    "logging/setLevel": "EmptyResult",
}
"""Name of the result's definition in the schema, by method."""

INPUT_REQUIRED = "InputRequiredResult"


def asks_client(result: Json, modern: bool) -> bool:
    """True for a result that asks the client for input. Revisions before 2026-07-28 have no such
    result: a client would take the result for one without content."""
    return modern and isinstance(result, dict) and result.get("resultType") == "input_required"


def result_problem(revision: str, method: str, result: Json) -> str:
    """The first violation of the revision's schema by the result of `method`, or `""`.

    Methods without a definition in the revision have no violations.
    """
    name = RESULTS.get(method, "")
    if asks_client(result, revision in MODERN):
        name = INPUT_REQUIRED
    return _problem(revision, name, result)


def notification_problem(revision: str, message: Mapping[str, Json]) -> str:
    """The first violation of the revision's schema by a notification of a server, or `""`.

    Notifications of extensions have no violations.
    """
    if not isinstance(message.get("method"), str):
        return f"`method` of a notification is {json.dumps(message.get('method'))[:80]}"
    return _problem(revision, _notifications(revision).get(str(message.get("method")), ""), message)


def _problem(revision: str, name: str, value: Json) -> str:
    schema = _revision_schemas(revision)
    key = _definitions_key(schema)
    if name not in schema[key]:
        return ""
    problem = value_problem_at_reference(schema, f"#/{key}/{name}", value)
    return f"{name}, {problem}" if problem else ""


@cache
def _revision_schemas(revision: str) -> dict[str, dict[str, Json]]:
    folder = Path(__file__).with_name("published")
    schema: dict[str, dict[str, Json]] = json.loads(
        (folder / f"{revision}.json").read_text("utf-8")
    )
    return schema


def _definitions_key(schema: Mapping[str, Json]) -> str:
    return "$defs" if "$defs" in schema else "definitions"


@cache
def _notifications(revision: str) -> Mapping[str, str]:
    """Name of the notification's definition in the schema, by method."""
    schema = _revision_schemas(revision)
    names: dict[str, str] = {}
    for name, definition in schema[_definitions_key(schema)].items():
        properties = definition.get("properties") if isinstance(definition, dict) else None
        method = properties.get("method") if isinstance(properties, dict) else None
        const = method.get("const") if isinstance(method, dict) else None
        if isinstance(const, str) and const.startswith("notifications/"):
            names[const] = name
    return names
