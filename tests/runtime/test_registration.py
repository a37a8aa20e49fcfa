"""Registration with a registry; failures of the registry never stop the server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx2
import pytest
from aiohttp import web
from aiohttp.test_utils import RawTestServer
from pydantic import SecretStr
from tests.examples.agent_registry.registry_thread import PATIENCE, RunningRegistry, registry
from tests.runtime.conftest import Serving, WireUpstream, serving_tools
from tests.runtime.test_cli import ROOT, environment
from tests.runtime.test_workers import message, result_text, wait_until

from mcpgen_runtime.caller import ANYBODY, Caller
from mcpgen_runtime.registry import registration
from mcpgen_runtime.registry.client import (
    MAX_RESPONSE_BYTES,
    Registration,
    RegistrationLost,
    RegistryError,
)
from mcpgen_runtime.registry.client import RegistryClient as AgentRegistry
from mcpgen_runtime.registry.registration import (
    MAX_PAUSE_SECONDS,
    TURN,
    Leadership,
    RegistrationSettings,
    SelfRegistration,
    create_lock_file,
    take_lock_file,
)
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

HINTS = Hints(True, False, True)
TOOL = Tool("get", "Get", "Gets it.", Route("GET", "/it"), HINTS, output={"type": "object"})
PUBLIC = "https://canary.example"


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits the deregistration at shutdown to 0.3 s."""
    monkeypatch.setattr(registration, "FAREWELL_SECONDS", 0.3)


@pytest.fixture
def running_registry() -> Iterator[RunningRegistry]:
    """Empty registry."""
    with registry() as counterpart:
        yield counterpart


def registering(url: str, interval: float = 0.02, **options: Any) -> SelfRegistration:
    """Returns the rule, for a registry."""
    settings = RegistrationSettings(public_url=PUBLIC, registry_url=url)
    return SelfRegistration(settings, every=interval, **options)


async def comes(true: Callable[[], object]) -> None:
    """Waits for something to come true, and lets the server work meanwhile."""
    async with asyncio.timeout(PATIENCE):
        while not await asyncio.to_thread(true):
            await asyncio.sleep(0.01)


def beats(running_registry: RunningRegistry) -> int:
    """Returns the number of received heartbeats."""
    return sum(name.endswith("/heartbeat") for name in running_registry.requests)


async def test_a_server_registers_what_it_announces_and_withdraws_at_its_end(
    serving: Serving, upstream: WireUpstream, running_registry: RunningRegistry
) -> None:
    rules = [registering(running_registry.url)]

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        await comes(running_registry.servers)
        (card,) = await asyncio.to_thread(running_registry.servers)
        response = await client.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        await comes(lambda: beats(running_registry) > 2)

    assert card["endpoints"] == {"streamableHttp": f"{PUBLIC}/mcp"}
    assert card["serverInfo"] == {"name": "canary", "title": "Canary", "version": "1.0.0"}
    assert card["capabilities"] == {"tools": {"listChanged": False}}
    assert card["tools"] == response.json()["result"]["tools"]
    assert (card["resources"], card["prompts"]) == ([], [])
    assert running_registry.servers("?live=false") == []


async def test_a_tool_that_is_not_there_for_everybody_is_not_registered(
    serving: Serving, upstream: WireUpstream, running_registry: RunningRegistry
) -> None:
    class HidingFromAnybodyRule(Middleware):
        def knows(self, caller: Caller, tool: Tool) -> bool:
            return caller is not ANYBODY or tool is not TOOL

    other_tool = Tool("other", "Other", "", Route("GET", "/other"), HINTS)
    rules = [HidingFromAnybodyRule(), registering(running_registry.url)]

    async with serving(TOOL, other_tool, upstream=upstream.url, rules=rules):
        await comes(running_registry.servers)
        (card,) = await asyncio.to_thread(running_registry.servers)

    assert [tool["name"] for tool in card["tools"]] == ["other"]


