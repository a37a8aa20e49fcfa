"""The registry: both ways to register, discovering, losing and regaining liveness."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from docs.examples.agent_registry.domain import Sought
from docs.examples.agent_registry.intake import server_of
from docs.examples.agent_registry.store import Store
from tests.examples.agent_registry.registrations import ADDRESS, CARD, GENERIC, agent
from tests.examples.agent_registry.registry_thread import RunningRegistry
from tests.redis_server import redis_server


def register(counterpart: RunningRegistry, path: str, body: Any) -> Any:
    """The response to an accepted registration."""
    response = counterpart.request("POST", path, json=body)
    assert response.status_code == 201, response.text
    return response.json()


def names(counterpart: RunningRegistry, query: str) -> list[str]:
    """Names of the agents that a query finds."""
    result = counterpart.get(f"/discover/agents?{query}")
    return [agent["name"] for agent in result["agents"]]


def test_a_card_comes_back_as_it_was_registered_byte_for_byte(counterpart: RunningRegistry) -> None:
    id = register(counterpart, "/mcp/servers", {"serverCard": CARD})["id"]

    result = counterpart.get(f"/mcp/servers/{id}")

    added_members = {"id": result.pop("id"), "isLive": result.pop("isLive")}
    assert json.dumps(result) == json.dumps(CARD)
    assert added_members == {"id": id, "isLive": True}


def test_a_server_registered_by_its_card_is_found_among_all_agents(
    counterpart: RunningRegistry,
) -> None:
    id = register(counterpart, "/mcp/servers", {"serverCard": CARD})["id"]

    (result,) = counterpart.get("/discover/agents?tags=tool,mcp")["agents"]

    assert (result["id"], result["name"]) == (id, "Weather")
    assert result["capabilities"] == [
        {"name": "get_weather", "description": "", "tags": ["tool", "mcp"]},
        {"name": "prompts", "description": "Exposes prompt templates", "tags": ["prompt", "mcp"]},
    ]
    (endpoint,) = result["endpoints"]
    assert (endpoint["protocol"], endpoint["transport"]) == ("MCP", "Http")
    assert (endpoint["livenessModel"], endpoint["heartbeatIntervalSeconds"]) == ("Persistent", 30)


def test_a_server_registered_without_a_card_gets_one(counterpart: RunningRegistry) -> None:
    id = register(counterpart, "/agents", GENERIC)["id"]

    card = counterpart.get(f"/mcp/servers/{id}")

    assert card["serverInfo"]["name"] == "Weather"
    assert card["endpoints"] == {"streamableHttp": ADDRESS}
    assert (card["capabilities"], card["tools"]) == ({"tools": {}}, [])
    assert (card["id"], card["isLive"]) == (id, True)


def test_the_registry_claims_to_be_no_server(shared: RunningRegistry) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}

    well_known = shared.request("GET", "/.well-known/mcp.json")
    post_responses = [shared.request("POST", path, json=hello) for path in ("/", "/mcp")]

    assert well_known.status_code == 404
    assert {response.status_code for response in post_responses} <= {404, 405}


def test_an_agent_that_is_no_mcp_server_has_no_card(counterpart: RunningRegistry) -> None:
    id = register(counterpart, "/agents", agent("Planner"))["id"]

    assert counterpart.request("GET", f"/mcp/servers/{id}").status_code == 404
    assert counterpart.servers() == []
    assert names(counterpart, "") == ["Planner"]


def test_a_server_is_alive_for_two_and_a_half_intervals_and_again_after_a_heartbeat(
    counterpart: RunningRegistry,
) -> None:
    id = register(counterpart, "/mcp/servers", {"serverCard": CARD})["id"]
    (endpoint,) = counterpart.get(f"/agents/{id}")["endpoints"]

    counterpart.later = 70
    first_liveness = [card["isLive"] for card in counterpart.servers()]
    counterpart.later = 80
    expired_state = counterpart.get(f"/mcp/servers/{id}")["isLive"], counterpart.servers()
    dead_liveness = [card["isLive"] for card in counterpart.servers("?live=false")]
    beat = counterpart.request("POST", f"/agents/{id}/endpoints/{endpoint['id']}/heartbeat")
    regained_liveness = [card["isLive"] for card in counterpart.servers()]

    assert (first_liveness, expired_state, dead_liveness) == ([True], (False, []), [False])
    assert (beat.status_code, regained_liveness) == (204, [True])


def test_an_ephemeral_endpoint_lives_as_long_as_it_said_and_is_renewed(
    counterpart: RunningRegistry,
) -> None:
    short = agent("Worker", livenessModel="Ephemeral", ttlSeconds=300)
    result = register(counterpart, "/agents", short)
    endpoint = f"/agents/{result['id']}/endpoints/{result['endpoints'][0]['id']}"

    counterpart.later = 301
    expired_names = names(counterpart, "")
    wrong = counterpart.request("POST", f"{endpoint}/heartbeat")
    right = counterpart.request("POST", f"{endpoint}/renew")

    assert (expired_names, wrong.status_code, right.status_code) == ([], 409, 204)
    assert names(counterpart, "") == ["Worker"]


def test_what_was_withdrawn_is_gone(counterpart: RunningRegistry) -> None:
    id = register(counterpart, "/mcp/servers", {"serverCard": CARD})["id"]

    first = counterpart.request("DELETE", f"/agents/{id}")
    second_response = counterpart.request("DELETE", f"/agents/{id}")

    assert (first.status_code, second_response.status_code) == (204, 404)
    assert counterpart.request("GET", f"/mcp/servers/{id}").status_code == 404
    assert counterpart.servers("?live=false") == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Weather", "Planner", "Archive"]),
        ("name=EATH", ["Weather"]),
        ("capability=get_weather", ["Weather"]),
        ("capability=get", []),
        ("tags=tool", ["Weather"]),
        ("tags=tool,prompt", []),
        ("protocol=a2a", ["Planner", "Archive"]),
        ("protocol=MCP&transport=Amqp", []),
        ("transport=Amqp", ["Archive"]),
        ("name=%25", []),
    ],
)
def test_agents_are_found_by_what_is_asked(
    shared: RunningRegistry, query: str, expected: list[str]
) -> None:
    if not names(shared, ""):
        register(shared, "/agents", GENERIC)
        register(shared, "/agents", agent("Planner"))
        register(shared, "/agents", agent("Archive", transport="Amqp"))

    assert names(shared, query) == expected


def test_pages_hold_everything_once(counterpart: RunningRegistry) -> None:
    for number in range(5):
        register(counterpart, "/agents", agent(f"Agent {number}"))

    pages = [counterpart.get(f"/discover/agents?page={page}&pageSize=2") for page in (1, 2, 3, 4)]

    assert [page["total"] for page in pages] == [5, 5, 5, 5]
    page_names = [[agent["name"][-1] for agent in page["agents"]] for page in pages]
    assert page_names == [["0", "1"], ["2", "3"], ["4"], []]


WRONG: dict[str, tuple[str, Any]] = {
    "no JSON": ("/agents", None),
    "no endpoint": ("/agents", {**GENERIC, "endpoints": []}),
    "an unknown model": ("/agents", agent("A", livenessModel="Eternal")),
    "no time to live": ("/agents", agent("A", livenessModel="Ephemeral")),
    "no address": ("/agents", agent("A", address="weather")),
    "no card": ("/mcp/servers", {"card": CARD}),
    "a card without a server": ("/mcp/servers", {"serverCard": {**CARD, "serverInfo": {}}}),
    "a path for an address": (
        "/mcp/servers",
        {"serverCard": {**CARD, "endpoints": {"streamableHttp": "/mcp"}}},
    ),
    "tools without names": ("/mcp/servers", {"serverCard": {**CARD, "tools": [{}]}}),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_no_registration_is_refused_with_reasons(
    shared: RunningRegistry, kind: str
) -> None:
    path, body = WRONG[kind]

    content = b"{" if body is None else json.dumps(body).encode()
    response = shared.request("POST", path, content=content)

    assert response.status_code == 400
    assert response.json()["error"] == "rejected"
    assert response.json()["problems"]


@pytest.mark.parametrize(
    "query",
    [
        *("page=0", "page=x", "page=-1", "page=+1", "page=%D9%A1", "page=100001"),
        *(f"page=000000001{'9' * 30}", f"page=000000001{'9' * 5000}"),
        *("pageSize=101", "live=perhaps", f"tags={','.join(map(str, range(21)))}"),
    ],
)
def test_what_no_list_can_be_asked_for_is_refused(shared: RunningRegistry, query: str) -> None:
    assert shared.request("GET", f"/mcp/servers?{query}").status_code == 400


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The URL of an empty Redis."""
    with redis_server() as redis:
        yield redis.url


