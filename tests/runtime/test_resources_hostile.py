"""Hostile clients, values and answers have no effect on resources, prompts and subscriptions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from mcp import MCPError
from mcp_types import SubscribeRequestParams
from tests.runtime.conftest import Client, Serving, WireUpstream
from tests.runtime.resource_server import READS, all_features, pets, serve_shop
from tests.runtime.test_resources_authorization import post_request, read

from mcpgen_runtime.resources.completion import Completion
from mcpgen_runtime.resources.completion_values import ListedValues
from mcpgen_runtime.resources.prompts import Prompt, PromptArgument, PromptMessage, Prompts
from mcpgen_runtime.resources.resources import Resource, Resources
from mcpgen_runtime.resources.subscriptions import ResourceSubscriptions
from mcpgen_runtime.server.feature import ServerContext
from mcpgen_runtime.tool import Argument, Route, Tool

pytestmark = pytest.mark.anyio

NAME = Argument("name", "path", {"type": "string"}, required=True)
NOTE = Tool("get_note", "", "", Route("GET", "/notes/{name}"), READS, (NAME,))
NOTES = Tool("list_notes", "", "", Route("GET", "/notes"), READS)
NOTE_URI = "note://{name}/x"
NOTE_RESOURCES = Resources(
    (
        Resource(
            NOTE_URI,
            "note",
            mime_type="application/json",
            tool="get_note",
            complete={"name": ListedValues("list_notes", "")},
        ),
    )
)
ECHO = Prompt(
    "echo",
    arguments=(PromptArgument("one"), PromptArgument("two"), PromptArgument("uri")),
    messages=(PromptMessage(text="{{one}}|{{two}}"), PromptMessage(uri="{{uri}}")),
)
WHOLE = Prompt("say", arguments=(PromptArgument("one"),), messages=(PromptMessage(text="{{one}}"),))
SOON = 120


@pytest.fixture
async def client(serving: Serving, upstream: WireUpstream) -> AsyncIterator[Client]:
    """Client of a server of notes; note names are any text."""
    prompts = Prompts((ECHO, WHOLE), NOTE_RESOURCES)
    offers = (NOTE_RESOURCES, prompts, Completion(NOTE_RESOURCES, prompts))
    async with serving(NOTE, NOTES, upstream=upstream.url, offers=offers) as client:
        yield client


def set_answer(upstream: WireUpstream, body: bytes, kind: str, status: str = "200 OK") -> None:
    """Lets the API answer with this response."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    upstream.answer = lambda _: head.encode() + body


@pytest.mark.parametrize(
    "value",
    [
        *("..", ".", "%2e%2e", "%2E", "%c0%ae", "%ed%a0%80", "%", "%4", "%u0041", "{name}", "a|b"),
        *('"', "\u202e", "a b", "a\nb", "\x00", "%00", "%0d%0aHost:evil", "a%2Fb", "@evil"),
        *("%252e%252e%252f", "http:%2F%2Fevil", "$%7B7*7%7D", "%7B%7Bx%7D%7D"),
        *("x" * 100_000, "%61" * 5000),
    ],
    ids=lambda value: ascii(value)[:20],
)
async def test_a_hostile_value_is_one_step_of_the_path_or_nothing(
    client: Client, upstream: WireUpstream, value: str
) -> None:
    set_answer(upstream, b"{}", "application/json")

    answer = await read(client, f"note://{value}/x")

    assert ("result" in answer) != ("error" in answer)
    for request in upstream.requests:
        assert request.target.startswith("/notes/")
        assert request.target.count("/") == 2
        assert "?" not in request.target
        assert request.target.removeprefix("/notes/") not in ("", ".", "..", "%2e%2e", "%2E%2E")
    if "error" in answer:
        assert answer["error"]["code"] in (-32002, -32602)
        assert len(json.dumps(answer)) < 20_000
        assert upstream.requests == []


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"", "application/json", "302 Found\r\nLocation: http://127.0.0.1:1/", -32603),
        (b"[" * 100_000, "application/json", "200 OK", None),
        (b"\xff\xfe\x00", "application/json", "200 OK", None),
        (b"\x00\x01\x02", "application/octet-stream", "200 OK", None),
        (b"<a/>", "text/html", "200 OK", None),
        (b"", "application/json", "204 No Content", None),
        (b"gone", "text/plain", "410 Gone", -32002),
        (b"no", "text/plain", "403 Forbidden", -32603),
        (b"x" * 100_000, "text/plain", "500 Oh", -32603),
        (b"x", "\x01no type", "200 OK", None),
    ],
)
async def test_any_answer_of_the_api_is_contents_or_a_bounded_error(
    client: Client, upstream: WireUpstream, body: bytes, kind: str, status: str, code: int | None
) -> None:
    set_answer(upstream, body, kind, status)

    answer = await read(client, "note://a/x")

    if code is not None:
        assert answer["error"]["code"] == code
        assert len(json.dumps(answer)) < 20_000
    elif "result" in answer:
        for content in answer["result"]["contents"]:
            assert content["uri"] == "note://a/x"
            assert ("text" in content) != ("blob" in content)
    else:
        assert answer["error"]["code"] == -32603
    assert len(upstream.requests) == 1


