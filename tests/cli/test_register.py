"""`mcpgen register`: both flows, the card read back, heartbeats, and failing registries."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from tests.examples.agent_registry.registry_thread import PATIENCE, RunningRegistry, registry
from tests.examples.local_api import running
from typer.testing import CliRunner, Result

from mcpgen.cli.app import app
from mcpgen.ir.server_card import Card, ListedFeatures, card_from
from mcpgen.pipeline.registration import (
    RegistrationFlow,
    RegistrationPlan,
    keep_registered,
    register_agent,
)
from mcpgen.pipeline.registry_client import RegistryConnection, RegistryErrorKind, RegistryFailure

TOOL = {
    "name": "get_weather",
    "description": "Gets the weather.",
    "inputSchema": {"type": "object", "properties": {"place": {"type": "string", "maximum": 1.0}}},
    "outputSchema": {"type": "object", "title": "Größe"},
}
CARD = Card(
    "2025-11-25",
    {"name": "weather", "title": "Weather", "version": "1.0.0"},
    "https://weather.example/mcp",
    "One place at a time.",
    ListedFeatures({"tools": {"listChanged": True}}, [TOOL], prompts=[{"name": "greet"}]),
)
ID = "a1b2"


@pytest.fixture
def registry_server() -> Iterator[RunningRegistry]:
    """Empty registry."""
    with registry() as counterpart:
        yield counterpart


@pytest.fixture
def card_file(tmp_path: Path) -> str:
    """Card in a file."""
    path = tmp_path / "card.json"
    path.write_text(CARD.text)
    return str(path)


def _run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, ["register", *arguments], env=environment)


class Ended(Exception):
    """Ends the heartbeat loop in a test, as Ctrl-C does."""


def test_a_card_is_registered_and_comes_back_byte_for_byte(
    registry_server: RunningRegistry, card_file: str
) -> None:
    result = _run(card_file, "--registry", registry_server.url, "--format", "json")

    tree = json.loads(result.stdout)
    (server,) = registry_server.servers()
    assert (result.exit_code, tree["flow"], tree["tools"]) == (0, "native", 1)
    assert (server.pop("id"), server.pop("isLive")) == (tree["id"], True)
    assert json.dumps(server) == json.dumps(CARD.wire)


def test_a_server_is_registered_as_any_agent(
    registry_server: RunningRegistry, card_file: str
) -> None:
    result = _run(card_file, "--registry", registry_server.url, "--flow", "generic")

    (server,) = registry_server.get("/discover/agents?tags=tool,mcp")["agents"]
    assert result.exit_code == 0, result.output
    assert [capability["name"] for capability in server["capabilities"]] == ["get_weather", "greet"]
    (endpoint,) = server["endpoints"]
    assert (endpoint["livenessModel"], endpoint["heartbeatIntervalSeconds"]) == ("Persistent", 30)
    assert endpoint["address"] == CARD.address
    assert registry_server.servers()[0]["capabilities"] == {"tools": {}, "prompts": {}}


def test_an_ephemeral_server_says_how_long_it_lives(
    registry_server: RunningRegistry, card_file: str
) -> None:
    result = _run(card_file, "--registry", registry_server.url, "--flow", "generic", "--ttl", "300")

    (server,) = registry_server.get("/discover/agents")["agents"]
    assert result.exit_code == 0
    assert server["endpoints"][0]["livenessModel"] == "Ephemeral"
    assert server["endpoints"][0]["ttlSeconds"] == 300


def test_a_project_is_registered_by_its_folder_with_its_address(
    registry_server: RunningRegistry, tmp_path: Path
) -> None:
    own_card = json.loads(CARD.text) | {"endpoints": {"streamableHttp": "/mcp"}}
    (tmp_path / "server-card.json").write_text(json.dumps(own_card))

    result_without_address = _run(str(tmp_path), "--registry", registry_server.url)
    result_with_address = _run(
        str(tmp_path), "--registry", registry_server.url, "--address", "https://weather.example/mcp"
    )

    assert (result_without_address.exit_code, result_with_address.exit_code) == (2, 0)
    assert "set --address" in result_without_address.stderr
    assert registry_server.servers()[0]["endpoints"] == {
        "streamableHttp": "https://weather.example/mcp"
    }


def test_signs_of_life_are_sent_until_it_is_interrupted_and_then_it_is_withdrawn(
    registry_server: RunningRegistry, card_file: str
) -> None:
    command = [
        sys.executable,
        "-m",
        "mcpgen",
        "register",
        card_file,
        "--registry",
        registry_server.url,
    ]
    process = subprocess.Popen(
        [*command, "--stay", "--every", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        registry_server.waits_for("POST /agents/")
        liveness = [card["isLive"] for card in registry_server.servers()]
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()

    assert (process.returncode, liveness) == (0, [True])
    assert "its card came back as it was" in output
    assert "withdrawn: " in errors
    assert registry_server.servers("?live=false") == []


def _run_heartbeats(
    registry_server: RunningRegistry,
    terms: RegistrationPlan,
    *pause_events: Any,
    timeout: float = 10.0,
) -> tuple[list[str], list[float]]:
    """Runs the heartbeat loop with one event per pause, and returns its messages and the lengths
    of its pauses."""
    messages: list[str] = []
    pauses: list[float] = []
    events = iter(pause_events)

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        event = next(events, None)
        if event is None:
            raise Ended
        event()

    connection = RegistryConnection(registry_server.url, timeout=timeout)
    registered_agent = register_agent(CARD, connection, terms)
    with pytest.raises(Ended):
        keep_registered(CARD, connection, terms, registered_agent, messages.append, sleep)
    return messages, pauses


def _do_nothing() -> None:
    """Event without effect."""


def test_a_heartbeat_brings_a_server_back_that_counted_as_lost(
    registry_server: RunningRegistry,
) -> None:
    is_listed: list[bool] = []

    def lose_heartbeats() -> None:
        registry_server.later += 100
        is_listed.append(bool(registry_server.servers()))

    def look() -> None:
        is_listed.append(bool(registry_server.servers()))

    _run_heartbeats(registry_server, RegistrationPlan(), lose_heartbeats, look)

    assert is_listed == [False, True]


@pytest.mark.parametrize(
    "terms", [RegistrationPlan(), RegistrationPlan(RegistrationFlow.GENERIC, ttl=75)]
)
def test_signs_of_life_leave_room_for_a_lost_one(
    registry_server: RunningRegistry, terms: RegistrationPlan
) -> None:
    messages, pauses = _run_heartbeats(registry_server, terms, _do_nothing, _do_nothing)

    word = "renew" if terms.ttl else "heartbeat"
    assert pauses == [30.0, 30.0, 30.0]
    assert sum(line.endswith(word) for line in registry_server.requests) == 2
    assert messages[-1].startswith("withdrawn: ")
    assert registry_server.servers("?live=false") == []


def test_a_lost_heartbeat_is_sent_again_soon_then_less_often_and_never_more_than_usual(
    registry_server: RunningRegistry,
) -> None:
    def refuse_requests() -> None:
        registry_server.refusing = 503

    def accept_requests() -> None:
        registry_server.refusing = 0

    messages, pauses = _run_heartbeats(
        registry_server,
        RegistrationPlan(every=5),
        refuse_requests,
        *[_do_nothing] * 4,
        accept_requests,
        _do_nothing,
    )

    assert pauses == [5, 1, 2, 4, 5, 5, 5, 5]
    assert sum("a sign of life was lost" in line for line in messages) == 5
    assert registry_server.servers("?live=false") == []


@pytest.mark.parametrize(
    ("wait", "pause"),
    [("40", 40), ("0", 1), ("soon", 1), ("999999", 300), ("Wed, 01 Jan 2020 00:00:00 GMT", 1),
     ("Fri, 01 Jan 2100 00:00:00 GMT", 300)],
)  # fmt: skip
def test_a_registry_is_left_alone_as_long_as_it_wants_but_not_for_ever(
    registry_server: RunningRegistry, wait: str, pause: float
) -> None:
    def refuse_with_wait() -> None:
        registry_server.refusing, registry_server.wait = 503, wait

    def accept_requests() -> None:
        registry_server.refusing = 0

    messages, pauses = _run_heartbeats(
        registry_server, RegistrationPlan(), refuse_with_wait, accept_requests, _do_nothing
    )

    assert pauses == [30, pause, 30, 30]
    assert f"the next is in {pause:g} s" in messages[0]


def test_a_registry_that_has_forgotten_the_server_is_told_of_it_anew(
    registry_server: RunningRegistry,
) -> None:
    def forget() -> None:
        (card,) = registry_server.servers()
        registry_server.request("DELETE", f"/agents/{card['id']}")

    result: list[Any] = []
    messages, _ = _run_heartbeats(
        registry_server,
        RegistrationPlan(),
        forget,
        lambda: result.extend(registry_server.servers()),
    )

    assert len(result) == 1
    assert any("registered anew as" in line for line in messages)
    assert registry_server.servers("?live=false") == []


def test_a_registry_that_is_not_there_for_a_while_does_not_end_the_stay(
    registry_server: RunningRegistry,
) -> None:
    def forget_agents() -> None:
        registry_server.refusing = 404

    def accept_requests() -> None:
        registry_server.refusing = 0

    result: list[Any] = []
    _, pauses = _run_heartbeats(
        registry_server,
        RegistrationPlan(),
        forget_agents,
        _do_nothing,
        accept_requests,
        lambda: result.extend(registry_server.servers()),
    )

    assert (len(result), pauses) == (1, [30, 1, 2, 30, 30])
    assert registry_server.servers("?live=false") == []


def test_a_registry_that_forgets_but_in_part_is_not_left_with_two(
    registry_server: RunningRegistry,
) -> None:
    server_counts: list[int] = []

    def lose_endpoint() -> None:
        registry_server.missing_suffixes = ("/heartbeat",)

    _run_heartbeats(
        registry_server,
        RegistrationPlan(),
        lose_endpoint,
        *[lambda: server_counts.append(len(registry_server.servers("?live=false")))] * 3,
    )

    assert server_counts == [1, 1, 1]


def test_a_registry_that_refuses_ends_the_stay(registry_server: RunningRegistry) -> None:
    def refuse(_: float) -> None:
        registry_server.refusing = 403

    connection, messages = RegistryConnection(registry_server.url), list[str]()
    registered_agent = register_agent(CARD, connection, RegistrationPlan())

    with pytest.raises(RegistryFailure) as error:
        keep_registered(
            CARD, connection, RegistrationPlan(), registered_agent, messages.append, refuse
        )

    assert error.value.kind is RegistryErrorKind.REJECTED
    assert "could not be withdrawn" in messages[-1]


def _answers(**paths: Any) -> web.Application:
    """Runs a registry that answers every request by method."""

    async def answer(request: web.Request) -> web.StreamResponse:
        answer = paths[request.method]
        if callable(answer):
            answer = answer(request.path)
        if isinstance(answer, web.StreamResponse):
            return answer
        if answer == "slow":
            await asyncio.sleep(30)
        return web.json_response(answer)

    app = web.Application(client_max_size=2**25)
    app.router.add_route("*", "/{path:.*}", answer)
    return app


def _agent(path: str) -> Any:
    """Returns the registry's answer about its only agent."""
    if path.startswith("/agents/"):
        return {"id": ID, "endpoints": [{"id": "e1"}]}
    return {**CARD.wire, "id": ID, "isLive": True}


