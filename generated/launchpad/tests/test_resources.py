"""The resources and prompts of this server: announced exactly as recorded, and all readable."""

from typing import Any

import pytest

from tests.support import Api

RESOURCES: list[dict[str, Any]] = [
    {
        "uri": "launchpad://businesses",
        "name": "businesses",
        "description": (
            "The businesses that customers run on the platform, in the order in which they came."
        ),
        "mimeType": "application/json",
    },
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "uriTemplate": "launchpad://businesses/{id}",
        "name": "business",
        "description": "One business, by its id.",
        "mimeType": "application/json",
    },
]

PROMPTS: list[dict[str, Any]] = [
    {
        "name": "opening",
        "title": "Open a business",
        "description": (
            "Looks for a name, opens the business and puts its first program into service."
        ),
        "arguments": [
            {"name": "trade", "description": "What the business does.", "required": True},
        ],
    },
]

READ = [
    (
        "launchpad://businesses",
        "GET /businesses",
        "application/json",
        '[{"id": "sample", "name": "sample"}]',
    ),
    (
        "launchpad://businesses/biz_0",
        "GET /businesses/biz_0",
        "application/json",
        '{"id": "sample", "name": "sample"}',
    ),
]
"""A URI of each resource with a tool, the upstream request, and the answer."""

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
