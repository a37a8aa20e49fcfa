"""Resources and prompts of the hosted service."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.examples.launchpad.conftest import with_key_of
from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint

BUSINESS = "launchpad://businesses/{id}"


def read(front: ServerEndpoint, uri: str) -> Any:
    """The JSON of a resource."""
    (content,) = front.ask("resources/read", uri=uri)["contents"]
    assert content["uri"] == uri
    assert content["mimeType"] == "application/json"
    return json.loads(content["text"])


def test_resources_are_found_and_read(admin: ServerEndpoint) -> None:
    uris = {item["uri"] for item in admin.ask("resources/list")["resources"]}
    templates = admin.ask("resources/templates/list")["resourceTemplates"]

    assert uris == {"launchpad://businesses"}
    assert {item["uriTemplate"] for item in templates} == {BUSINESS}
    assert {"id": "biz_123", "name": "Acme Corp"} in read(admin, "launchpad://businesses")
    assert read(admin, "launchpad://businesses/biz_123")["name"] == "Acme Corp"


def test_what_there_is_is_suggested_for_a_resource(admin: ServerEndpoint) -> None:
    result = admin.ask(
        "completion/complete",
        ref={"type": "ref/resource", "uri": BUSINESS},
        argument={"name": "id", "value": "biz_12"},
    )["completion"]

    assert {"biz_123", "biz_124"} <= set(result["values"])


def test_a_prompt_is_filled_in(admin: ServerEndpoint) -> None:
    (prompt,) = admin.ask("prompts/list")["prompts"]
    filled_prompt = admin.ask("prompts/get", name="opening", arguments={"trade": "a bakery"})

    assert prompt["name"] == "opening"
    assert [argument["name"] for argument in prompt["arguments"] if argument["required"]] == [
        "trade"
    ]
    (message,) = filled_prompt["messages"]
    assert message["role"] == "user"
    assert "open a business: a bakery." in message["content"]["text"]


@pytest.mark.parametrize(
    ("method", "params", "scope"),
    [
        ("resources/list", {}, "mcp:resources"),
        ("resources/read", {"uri": "launchpad://businesses"}, "mcp:resources"),
        ("prompts/list", {}, "mcp:prompts"),
        ("prompts/get", {"name": "opening", "arguments": {"trade": "x"}}, "mcp:prompts"),
    ],
)
def test_resources_and_prompts_take_scopes_of_their_own(
    api: LocalApi, pad: ServerEndpoint, method: str, params: dict[str, Any], scope: str
) -> None:
    before = len(api.requests)

    response = with_key_of(pad, "bob").post(method, **params)

    assert response.status_code == 403
    assert f'scope="{scope}"' in response.headers["www-authenticate"]
    assert len(api.requests) == before