def _answer_with(**changes: Any) -> Any:
    return lambda path: {**_agent(path), **changes}


GONE = web.Response(status=204)

ODD: dict[str, tuple[dict[str, Any], RegistryErrorKind, str]] = {
    "another description": (
        {"POST": {"id": ID}, "GET": _answer_with(instructions="Another."), "DELETE": {}},
        RegistryErrorKind.DIFFERENT,
        "`$.instructions` is another value",
    ),
    "a schema that was changed": (
        {
            "POST": {"id": ID},
            "GET": _answer_with(tools=[{**TOOL, "inputSchema": {}}]),
            "DELETE": {},
        },
        RegistryErrorKind.DIFFERENT,
        "`$.tools[0].inputSchema.type` is missing",
    ),
    "a member of its own": (
        {"POST": {"id": ID}, "GET": _answer_with(promoted=True), "DELETE": {}},
        RegistryErrorKind.DIFFERENT,
        "`$.promoted` was never registered",
    ),
    "fewer tools": (
        {"POST": {"id": ID}, "GET": _answer_with(tools=[]), "DELETE": {}},
        RegistryErrorKind.DIFFERENT,
        "`$.tools` is another value",
    ),
    "no id": ({"POST": {}}, RegistryErrorKind.STRANGE, "without an id"),
    "an id that is a path": (
        {"POST": {"id": "../keys"}},
        RegistryErrorKind.STRANGE,
        "without an id",
    ),
    "an id of dots": ({"POST": {"id": ".."}}, RegistryErrorKind.STRANGE, "without an id"),
    "no endpoint": (
        {"POST": {"id": ID}, "GET": {"id": ID, "endpoints": []}, "DELETE": {}},
        RegistryErrorKind.STRANGE,
        "without an id",
    ),
    "something of another id": (
        {"POST": {"id": ID}, "GET": _answer_with(id="b"), "DELETE": {}},
        RegistryErrorKind.DIFFERENT,
        "of another id",
    ),
    "a member that takes over the terminal": (
        {
            "POST": {"id": ID},
            "GET": _answer_with(**{"\x1b[2J\x07" + "k" * 10_000: 1}),
            "DELETE": {},
        },
        RegistryErrorKind.DIFFERENT,
        "`$. [2J kkk",
    ),
    "a list": ({"POST": [1]}, RegistryErrorKind.STRANGE, "an object was expected"),
    "a card that is gone": (
        {"POST": {"id": ID}, "GET": lambda _: web.Response(status=404), "DELETE": {}},
        RegistryErrorKind.GONE,
        "HTTP 404",
    ),
}


