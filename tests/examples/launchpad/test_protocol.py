"""The hosted service for a client of revision 2024-11-05: JSON-RPC over HTTP POST."""

from __future__ import annotations

from typing import Any

import pytest
from docs.examples.launchpad import Platform
from tests.examples.launchpad.elicitation_client import BOTH, messages, session
from tests.examples.project_process import ServerEndpoint, only_json

CLIENT = {"name": "my-client", "version": "1.0.0"}
HELLO = {
    "protocolVersion": "2024-11-05",
    "capabilities": {"roots": {"listChanged": True}},
    "clientInfo": CLIENT,
}


def test_the_oldest_handshake_needs_no_accept_header(admin: ServerEndpoint) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}

    response = admin.showing(Accept="").request("POST", json=message)

    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/json")
    assert response.json()["id"] == 1
    result = response.json()["result"]
    assert result["protocolVersion"] == "2024-11-05"
    assert {"tools", "prompts", "resources"} <= result["capabilities"].keys()
    assert (result["serverInfo"]["name"], result["serverInfo"]["version"]) == ("launchpad", "1.0.0")


def test_a_client_that_asks_for_events_gets_the_answer_as_one(admin: ServerEndpoint) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}

    response = admin.showing(Accept=BOTH).request("POST", json=message)

    assert response.headers["content-type"].startswith("text/event-stream")
    (event,) = messages(response.text.splitlines())
    assert event["result"]["protocolVersion"] == "2024-11-05"


def test_no_handshake_is_needed_before_a_list_or_a_call(admin: ServerEndpoint) -> None:
    plain = admin.showing(Accept="")
    call = {"name": "businesses_list", "arguments": {}}

    response = plain.request("POST", json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    call_response = plain.request(
        "POST", json={"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}
    )

    assert "events_list" in {tool["name"] for tool in response.json()["result"]["tools"]}
    assert response.json()["id"] == 2
    assert call_response.json()["id"] == 3
    assert {"id": "biz_123", "name": "Acme Corp"} in only_json(call_response.json()["result"])


@pytest.mark.parametrize(
    ("tool", "types"),
    [
        ("events_list", {"type": "string", "limit": "number"}),
        ("admin_deploy_worker", {"name": "string", "script": "string"}),
    ],
)
def test_tools_have_the_arguments_they_always_had(
    admin: ServerEndpoint, tool: str, types: dict[str, str]
) -> None:
    schema = admin.tools()[tool]["inputSchema"]

    assert {
        name: property_schema["type"] for name, property_schema in schema["properties"].items()
    } == types


def test_a_result_is_one_block_of_json(admin: ServerEndpoint) -> None:
    (newest,) = admin.call_json("events_list", type="worker.crashed", limit=1)

    assert newest.keys() == {"id", "type", "at", "subject"}
    assert newest["subject"] == "counter"


def test_a_deployment_is_an_event(admin: ServerEndpoint, platform: Platform) -> None:
    first = admin.call_json("admin_deploy_worker", name="teller", script="export default {}")
    second = admin.call_json("admin_deploy_worker", name="teller", script="export default {fetch}")

    assert second["version"] == first["version"] + 1
    assert platform.script("teller") == "export default {fetch}"
    (newest,) = admin.call_json("events_list", limit=1)
    assert (newest["type"], newest["subject"]) == ("worker.deployed", "teller")


def test_what_fails_is_a_result_that_says_why(admin: ServerEndpoint) -> None:
    result: dict[str, Any] = admin.call("admin_deploy_worker", name="teller", script="nothing")

    assert result["isError"]
    (block,) = result["content"]
    assert "The program exports nothing." in block["text"]


def test_a_call_is_answered_with_events_of_the_type_message(admin: ServerEndpoint) -> None:
    response = admin.showing(Accept=BOTH).post("tools/call", name="businesses_list", arguments={})

    assert response.headers["content-type"].startswith("text/event-stream")
    (message,) = messages(response.text.splitlines())
    assert message["id"] == 1
    assert {"id": "biz_123", "name": "Acme Corp"} in only_json(message["result"])


def test_a_stream_stays_open_for_as_long_as_a_client_keeps_its_session(
    admin: ServerEndpoint,
) -> None:
    open_session = session(admin)

    with open_session.listening() as stream:
        stream_head = (stream.status_code, stream.headers["content-type"])
        status = open_session.front.request("DELETE").status_code
        remainder = stream.read()

    assert stream_head == (200, "text/event-stream")
    assert status == 200
    assert b"data: {" not in remainder


def test_a_stream_of_no_session_is_not_kept_open(admin: ServerEndpoint) -> None:
    response = admin.showing(Accept="text/event-stream").request("GET")

    assert response.status_code == 405