async def test_an_answer_beyond_the_limit_is_an_error(
    client: Client, upstream: WireUpstream
) -> None:
    set_answer(upstream, b"x" * 30_000_000, "text/plain")

    answer = await read(client, "note://a/x")

    assert answer["error"]["code"] == -32603


async def test_a_value_is_never_looked_at_again(client: Client) -> None:
    arguments = {
        "one": "{{two}} \\1 \\g<0> {{{{two}}}}",
        "two": "{{one}}",
        "uri": "note://{{one}}/x",
    }

    answer = await post_request(client, "prompts/get", name="echo", arguments=arguments)
    single_answer = await post_request(
        client, "prompts/get", name="say", arguments={"one": "{{one}}"}
    )

    # The URI contains a literal placeholder, and no resource has such a URI.
    assert answer["error"]["data"] == {"uri": "note://{{one}}/x"}
    assert single_answer["result"]["messages"][0]["content"]["text"] == "{{one}}"


async def test_an_argument_of_a_megabyte_is_refused_in_few_words(client: Client) -> None:
    answers = [
        await post_request(client, "prompts/get", name="say", arguments={"one": "x" * 1_000_000}),
        await post_request(client, "prompts/get", name="say", arguments={"x" * 1_000_000: "1"}),
        await post_request(client, "prompts/get", name="x" * 1_000_000, arguments={}),
        await post_request(
            client,
            "prompts/get",
            name="say",
            arguments={f"{number:0128}": "1" for number in range(5000)},
        ),
    ]

    for answer in answers:
        assert answer["error"]["code"] == -32602
        assert len(json.dumps(answer)) < 20_000


@pytest.mark.parametrize(
    "prefix", ["\x00", "(", "[a-", "%", "{{x}}", "x" * 900_000, "\u0130", "\\"]
)
async def test_a_hostile_beginning_completes_nothing(
    client: Client, upstream: WireUpstream, prefix: str
) -> None:
    set_answer(upstream, b'["a", "b"]', "application/json")
    ref = {"type": "ref/resource", "uri": NOTE_URI}

    answer = await post_request(
        client, "completion/complete", ref=ref, argument={"name": "name", "value": prefix}
    )

    assert answer["result"]["completion"] == {"values": [], "total": 0, "hasMore": False}