def _registration_failure(url: str, timeout: float = 5.0) -> RegistryFailure:
    with pytest.raises(RegistryFailure) as error:
        register_agent(CARD, RegistryConnection(url, timeout=timeout), RegistrationPlan())
    return error.value


@pytest.mark.parametrize("case", ODD)
def test_a_registry_that_answers_oddly_is_told_in_a_kind_and_the_server_withdrawn(
    case: str,
) -> None:
    answers, kind, message = ODD[case]

    with running(_answers(**answers)) as service:
        trouble = _registration_failure(service.url)

    assert (trouble.kind, message in str(trouble)) == (kind, True), trouble
    assert str(trouble).isprintable()
    assert len(str(trouble)) < 400
    withdrawn_paths = [request.path for request in service.requests if request.method == "DELETE"]
    assert withdrawn_paths == ([f"/agents/{ID}"] if "GET" in answers else [])


STATUSES = {
    400: RegistryErrorKind.REJECTED,
    401: RegistryErrorKind.REJECTED,
    403: RegistryErrorKind.REJECTED,
    409: RegistryErrorKind.REJECTED,
    404: RegistryErrorKind.GONE,
    429: RegistryErrorKind.BUSY,
    500: RegistryErrorKind.BUSY,
    503: RegistryErrorKind.BUSY,
    302: RegistryErrorKind.STRANGE,
}


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_its_kind(registry_server: RunningRegistry, status: int) -> None:
    registry_server.refusing = status

    assert _registration_failure(registry_server.url).kind is STATUSES[status]


