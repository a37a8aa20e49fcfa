"""The MCP server of the registry: a model registers, discovers and withdraws."""

from __future__ import annotations

from tests.examples.agent_registry.registrations import ADDRESS, CARD, GENERIC
from tests.examples.agent_registry.registry_thread import RunningRegistry
from tests.examples.project_process import ServerEndpoint


def test_a_server_is_registered_discovered_and_withdrawn_by_tools(
    shared: RunningRegistry, front: ServerEndpoint
) -> None:
    id = shared.request("POST", "/mcp/servers", json={"serverCard": CARD}).json()["id"]

    result = front.call_json("discover_agents", tags=["tool", "mcp"], name="weather")
    card = front.call_json("get_server", server=id)
    withdrawal = front.call("withdraw_agent", agent=id)

    assert [agent["id"] for agent in result["agents"]] == [id]
    assert {key: card[key] for key in CARD} == CARD
    assert not withdrawal["isError"]
    assert shared.servers() == []


def test_liveness_is_lost_and_regained_as_tools_see_it(
    shared: RunningRegistry, front: ServerEndpoint
) -> None:
    content = shared.request("POST", "/agents", json=GENERIC).json()
    (endpoint,) = content["endpoints"]

    shared.later = 100
    total = front.call_json("list_servers")["total"]
    front.call("send_heartbeat", agent=content["id"], endpoint=endpoint["id"])
    (regained_server,) = front.call_json("list_servers")["servers"]
    front.call("withdraw_agent", agent=content["id"])

    assert total == 0
    assert (regained_server["isLive"], regained_server["endpoints"]) == (
        True,
        {"streamableHttp": ADDRESS},
    )


def test_why_something_is_not_taken_reaches_the_model(front: ServerEndpoint) -> None:
    result = front.call("get_server", server="0" * 32)

    assert result["isError"]
    assert "there is nothing of this id" in str(result["content"])