async def test_an_ephemeral_server_is_registered_as_any_agent_and_renewed(
    serving: Serving, upstream: WireUpstream, running_registry: RunningRegistry
) -> None:
    rules = [registering(running_registry.url, ttl=1)]

    async with serving(TOOL, upstream=upstream.url, rules=rules):
        await comes(running_registry.servers)
        (agent,) = running_registry.get("/discover/agents")["agents"]
        await comes(
            lambda: any(capability.endswith("/renew") for capability in running_registry.requests)
        )

    assert [capability["name"] for capability in agent["capabilities"]] == ["get"]
    assert agent["endpoints"][0]["livenessModel"] == "Ephemeral"
    assert agent["endpoints"][0]["ttlSeconds"] == 1


async def test_a_server_is_registered_as_any_agent_with_heartbeats(
    serving: Serving, upstream: WireUpstream, running_registry: RunningRegistry
) -> None:
    rules = [registering(running_registry.url, generic=True)]

    async with serving(TOOL, upstream=upstream.url, rules=rules):
        await comes(running_registry.servers)
        (agent,) = running_registry.get("/discover/agents?tags=tool,mcp")["agents"]
        await comes(lambda: beats(running_registry) > 1)

    (endpoint,) = agent["endpoints"]
    assert (endpoint["livenessModel"], endpoint["heartbeatIntervalSeconds"]) == ("Persistent", 1)
    assert endpoint["address"] == f"{PUBLIC}/mcp"
    assert "POST /mcp/servers" not in running_registry.requests
    assert running_registry.servers("?live=false") == []


async def test_a_server_that_was_lost_comes_back_with_its_next_heartbeat(
    serving: Serving, upstream: WireUpstream, running_registry: RunningRegistry
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=[registering(running_registry.url)]):
        await comes(running_registry.servers)
        running_registry.later = 100
        await comes(running_registry.servers)


async def test_a_server_that_was_forgotten_registers_anew(
    serving: Serving, upstream: WireUpstream, running_registry: RunningRegistry
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=[registering(running_registry.url)]):
        await comes(running_registry.servers)
        (card,) = await asyncio.to_thread(running_registry.servers)
        running_registry.request("DELETE", f"/agents/{card['id']}")
        await comes(
            lambda: running_registry.requests.count("POST /mcp/servers") == 2
            and running_registry.servers()
        )

    assert running_registry.servers("?live=false") == []