def test_what_was_registered_outlives_the_process(tmp_path: Path, redis_url: str) -> None:
    agent = server_of(json.dumps({"serverCard": CARD}).encode())
    first = Store(str(tmp_path / "base"), redis_url, lambda: 0.0)
    first.add(agent)
    first.close()

    clock = [74.0]
    second_store = Store(str(tmp_path / "base"), redis_url, lambda: clock[0])
    liveness = [second_store.is_live(agent.endpoints[0])]
    clock[0] = 76.0
    liveness.append(second_store.is_live(agent.endpoints[0]))

    assert second_store.agent(agent.id) == agent
    assert liveness == [True, False]
    second_store.close()


POISON = {
    "a constant that JSON does not have": '{"x": NaN}',
    "a number without an end": '{"x": 1e999}',
    "half a character": '{"x": "\\ud800"}',
    "a nesting without an end": '{"x": ' + "[" * 500_000 + "]" * 500_000 + "}",
}


@pytest.mark.parametrize("kind", POISON)
def test_what_could_not_be_shown_again_is_not_taken(shared: RunningRegistry, kind: str) -> None:
    card = json.dumps(CARD)[:-1] + f', "own": {POISON[kind]}}}'

    response = shared.request("POST", "/mcp/servers", content=f'{{"serverCard": {card}}}')
    odd_response = shared.request("POST", "/agents", content=json.dumps(agent("\ud800")))

    assert (response.status_code, odd_response.status_code) == (400, 400)
    assert shared.request("GET", "/mcp/servers?live=false").status_code == 200


