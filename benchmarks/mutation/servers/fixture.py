"""The tools, resources, prompts and completions that every server of the measurement offers.

The names are the names that the official suite looks for, so that both suites see the same server.
"""

from __future__ import annotations

import json
from typing import Any

TOKEN = "token-of-the-measurement"
"""The bearer token of servers that require a token."""

NAME, VERSION = "mutation", "1.0.0"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
READS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


def _constant_tool(
    name: str, description: str, *content: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """A tool with its constant result. `result` of `more` holds further members of the result."""
    result = {"content": list(content)} | more.pop("result", {})
    properties = more.pop("properties", {})
    schema = {
        "type": "object",
        "properties": properties,
        "required": more.pop("required", []),
        "additionalProperties": False,
    }
    tool = {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "description": description,
        "inputSchema": schema,
        "annotations": READS,
        **more.pop("announced", {}),
    }
    return {"tool": tool, "result": result, **more}


def _text_content(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _embedded(uri: str, **contents: Any) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, **contents}}


IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
TOOLS = (
    _constant_tool("test_simple_text", "Returns a text.", _text_content("This is a simple text.")),
    _constant_tool("test_image_content", "Returns an image.", IMAGE),
    _constant_tool(
        "test_audio_content",
        "Returns a sound.",
        {"type": "audio", "data": WAV, "mimeType": "audio/wav"},
    ),
    _constant_tool(
        "test_embedded_resource",
        "Returns an embedded resource.",
        _embedded("test://embedded", mimeType="text/plain", text="An embedded text."),
    ),
    _constant_tool(
        "test_multiple_content_types",
        "Returns a text, an image, an embedded resource and a link.",
        _text_content("Several blocks.") | {"annotations": {"audience": ["user"], "priority": 0.5}},
        IMAGE,
        _embedded("test://mixed", mimeType="image/png", blob=PNG),
        {"type": "resource_link", "uri": "test://static-text", "name": "static-text"},
    ),
    _constant_tool(
        "test_error_handling",
        "Fails always.",
        _text_content("This tool fails on purpose."),
        result={"isError": True},
    ),
    _constant_tool(
        "test_tool_with_progress",
        "Reports progress.",
        _text_content("Done."),
        progress=[
            {"progress": 0, "total": 100, "message": "Begun"},
            {"progress": 50, "total": 100, "message": "Half"},
            {"progress": 100, "total": 100, "message": "Done"},
        ],
    ),
    _constant_tool(
        "test_tool_with_logging",
        "Writes log messages.",
        _text_content("Logged."),
        logs=[
            {"level": "info", "logger": "mutation", "data": "Begun"},
            {"level": "error", "logger": "mutation", "data": {"step": 2}},
        ],
    ),
    _constant_tool(
        "add",
        "Adds two whole numbers.",
        properties={
            "left": {"type": "integer", "description": "A number.", "minimum": -1000},
            "right": {"type": "integer", "description": "A number.", "maximum": 1000},
        },
        required=["left", "right"],
        announced={
            "outputSchema": {
                "type": "object",
                "properties": {"sum": {"type": "integer"}},
                "required": ["sum"],
                "additionalProperties": False,
            }
        },
    ),
    _constant_tool(
        "repeat_text",
        "Returns the text of the argument.",
        properties={
            "text": {"type": "string", "description": "A text.", "minLength": 1},
            "colour": {"type": "string", "description": "A colour.", "enum": ["red", "blue"]},
            "words": {
                "type": "array",
                "description": "Words.",
                "items": {"type": "string"},
                "maxItems": 3,
            },
        },
        required=["text"],
    ),
    _constant_tool(
        "region_report",
        "Returns the name of a region.",
        _text_content("A report on the region."),
        properties={
            "region": {
                "type": "string",
                "description": "A region.",
                "x-mcp-header": "Region",
            },
            "year": {
                "type": "integer",
                "description": "A year.",
                "minimum": 2000,
                "x-mcp-header": "Year",
            },
            "brief": {
                "type": "boolean",
                "description": "Is the report short?",
                "x-mcp-header": "Brief",
            },
            "zone": {
                "type": "string",
                "description": "A part of the region.",
                "x-mcp-header": "Zone",
            },
        },
        required=["region", "year", "brief"],
    ),
    _constant_tool(
        "json_schema_2020_12_tool",
        "Has keywords of JSON Schema 2020-12.",
        _text_content("Accepted."),
        announced={
            "inputSchema": {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "$defs": {
                    "address": {
                        "type": "object",
                        "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                    }
                },
                "properties": {
                    "name": {"type": "string", "description": "A name."},
                    "address": {"$ref": "#/$defs/address"},
                },
                "additionalProperties": False,
            }
        },
    ),
)
"""Each tool: the announced form, the result, and progress and log messages of a call."""

RESOURCES = (
    {
        "uri": "test://static-text",
        "name": "static-text",
        "title": "A text",
        "description": "A text that never changes.",
        "mimeType": "text/plain",
        "size": 18,
        "annotations": {
            "audience": ["user", "assistant"],
            "priority": 1,
            "lastModified": "2026-07-28T12:00:00Z",
        },
    },
    {
        "uri": "test://static-binary",
        "name": "static-binary",
        "description": "A picture of one point.",
        "mimeType": "image/png",
    },
    {
        "uri": "test://watched-resource",
        "name": "watched-resource",
        "description": "A text to subscribe to.",
        "mimeType": "text/plain",
    },
)
CONTENTS = {
    "test://static-text": {
        "uri": "test://static-text",
        "mimeType": "text/plain",
        "text": "A text, unchanged.",
    },
    "test://static-binary": {
        "uri": "test://static-binary",
        "mimeType": "image/png",
        "blob": PNG,
    },
    "test://watched-resource": {
        "uri": "test://watched-resource",
        "mimeType": "text/plain",
        "text": "A watched text.",
    },
}
TEMPLATES = (
    {
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "The document of an id.",
        "mimeType": "application/json",
    },
)
PROMPTS = (
    {"name": "test_simple_prompt", "description": "A prompt of one text."},
    {
        "name": "test_prompt_with_arguments",
        "title": "Two arguments",
        "description": "A prompt that holds its arguments.",
        "arguments": [
            {"name": "arg1", "description": "The first argument.", "required": True},
            {"name": "arg2", "description": "The second argument.", "required": True},
        ],
    },
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "A prompt that embeds a resource.",
        "arguments": [
            {"name": "resourceUri", "description": "The URI of the resource.", "required": True}
        ],
    },
    {"name": "test_prompt_with_image", "description": "A prompt that shows a picture."},
)
WORDS = ("alpha", "beta", "gamma")
"""The values that completion suggests, filtered by the typed prefix."""

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