@dataclass
class ScriptedRegistry:
    """Registry with configured answers: by method, a status, a text, a JSON value or a function from
    the path to an answer. `None` delays the answer by `PATIENCE`."""

    answers: Mapping[str, Any]
    url: str = ""
    methods: list[str] = field(default_factory=list)
    shown: str = ""
    wait: str = ""

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Returns the answer to any request."""
        self.methods.append(request.method)
        self.shown = request.headers.get("Authorization", "")
        response = self.answers.get(request.method, {})
        if callable(response):
            response = response(request.path)
        if response is None:
            await asyncio.sleep(PATIENCE)
        if isinstance(response, int):
            headers = {"Location": "/elsewhere", "Retry-After": self.wait}
            return web.Response(status=response, text=self.shown, headers=headers)
        if isinstance(response, str):
            return web.Response(text=response, content_type="text/html")
        return web.json_response(response)


@asynccontextmanager
async def run_scripted_registry(**answers: Any) -> AsyncIterator[ScriptedRegistry]:
    """Runs a registry with configured answers."""
    scripted_registry = ScriptedRegistry(answers)
    async with RawTestServer(scripted_registry.answer, host="127.0.0.1") as server:
        scripted_registry.url = str(server.make_url("")).rstrip("/")
        yield scripted_registry


ODD: dict[str, dict[str, Any]] = {
    "slow": {"POST": None},
    "rejecting": {"POST": 403},
    "out of order": {"POST": 500},
    "a web page": {"POST": "<html>"},
    "an id that is a path": {"POST": {"id": "../../keys"}},
    "a redirect": {"POST": 307},
    "another card": {"POST": {"id": "a"}, "GET": {"id": "a", "endpoints": [{"id": "e"}]}},
    "another id": {"POST": {"id": "a"}, "GET": {"id": "b", "endpoints": [{"id": "e"}]}},
    "a list": {"POST": [1]},
    "an id that is a number": {"POST": {"id": 7}},
    "an answer that does not end": {"POST": " " * 2**20},
    "a nesting without an end": {"POST": "[" * 50_000},
}


@pytest.mark.parametrize("kind", ODD)
async def test_a_registry_of_any_temper_does_the_server_no_harm(
    serving: Serving, upstream: WireUpstream, kind: str
) -> None:
    async with (
        run_scripted_registry(**ODD[kind]) as scripted_registry,
        serving(TOOL, upstream=upstream.url, rules=[registering(scripted_registry.url)]) as client,
    ):
        await comes(lambda: scripted_registry.methods)
        result = await client.call("get")
        if kind in ("another card", "another id"):
            await comes(lambda: "DELETE" in scripted_registry.methods)

    assert not result["isError"]


async def test_a_registry_that_forgets_for_ever_is_told_anew_less_and_less_often(
    serving: Serving, upstream: WireUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration, "MIN_PAUSE_SECONDS", 0.02)
    address = {"streamableHttp": f"{PUBLIC}/mcp"}

    def answer_post(path: str) -> Any:
        return 404 if path.endswith("/heartbeat") else {"id": "a"}

    def answer_get(path: str) -> Any:
        return {"id": "a", "endpoints": [{"id": "e"}] if "/agents/" in path else address}

    async with run_scripted_registry(POST=answer_post, GET=answer_get) as running_registry:
        rule = registering(running_registry.url, generic=True)
        async with serving(TOOL, upstream=upstream.url, rules=[rule]):
            await comes(lambda: running_registry.methods.count("DELETE") == 3)
            pauses = rule._losses, rule._base_pause(rule._losses)

    method_cycle = ["POST", "GET", "GET", "POST", "DELETE"]
    assert running_registry.methods[:15] == 3 * method_cycle
    assert pauses == (3, 4 * 0.02)


@pytest.mark.parametrize("size", [MAX_RESPONSE_BYTES, 2**20])
async def test_an_answer_much_larger_than_the_card_is_not_read(size: int) -> None:
    card = {"serverInfo": {"name": "a"}, "tools": []}

    async with (
        run_scripted_registry(POST={"id": "a", "more": "x" * size}) as scripted_registry,
        AgentRegistry(scripted_registry.url) as registry_client,
    ):
        with pytest.raises(RegistryError) as error:
            await registry_client.register(card)

    assert ("too large" in str(error.value)) == (size == 2**20)


async def test_a_registry_that_knows_no_servers_has_forgotten_none() -> None:
    async with (
        run_scripted_registry(POST=404) as scripted_registry,
        AgentRegistry(scripted_registry.url) as registry_client,
    ):
        with pytest.raises(RegistryError, match="takes no servers") as error:
            await registry_client.register({"serverInfo": {"name": "a"}})

    assert not isinstance(error.value, RegistrationLost)


async def test_a_server_that_ends_while_it_registers_is_withdrawn(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with run_scripted_registry(POST={"id": "a"}, GET=None) as scripted_registry:
        async with serving(TOOL, upstream=upstream.url, rules=[registering(scripted_registry.url)]):
            await comes(lambda: "GET" in scripted_registry.methods)

        assert scripted_registry.methods == ["POST", "GET", "DELETE"]


async def test_a_registry_that_is_down_is_a_line_in_the_log(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    rules = [registering("http://127.0.0.1:9")]

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        await comes(lambda: "was not told" in caplog.text)
        result = await client.call("get")

    assert not result["isError"]


@pytest.mark.parametrize(
    ("wait", "minimum", "maximum"),
    [("", 0.8, 1), ("soon", 0.8, 1), ("0", 0.8, 1), ("40", 40, 48), ("9" * 400, 300, 300)],
)
async def test_a_registry_is_left_alone_as_long_as_it_wants_but_not_for_ever(
    serving: Serving,
    upstream: WireUpstream,
    caplog: pytest.LogCaptureFixture,
    wait: str,
    minimum: float,
    maximum: float,
) -> None:
    async with run_scripted_registry(POST=503) as running_registry:
        running_registry.wait = wait
        rule = registering(running_registry.url)
        async with serving(TOOL, upstream=upstream.url, rules=[rule]):
            await comes(lambda: "HTTP 503" in caplog.text)
            pause = rule._pause(1)

    assert minimum <= pause <= maximum


async def test_the_end_of_a_server_does_not_wait_for_a_registry_that_is_down(
    serving: Serving,
    upstream: WireUpstream,
    running_registry: RunningRegistry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving(TOOL, upstream=upstream.url, rules=[registering(running_registry.url)]):
        await comes(lambda: beats(running_registry) > 0)
        running_registry.refusing = 503

    assert "was not told that the server ends" in caplog.text


async def test_a_token_is_shown_to_the_registry_and_never_logged(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    async with run_scripted_registry(POST=401) as scripted_registry:
        settings = RegistrationSettings(
            public_url=PUBLIC,
            registry_url=scripted_registry.url,
            registry_token=SecretStr("hunter2-secret"),
        )
        async with serving(TOOL, upstream=upstream.url, rules=[SelfRegistration(settings)]):
            await comes(lambda: "was not told" in caplog.text)

    assert scripted_registry.shown == "Bearer hunter2-secret"
    assert "hunter2-secret" not in caplog.text + repr(settings)


async def test_a_server_that_is_told_not_to_registers_nowhere(
    serving: Serving, upstream: WireUpstream
) -> None:
    rule = SelfRegistration(RegistrationSettings(registers=False))

    async with serving(TOOL, upstream=upstream.url, rules=[rule]) as client:
        result = await client.call("get")

    assert not result["isError"]


@pytest.mark.parametrize(
    ("values", "variable"),
    [
        ({"public_url": PUBLIC}, "REGISTRY_URL"),
        ({"registry_url": "https://registry.example"}, "PUBLIC_URL"),
        (
            {
                "public_url": PUBLIC,
                "registry_url": "http://registry.example",
                "registry_token": "secret",
            },
            "a token needs https",
        ),
    ],
)
async def test_a_server_that_cannot_register_says_so_before_it_starts(
    values: dict[str, Any], variable: str
) -> None:
    with pytest.raises(ValueError, match=variable):
        SelfRegistration(RegistrationSettings(**values))


async def test_what_fails_is_tried_again_less_and_less_often() -> None:
    rule = registering("http://127.0.0.1:9", interval=30)

    unknown_pauses = [rule._base_pause(losses) for losses in (0, 1, 2, 3, 9, 10, 1_000)]
    rule._registration = Registration("a", "e")
    known_pauses = [rule._base_pause(losses) for losses in (0, 1, 2, 6, 1_000)]

    assert unknown_pauses == [30, 1, 2, 4, 256, MAX_PAUSE_SECONDS, MAX_PAUSE_SECONDS]
    assert known_pauses == [30, 1, 2, 30, 30]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://registry.example",
        "https://",
        "https://someone:hunter2@registry.example",
        "https://registry.example?key=1",
        "https://registry.example#a",
        "https://registry.example:port",
        "https://registry.example/\n",
    ],
)
@pytest.mark.parametrize("field", ["registry_url", "public_url"])
async def test_an_address_to_which_no_path_can_be_added_is_refused(field: str, url: str) -> None:
    with pytest.raises(ValueError, match="must be an http"):
        RegistrationSettings.model_validate({field: url})


@pytest.mark.parametrize("text", ["", "{", '{"id": "a"', "[]", '{"id": "a"}', "null", "7"])
async def test_what_a_killed_process_has_left_is_a_registration_or_nothing(text: str) -> None:
    assert Registration.read(text) is None


async def test_a_file_of_turns_that_somebody_has_cleared_away_held_nothing() -> None:
    path = create_lock_file()
    os.unlink(path)

    assert take_lock_file(path) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no workers there")
async def test_a_turn_passes_on_with_what_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    path = create_lock_file()
    monkeypatch.setenv(TURN, path)
    first, second = Leadership(), Leadership()

    turns = [first.acquire(), second.acquire(), first.acquire()]
    first.write("a")
    first.end()
    later = second.acquire(), second.read(), second.is_shared
    second.end()
    os.unlink(path)

    assert (turns, later) == ([True, False, True], (True, "a", True))


def _has_beaten(running_registry: RunningRegistry, times: int) -> bool:
    return beats(running_registry) >= times


@contextmanager
def _workers(
    running_registry: RunningRegistry, count: int
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Starts a server with some workers, and yields its address and the parent process."""
    variables = {
        "CANARY_UPSTREAM": "http://127.0.0.1:9",
        "CANARY_PUBLIC_URL": PUBLIC,
        "CANARY_REGISTRY_URL": running_registry.url,
        "CANARY_EVERY": "0.05",
        "CANARY_WORKERS": str(count),
    }
    command = [sys.executable, "-m", "tests.runtime.registered_server", "--port", "0"]
    with subprocess.Popen(
        command,
        env=environment(**variables),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().removeprefix("Serving Canary at ").strip(), process
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no workers there")
def test_the_next_process_goes_on_with_what_the_one_before_has_registered(
    running_registry: RunningRegistry,
) -> None:
    start = partial(serving_tools, TOOL, upstream="http://127.0.0.1:9")
    ids: list[str] = []

    async def process(ends: asyncio.Event) -> None:
        async with start(rules=[registering(running_registry.url)]):
            await ends.wait()

    async def run_both() -> None:
        ends = [asyncio.Event(), asyncio.Event()]
        async with asyncio.TaskGroup() as processes:
            for end in ends:
                processes.create_task(process(end))
                await comes(lambda: beats(running_registry) > 1)
            for end in ends:
                ids.extend(card["id"] for card in await asyncio.to_thread(running_registry.servers))
                await comes(partial(_has_beaten, running_registry, beats(running_registry) + 3))
                end.set()

    with registering(running_registry.url).supervised():
        asyncio.run(run_both())

    assert (len(ids), len(set(ids)), running_registry.requests.count("POST /mcp/servers")) == (
        2,
        1,
        1,
    )
    assert running_registry.requests[-1] == f"DELETE /agents/{ids[0]}"


@pytest.mark.repeated("repeats with several processes what the other tests hold with one")
@pytest.mark.skipif(sys.platform == "win32", reason="there are no workers there")
def test_several_workers_are_one_server_even_when_all_of_them_die(
    running_registry: RunningRegistry,
) -> None:
    with _workers(running_registry, 2) as (url, process):
        pids: set[int] = set()
        while len(pids) < 2:
            pids.add(int(result_text(httpx2.post(url, json=message("pid"), timeout=PATIENCE))))
        wait_until(lambda: beats(running_registry) > 1)
        ids = {card["id"] for card in running_registry.servers()}
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        expected_beats = beats(running_registry) + 2
        wait_until(lambda: beats(running_registry) > expected_beats)
        process.terminate()
        process.wait(PATIENCE)

    assert running_registry.requests.count("POST /mcp/servers") == len(ids) == 1
    assert process.returncode in (0, -signal.SIGTERM)
    assert running_registry.servers("?live=false") == []
    assert json.dumps(running_registry.requests).count("DELETE") == 1