@pytest.mark.parametrize("member", ["id", "isLive"])
def test_a_card_that_says_what_only_a_registry_says_is_not_taken(
    shared: RunningRegistry, member: str
) -> None:
    response = shared.request("POST", "/mcp/servers", json={"serverCard": {**CARD, member: "mine"}})

    assert response.status_code == 400


def test_an_endpoint_is_lost_at_the_very_end_of_its_time(tmp_path: Path, redis_url: str) -> None:
    clock = [0.0]
    store = Store(str(tmp_path / "base"), redis_url, lambda: clock[0])
    result = server_of(json.dumps({"serverCard": CARD}).encode())
    store.add(result)

    liveness = []
    for moment in (74.999, 75.0):
        clock[0] = moment
        liveness.append((store.is_live(result.endpoints[0]), store.found(Sought())[1]))
    store.close()

    assert liveness == [(True, 1), (False, 0)]


HOSTILE = ["' or '1'='1", "%", "_", "x'); drop table agents; --", "\0", "\\", "[a-z]*"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_looked_for_is_a_text_and_nothing_else(
    counterpart: RunningRegistry, text: str
) -> None:
    register(counterpart, "/agents", agent("Planner"))
    query = urlencode({"name": text}), urlencode({"tags": text}), urlencode({"capability": text})

    assert [names(counterpart, name) for name in query] == [[], [], []]
    assert counterpart.request("GET", f"/agents/{quote(text, safe='')}").status_code == 404
    assert names(counterpart, "") == ["Planner"]


def test_names_and_tags_of_any_script_are_found(counterpart: RunningRegistry) -> None:
    capability = {"name": "wetter", "tags": ["werkzeug", "Größe", "天气", "🌦"]}
    body = {**agent("Ärger am STRASSENRAND"), "capabilities": [capability]}
    register(counterpart, "/agents", body)

    tags = [urlencode({"tags": tag}) for tag in ("Größe,天气", "🌦", "größe")]
    queries = [urlencode({"name": tag}) for tag in ("ÄRGER", "ärger", "straßen")]

    assert [len(names(counterpart, tag)) for tag in tags] == [1, 1, 0]
    assert [len(names(counterpart, tag)) for tag in queries] == [1, 1, 1]


def test_registrations_at_the_same_moment_are_all_kept(counterpart: RunningRegistry) -> None:
    with ThreadPoolExecutor(8) as pool:
        result = list(
            pool.map(
                lambda _: register(counterpart, "/mcp/servers", {"serverCard": CARD})["id"],
                range(16),
            )
        )

    assert len(set(result)) == 16
    assert sorted(card["id"] for card in counterpart.servers()) == sorted(result)