def prompt_messages(name: str, arguments: dict[str, str]) -> list[dict[str, Any]]:
    """The messages of the prompt `name`."""
    contents = [_text_content("This prompt is always the same.")]
    if name == "test_prompt_with_arguments":
        contents = [_text_content(f"First: {arguments['arg1']}, second: {arguments['arg2']}.")]
    elif name == "test_prompt_with_embedded_resource":
        embedded = _embedded(arguments["resourceUri"], mimeType="text/plain", text="Embedded.")
        contents = [embedded, _text_content("Read the resource.")]
    elif name == "test_prompt_with_image":
        contents = [IMAGE, _text_content("Look at the picture.")]
    return [{"role": "user", "content": content} for content in contents]


def tool_result(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of the tool `name` with valid arguments."""
    if name == "add":
        value = {"sum": arguments["left"] + arguments["right"]}
        return {"content": [_text_content(json.dumps(value))], "structuredContent": value}
    if name == "repeat_text":
        return {"content": [_text_content(arguments["text"])]}
    return dict(TOOL_BY_NAME[name]["result"])


TOOL_BY_NAME: dict[str, dict[str, Any]] = {tool["tool"]["name"]: tool for tool in TOOLS}


def as_json() -> str:
    """Everything as JSON, for the TypeScript server."""
    names = ("TOOLS", "RESOURCES", "CONTENTS", "TEMPLATES", "PROMPTS", "WORDS", "TOKEN")
    return json.dumps({name.lower(): globals()[name] for name in names})