@asynccontextmanager
async def session(url: str) -> AsyncIterator[Any]:
    """Sends requests in a session of an older client; takes a method and parameters."""
    async with httpx2.AsyncClient(timeout=SOON) as http:
        headers = {"Accept": "application/json, text/event-stream"}
        initialize_params: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}}
        initialize_params["clientInfo"] = {"name": "c", "version": "1"}

        async def ask(method: str, verb: str = "POST", **params: Any) -> httpx2.Response:
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return await http.request(verb, url, headers=headers, json=message)

        response = await ask("initialize", **initialize_params)
        headers["Mcp-Session-Id"] = response.headers["mcp-session-id"]
        headers["Mcp-Protocol-Version"] = "2025-11-25"
        initialized_message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await http.post(url, headers=headers, json=initialized_message)
        ask.headers = headers  # type: ignore[attr-defined]
        ask.http = http  # type: ignore[attr-defined]
        yield ask


WRITE = {"name": "update_pet", "arguments": {"petId": 7}}


async def test_a_session_that_listens_to_nothing_or_ends_holds_up_nobody(
    upstream: WireUpstream,
) -> None:
    upstream.answer = pets
    async with (
        serve_shop(upstream.url, all_features(), sessions=True) as url,
        session(url) as silent_session,
        session(url) as ended_session,
        session(url) as writer,
    ):
        for item in (silent_session, ended_session):
            assert "result" in (await item("resources/subscribe", uri="shop://pets/7")).text
        await ended_session("", "DELETE")
        async with asyncio.timeout(SOON):
            for _ in range(5):
                answer = await writer("tools/call", **WRITE)

    assert answer.status_code == 200
    assert '"isError":true' not in answer.text


class Stuck:
    """SDK session whose client has stopped reading; records the attempted notifications."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.reads = asyncio.Event()

    async def send_resource_updated(self, uri: str) -> None:
        """Records the URI, then waits until the client reads."""
        self.sent.append(uri)
        await self.reads.wait()


FILES = Resources(tuple(Resource(f"shop://{n}", str(n), file="a") for n in range(1100)))
INSIDE = ServerContext(lambda _: (), lambda *_: None, lambda *_: True, lambda *_: asyncio.sleep(0))  # type: ignore[arg-type]


async def subscribe_files(changes: ResourceSubscriptions, stuck_session: Stuck, count: int) -> None:
    """Subscribes a session to files."""
    request = SimpleNamespace(headers={"mcp-session-id": "one"})
    context = SimpleNamespace(session=stuck_session, request=request)
    subscribe = changes.methods(INSIDE)["resources/subscribe"].answer
    for number in range(count):
        await subscribe(context, SubscribeRequestParams(uri=f"shop://{number}"))


async def test_a_session_that_reads_no_more_holds_up_nobody() -> None:
    changes, stuck_session = ResourceSubscriptions(FILES, {}), Stuck()
    await subscribe_files(changes, stuck_session, 3)

    async with asyncio.timeout(SOON):
        for _ in range(1000):
            for number in range(4):
                await changes.notify(f"shop://{number}")
            await asyncio.sleep(0)
    sent_before = [*stuck_session.sent]
    stuck_session.reads.set()
    for _ in range(20):
        await asyncio.sleep(0)

    # A thousand changes of a resource become one notification when the client reads again; the
    # resource of the blocked notification gets a second notification.
    assert sent_before == ["shop://0"]
    assert sorted(stuck_session.sent) == ["shop://0", "shop://0", "shop://1", "shop://2"]


async def test_a_server_that_ends_leaves_no_session_to_be_told() -> None:
    changes, stuck_session = ResourceSubscriptions(FILES, {}), Stuck()
    await subscribe_files(changes, stuck_session, 1)
    before = asyncio.all_tasks()

    await changes.notify("shop://0")
    changes.end_streams()
    for _ in range(5):
        await asyncio.sleep(0)

    assert asyncio.all_tasks() <= before


async def test_the_subscriptions_of_one_client_are_bounded() -> None:
    changes, stuck_session = ResourceSubscriptions(FILES, {}), Stuck()

    with pytest.raises(MCPError, match="at most 1000 resources"):
        await subscribe_files(changes, stuck_session, 1100)
    await subscribe_files(changes, stuck_session, 1000)