def test_a_registry_that_is_down_or_slow_ends_in_time() -> None:
    unreachable_failure = _registration_failure("http://127.0.0.1:9")
    with running(_answers(POST="slow")) as service:
        slow_failure = _registration_failure(service.url, timeout=0.2)

    assert (unreachable_failure.kind, slow_failure.kind) == (
        RegistryErrorKind.UNREACHABLE,
        RegistryErrorKind.SLOW,
    )
    assert unreachable_failure.kind.passes
    assert slow_failure.kind.passes


def test_a_registry_that_says_a_web_page_is_none() -> None:
    page = web.Response(text="<html>", content_type="text/html")

    with running(_answers(POST=lambda _: page)) as service:
        assert _registration_failure(service.url).kind is RegistryErrorKind.STRANGE


@pytest.mark.parametrize(("status", "code"), [(400, 1), (503, 2)])
def test_a_registry_that_does_not_take_it_gives_an_exit_code_and_a_kind(
    registry_server: RunningRegistry, card_file: str, status: int, code: int
) -> None:
    registry_server.refusing = status

    result = _run(card_file, "--registry", registry_server.url, "--format", "json")

    tree = json.loads(result.stdout)
    assert (result.exit_code, tree["exit_code"], tree["status"]) == (code, code, "error")
    assert f"HTTP {status}" in tree["error"]
    assert tree["kind"] in result.stderr


