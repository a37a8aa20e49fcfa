"""The endpoint of a workspace, and the responses while the endpoint is switched off."""

from __future__ import annotations

import pytest
from docs.examples.reading_room.api import TOKEN
from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint, serving
from tests.examples.reading_room.conftest import HARBOUR, LIGHTHOUSE


def test_the_workspace_of_the_path_is_the_one_that_is_asked(
    api: LocalApi, room: ServerEndpoint
) -> None:
    assert len(room.call_json("list_knowledge_bases")) == 1
    assert api.last.path == "/api/v1/workspaces/harbour/knowledge-bases"

    assert room.at(LIGHTHOUSE).call_json("list_knowledge_bases") == []
    assert api.last.path == "/api/v1/workspaces/lighthouse/knowledge-bases"


def test_no_argument_names_a_workspace(api: LocalApi, room: ServerEndpoint) -> None:
    before = len(api.requests)

    result = room.call("list_knowledge_bases", workspaceId="lighthouse")

    assert result["isError"]
    assert len(api.requests) == before


def test_a_workspace_that_does_not_exist_is_not_found(room: ServerEndpoint) -> None:
    missing_workspace = room.at("/api/v1/workspaces/nowhere/mcp")

    refusal = missing_workspace.refused("list_knowledge_bases")

    assert (refusal["outcome"], refusal["code"]) == ("error", "workspace_not_found")


@pytest.mark.parametrize(
    "segment",
    ["", "..", "%2e%2e", "harbour%2fagents", "harbour/x", "harbour?", "harbour;x", "a" * 99],
)
def test_what_is_no_workspace_reaches_nothing(
    api: LocalApi, room: ServerEndpoint, segment: str
) -> None:
    before = [request.path for request in api.requests]

    response = room.at(f"/api/v1/workspaces/{segment}/mcp").post(
        "tools/call", name="list_knowledge_bases", arguments={}
    )

    assert response.status_code == 404 or response.json()["result"]["isError"]
    assert [request.path for request in api.requests] == before


def test_every_request_stands_alone(room: ServerEndpoint) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "agent", "version": "1"},
    }

    initialize_response = room.post("initialize", **hello)
    response = room.post("tools/list")

    assert "mcp-session-id" not in initialize_response.headers
    assert response.status_code == 200


def test_a_stream_asks_proxies_not_to_keep_it(room: ServerEndpoint) -> None:
    events = room.showing(Accept="application/json, text/event-stream").post("tools/list")

    assert events.headers["content-type"].startswith("text/event-stream")
    assert events.headers["x-accel-buffering"] == "no"


def test_the_endpoint_is_there_unless_it_is_switched_off(
    api: LocalApi, room: ServerEndpoint
) -> None:
    settings = {"service_token": TOKEN, "caller_anonymous": "true", "enabled": "false"}

    with serving("reading-room", f"{api.url}/api/v1", **settings) as front:
        endpoint = front.at(HARBOUR)
        response = endpoint.post("tools/list")
        probe = endpoint.request("GET", "/healthz")

    assert room.post("tools/list").status_code == 200
    assert response.status_code == 404
    assert response.json() == {"error": "not_found"}
    assert probe.status_code == 200


def test_an_endpoint_that_is_off_looks_like_any_other_place(api: LocalApi) -> None:
    settings = {"service_token": TOKEN, "caller_anonymous": "true", "enabled": "false"}

    with serving("reading-room", f"{api.url}/api/v1", **settings) as front:
        paths = (HARBOUR, LIGHTHOUSE, "/elsewhere", "/.well-known/oauth-protected-resource")
        answers = [front.request(verb, path) for verb in ("GET", "POST") for path in paths]

    assert {(answer.status_code, answer.text) for answer in answers} == {(404, answers[0].text)}
