"""The resources and prompts of this server: announced exactly as recorded, and all readable."""

from typing import Any

import pytest

from tests.support import Api

RESOURCES: list[dict[str, Any]] = [
    {
        "uri": "workshop://bicycles",
        "name": "bicycles",
        "description": "Bicycles known to the workshop, newest first.",
        "mimeType": "application/json",
    },
    {
        "uri": "workshop://rules",
        "name": "rules",
        "title": "Rules of the workshop",
        "mimeType": "text/markdown",
        "size": 171,
        "annotations": {"audience": ["user", "assistant"]},
    },
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "uriTemplate": "workshop://bicycles/{id}",
        "name": "bicycle",
        "description": "One bicycle with its owner and its tags.",
        "mimeType": "application/json",
    },
    {
        "uriTemplate": "workshop://repairs/{repair_id}",
        "name": "repair",
        "description": "One repair, its state and what it costs.",
        "mimeType": "application/json",
    },
]

PROMPTS: list[dict[str, Any]] = [
    {
        "name": "inspect",
        "title": "Inspect a bicycle",
        "description": "Goes over one bicycle, by the rules of the workshop.",
        "arguments": [
            {"name": "id", "description": "Which bicycle.", "required": True},
            {"name": "depth", "description": "How closely to look.", "required": False},
        ],
    },
]

READ = [
    (
        "workshop://bicycles",
        "GET /bicycles",
        "application/json",
        (
            '{"bicycles": [{"kind": "bicycle", "frame_number": "KX-20441", "owner": '
            '{"name": "Ines Marlow"}}]}'
        ),
    ),
    (
        "workshop://bicycles/1",
        "GET /bicycles/1",
        "application/json",
        '{"kind": "bicycle", "frame_number": "KX-20441", "owner": {"name": "Ines Marlow"}}',
    ),
    (
        "workshop://repairs/3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "GET /repairs/3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "application/json",
        '{"id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "state": "planned", "currency": "EUR"}',
    ),
]
"""A URI of each resource with a tool, the upstream request, and the answer."""

FILES = ["workshop://rules"]
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


@pytest.mark.parametrize(("uri", "request_line", "media_type", "answer"), READ)
async def test_a_resource_is_what_its_tool_reads(
    api: Api, uri: str, request_line: str, media_type: str, answer: str
) -> None:
    api.upstream.requests.clear()
    api.upstream.status, api.upstream.media_type = 200, media_type
    api.upstream.body = answer.encode()

    response = await api.post("resources/read", {"uri": uri}, **{"Mcp-Name": uri})

    assert [sent.line for sent in api.upstream.requests] == [request_line]
    assert {each["uri"] for each in response.json()["result"]["contents"]} == {uri}


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
