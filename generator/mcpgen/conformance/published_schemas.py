"""The published JSON Schemas of the messages that servers send, by revision.

`published_schemas.json` holds the definitions of the specification's `schema.json` files without
descriptions; `python -m tests.update_schemas` rewrites the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from mcpgen.conformance.exchange import printable
from mcpgen.conformance.schemas import compile_schema
from mcpgen.conformance.strict_json import Json

FILE = Path(__file__).with_suffix(".json")

RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "ping": "EmptyResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "resources/subscribe": "EmptyResult",
    "resources/unsubscribe": "EmptyResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
    "logging/setLevel": "EmptyResult",
}
"""The definition of the result of each method."""

NOTIFICATIONS = {
    "notifications/cancelled": "CancelledNotification",
    "notifications/progress": "ProgressNotification",
    "notifications/message": "LoggingMessageNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
}
"""The definition of each notification of a server."""


@cache
def definitions(revision: str) -> Mapping[str, Json]:
    """The definitions of a revision, by name."""
    found: Mapping[str, Json] = json.loads(FILE.read_text("utf-8"))[revision]
    return found


def result_problem(revision: str, method: str, result: Json) -> str:
    """The first violation of the published schema by the result of `method`, or `""`; also `""` if
    the revision publishes no schema for the result.
    """
    if isinstance(result, dict) and result.get("resultType") == "input_required":
        return ""
    return _problem(revision, RESULTS.get(method, ""), result)


def notification_problem(revision: str, message: Mapping[str, Json]) -> str:
    """The first violation of the published schema by a notification, or `""`; also `""` for a
    notification without a schema.
    """
    method = message.get("method")
    if not isinstance(method, str):
        return f"`method` is {printable(method)}"
    return _problem(revision, NOTIFICATIONS.get(method, ""), dict(message))


def _problem(revision: str, name: str, value: Json) -> str:
    if name not in definitions(revision):
        return ""
    return _compiled(revision, name)(value)


@cache
def _compiled(revision: str, name: str) -> Callable[[Json], str]:
    """The first violation of a definition; unions are changed so that a violation names the
    member.
    """
    defs = {key: _discriminated(value, revision) for key, value in definitions(revision).items()}
    return compile_schema({"$ref": f"#/$defs/{name}", "$defs": defs})


def _discriminated(schema: Json, revision: str) -> Json:
    """The schema with each union of objects that differ in the constant `type` replaced by
    conditions.

    Both accept the same values. The violation of a union is "not valid under any of the schemas", of
    a condition the violation of the alternative with the `type` of the value.
    """
    if isinstance(schema, list):
        return [_discriminated(entry, revision) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: _discriminated(value, revision) for key, value in schema.items()}
    union = changed.get("anyOf")
    if isinstance(union, list):
        by_type = {_type_of(branch, revision): branch for branch in union}
        if "" not in by_type and len(by_type) == len(union):
            del changed["anyOf"]
            changed |= {
                "type": "object",
                "required": ["type"],
                "properties": {"type": {"enum": [*by_type]}},
                "allOf": [
                    {"if": {"properties": {"type": {"const": kind}}}, "then": branch}
                    for kind, branch in by_type.items()
                ],
            }
    return changed


def _type_of(branch: Json, revision: str) -> str:
    """The constant `type` of the objects of a definition, or `""`."""
    reference = branch.get("$ref", "") if isinstance(branch, dict) else ""
    definition = definitions(revision).get(reference.rpartition("/")[2])
    if not isinstance(definition, dict):
        return ""
    return str(definition.get("properties", {}).get("type", {}).get("const", ""))
