"""The resources and prompts of this server: announced exactly as recorded, and all readable."""

from typing import Any

import pytest

from tests.support import Api

RESOURCES: list[dict[str, Any]] = [
    {
        "uri": "test://static-text",
        "name": "static-text",
        "description": "A text that never changes.",
        "mimeType": "text/plain",
        "size": 31,
    },
    {
        "uri": "test://static-binary",
        "name": "static-binary",
        "description": "A picture of one point.",
        "mimeType": "image/png",
        "size": 70,
    },
    {
        "uri": "test://watched-resource",
        "name": "watched-resource",
        "description": "A text to subscribe to.",
        "mimeType": "text/plain",
        "size": 34,
    },
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "The document of an id.",
        "mimeType": "application/json",
    },
]

PROMPTS: list[dict[str, Any]] = [
    {"name": "test_simple_prompt", "description": "A prompt of one text."},
    {
        "name": "test_prompt_with_arguments",
        "description": "A prompt that holds its arguments.",
        "arguments": [
            {"name": "arg1", "description": "The first argument", "required": True},
            {"name": "arg2", "description": "The second argument", "required": True},
        ],
    },
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "A prompt that embeds a resource.",
        "arguments": [
            {"name": "resourceUri", "description": "The URI of the resource", "required": True},
        ],
    },
    {"name": "test_prompt_with_image", "description": "A prompt that shows a picture."},
    {
        "name": "test_input_required_result_prompt",
        "description": "A prompt that asks the user for what is missing.",
        "arguments": [{"name": "context", "description": "What to think of", "required": False}],
    },
    {
        "name": "test_which_colour",
        "description": "A prompt whose argument can be completed.",
        "arguments": [{"name": "colour", "description": "A colour", "required": False}],
    },
]

FILES = ["test://static-text", "test://static-binary", "test://watched-resource"]
"""The URIs of resources with a file."""

every_version = pytest.mark.parametrize("version", ["2025-03-26", "2025-11-25", "2026-07-28"])


@every_version
async def test_resources_are_exactly_those_announced_and_in_this_order(
    api: Api, version: str
) -> None:
    plain = await api.request("resources/list", version=version)
    templates = await api.request("resources/templates/list", version=version)

    assert plain["resources"] == RESOURCES
    assert templates["resourceTemplates"] == TEMPLATES


async def test_a_resource_that_is_not_there_is_told(api: Api) -> None:
    uri = "nowhere:it-is-not-there"
    answer = await api.post("resources/read", {"uri": uri}, **{"Mcp-Name": uri})

    assert answer.json()["error"]["code"] == -32602


@pytest.mark.parametrize("uri", FILES)
async def test_a_file_is_there(api: Api, uri: str) -> None:
    answer = await api.post("resources/read", {"uri": uri}, **{"Mcp-Name": uri})

    (content,) = answer.json()["result"]["contents"]
    assert content["uri"] == uri


@every_version
async def test_prompts_are_exactly_those_announced_and_in_this_order(
    api: Api, version: str
) -> None:
    listed = await api.request("prompts/list", version=version)

    assert listed["prompts"] == PROMPTS


@pytest.mark.parametrize("prompt", PROMPTS, ids=[prompt["name"] for prompt in PROMPTS])
async def test_a_prompt_is_not_given_without_what_it_requires(
    api: Api, prompt: dict[str, Any]
) -> None:
    error = await api.error("prompts/get", {"name": prompt["name"], "arguments": {"x-no": ""}})

    assert error["code"] == -32602
    for argument in prompt.get("arguments", []):
        assert (f"`{argument['name']}` is required" in error["message"]) is argument["required"]
