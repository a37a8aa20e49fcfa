"""Path parameters of the endpoint become path parameters of the API, and the endpoint may be the
root."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.auth_servers import door, signed_token_settings
from tests.runtime.conftest import Client, Serving, WireUpstream
from tests.runtime.issuer import PUBLIC, issuing

from mcpgen.config.tables.server import is_endpoint
from mcpgen_runtime.auth.config import AuthConfig
from mcpgen_runtime.server.endpoint import Endpoint, PathTemplate
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

NAME = {"type": "string", "pattern": "^[a-z]+$", "maxLength": 8}
NUMBER = {"type": "integer", "minimum": 1}


def look(schema: dict[str, Any]) -> Tool:
    """Returns a tool with a path parameter `room`."""
    return Tool(
        "look",
        "Look",
        "",
        Route("GET", "/rooms/{room}/things"),
        Hints(read_only=True, destructive=False, idempotent=True),
        (Argument("size", "query", {"type": "integer"}, required=True, style="form"),),
        bound=(Argument("room", "path", schema, required=True),),
    )


async def call_at_path(client: Client, path: str, **arguments: Any) -> dict[str, Any]:
    """Returns the result of the tool at a path."""
    params = {"name": "look", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    result: dict[str, Any] = (await client.http.post(path, json=message)).json()["result"]
    return result


@pytest.mark.parametrize(
    ("schema", "value"), [(NAME, "attic"), (NUMBER, "12"), ({}, "At%20home")], ids=str
)
async def test_a_value_that_the_api_takes_is_sent(
    serving: Serving, upstream: WireUpstream, schema: dict[str, Any], value: str
) -> None:
    rules = [Endpoint("/in/{room}/mcp")]

    async with serving(look(schema), upstream=upstream.url, rules=rules) as client:
        result = await call_at_path(client, f"/in/{value}/mcp", size=1)

    assert not result["isError"]
    assert upstream.requests[0].target == f"/rooms/{value}/things?size=1"


@pytest.mark.parametrize(
    ("schema", "value"),
    [(NAME, "Attic;x"), (NAME, "aaaaaaaaa"), (NUMBER, "0"), (NUMBER, "one"), (NUMBER, "NaN")],
    ids=str,
)
async def test_a_value_that_the_api_does_not_take_is_refused_with_all_that_is_wrong(
    serving: Serving, upstream: WireUpstream, schema: dict[str, Any], value: str
) -> None:
    rules = [Endpoint("/in/{room}/mcp")]

    async with serving(look(schema), upstream=upstream.url, rules=rules) as client:
        path_error_result = await call_at_path(client, f"/in/{value}/mcp", size=1)
        both_errors_result = await call_at_path(client, f"/in/{value}/mcp", size="big")

    assert path_error_result["isError"]
    assert "- room: " in path_error_result["content"][0]["text"]
    assert "- room: " in both_errors_result["content"][0]["text"]
    assert "- size: " in both_errors_result["content"][0]["text"]
    assert upstream.requests == []


async def test_the_endpoint_may_be_the_root(serving: Serving, upstream: WireUpstream) -> None:
    tool = Tool("look", "Look", "", Route("GET", "/things"), Hints(True, False, True))

    async with serving(tool, upstream=upstream.url, rules=[Endpoint("/")]) as client:
        result = await call_at_path(client, "/")
        other_response = await client.http.post("/elsewhere", json={})
        probe = await client.http.get("/healthz")

    assert not result["isError"]
    assert (other_response.status_code, probe.status_code) == (404, 200)


async def test_the_metadata_of_a_root_names_no_path_and_the_pages_for_people() -> None:
    access = AuthConfig(
        address="/",
        documentation_url="https://canary.example/docs",
        policy_url="https://canary.example/policy",
    )

    async with issuing() as issuer, door(signed_token_settings(issuer), access) as front:
        content = (await front.http.get("/.well-known/oauth-protected-resource")).json()
        answer = await front.http.post("/", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})

    assert content["resource"] == PUBLIC
    assert content["resource_documentation"] == "https://canary.example/docs"
    assert content["resource_policy_uri"] == "https://canary.example/policy"
    place = f'resource_metadata="{PUBLIC}/.well-known/oauth-protected-resource"'
    assert place in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("template", "path", "path_below"),
    [("/", "/", ""), ("/", "/files", "/files"), ("/{room}", "/attic/files", "/files")],
)
def test_what_lies_below_a_short_path_keeps_its_place(
    template: str, path: str, path_below: str
) -> None:
    path_template = PathTemplate(template)

    assert path_template.values(path) is not None
    assert path_template.path_below(path) == path_below


@pytest.mark.parametrize("path", ["/", "/mcp", "/w/{id}/mcp"])
def test_a_path_of_whole_segments_is_one_of_an_endpoint(path: str) -> None:
    assert is_endpoint(path)


@pytest.mark.parametrize("path", ["", "//", "/mcp/", "mcp", "/healthz", "/a{id}"])
def test_any_other_path_is_none(path: str) -> None:
    assert not is_endpoint(path)