def test_the_registrys_token_goes_to_the_registry_alone_and_into_no_message(card_file: str) -> None:
    def refuse_request(_: str) -> web.Response:
        return web.json_response({"error": "who is hunter2-secret?"}, status=403)

    with running(_answers(POST=refuse_request)) as service:
        values = ("--registry", service.url, "--registry-bearer-env", "HERE")
        result = _run(card_file, *values, HERE="hunter2-secret")
        afar = _run(
            card_file,
            *("--registry", "http://registry.example", "--registry-bearer-env", "HERE"),
            HERE="hunter2-secret",
        )

    assert service.last.headers["authorization"] == "Bearer hunter2-secret"
    assert (result.exit_code, afar.exit_code) == (1, 2)
    assert "is not https" in afar.stderr
    assert "hunter2-secret" not in result.output + afar.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--registry", "registry"), "--registry"),
        (("--registry", "http://127.0.0.1:9", "--ttl", "60"), "--ttl needs --flow generic"),
        (("--registry", "http://127.0.0.1:9", "--bearer-env", "X"), "for the URL of a server"),
        (("--registry", "http://127.0.0.1:9", "--address", "weather"), "--address"),
    ],
)
def test_what_makes_no_sense_is_told_before_anything_is_sent(
    card_file: str, arguments: tuple[str, ...], message: str
) -> None:
    result = _run(card_file, *arguments)

    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


BROKEN = {
    "no JSON": "{",
    "a list": "[]",
    "no server": json.dumps({**CARD.wire, "serverInfo": {}}),
    "no address": json.dumps({**CARD.wire, "endpoints": {}}),
    "tools that are none": json.dumps({**CARD.wire, "tools": ["a"]}),
    "a list that is none": json.dumps({**CARD.wire, "prompts": {}}),
    "a member that takes over the terminal": json.dumps({**CARD.wire, "\x07\x1b[2J": 1}),
    "a member that would be lost": json.dumps({**CARD.wire, "isLive": True}),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_is_no_card_is_refused(card_file: str, kind: str) -> None:
    Path(card_file).write_text(BROKEN[kind])

    result = _run(card_file, "--registry", "http://127.0.0.1:9")

    assert result.exit_code == 2
    assert "is no card of a server" in " ".join(result.stderr.split())
    assert result.stderr.replace("\n", " ").isprintable()


@pytest.mark.parametrize(
    "address",
    ["https://weather.example/\x1b[2J", "https://a:hunter2@weather.example", "https://a b"],
)
def test_an_address_that_nobody_can_be_told_is_refused(card_file: str, address: str) -> None:
    card = {**CARD.wire, "endpoints": {"streamableHttp": address}}
    Path(card_file).write_text(json.dumps(card))

    result = _run(card_file, "--registry", "http://127.0.0.1:9")

    assert result.exit_code == 2
    assert "has an address that cannot be published" in " ".join(result.stderr.split())


def test_a_card_that_is_read_is_the_card_that_was_written() -> None:
    assert card_from(json.loads(CARD.text)).wire == CARD.wire
