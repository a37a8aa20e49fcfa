"""Elicitation in sessions, and with the official client over HTTP in every revision."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client as Official
from mcp_types import CreateMessageResult, ElicitResult, TextContent
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySessionSettings
from tests.runtime.test_elicitation import WhoHeaderRule

from mcpgen_runtime.elicitation.elicit_tool import ElicitTool
from mcpgen_runtime.hooks import Call, Handler, Hooks, Result
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.process import DrainingServer
from mcpgen_runtime.server.sessions import Sessions
from mcpgen_runtime.tool import Argument, Hints, Tool

pytestmark = pytest.mark.anyio

ASK = Tool("ask", "", "", None, Hints(read_only=True, destructive=False, idempotent=True))
ELICIT = Tool(
    "elicit",
    "",
    "",
    None,
    ASK.hints,
    (
        Argument("message", "handler", {"type": "string"}, required=True),
        Argument("schema", "handler", {"type": "object"}, required=True),
        Argument("uiType", "handler", {"type": "string"}),
    ),
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "Ada"},
        "size": {"type": "string", "enum": ["S", "M"]},
        "extras": {"type": "array", "items": {"anyOf": [{"const": "ice", "title": "Ice"}]}},
    },
    "required": ["name"],
}
INITIALIZE: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "test", "version": "1"},
}
BOTH = "application/json, text/event-stream"


async def ask(call: Call) -> Result:
    """Asks the user, and returns the answer."""
    await call.progress(1, 2, "asking")
    reply = await call.elicit("Who?", SCHEMA)
    return Result.text(f"{reply.action} {json.dumps(dict(reply.content))}")


def create_server(handler: Handler = ask, *, sessions: bool = True, **settings: Any) -> App:
    """Returns a server with the tool `ask`."""
    session_settings = CanarySessionSettings(sessions=sessions, **settings)
    return create_app(
        ServerInfo("canary", "Canary", "1"),
        [ASK],
        [],
        session_settings,
        Hooks({"ask": handler}),
        (WhoHeaderRule(),),
        offers=(ElicitTool(ELICIT),),
        sessions=Sessions(session_settings),
    )


@asynccontextmanager
async def serving(app: App) -> AsyncIterator[str]:
    """Runs a server, and yields its URL."""
    async with run_server(app) as (url, server):
        yield url
        server.force_exit = True


@asynccontextmanager
async def run_server(app: App) -> AsyncIterator[tuple[str, DrainingServer]]:
    """Yields the URL and the server; the server stops at the end of the block at the latest."""
    start_event = asyncio.Event()
    server = DrainingServer(app, start_event.set)
    with socket.create_server(("127.0.0.1", 0)) as sock:
        task = asyncio.create_task(server.serve([sock]))
        await asyncio.wait_for(start_event.wait(), 120)
        yield f"http://127.0.0.1:{sock.getsockname()[1]}/mcp", server
        server.should_exit = True
        await asyncio.wait_for(task, 120)


@asynccontextmanager
async def open_client(app: App) -> AsyncIterator[httpx2.AsyncClient]:
    """Runs a server, and yields a plain HTTP client."""
    async with serving(app) as url, httpx2.AsyncClient(base_url=url, timeout=120) as http:
        yield http


async def start_session(
    http: httpx2.AsyncClient, user_name: str = "jo", accept: str = BOTH
) -> str | None:
    """Initializes, and returns the session id; None without a session."""
    message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE}
    response = await http.post("", json=message, headers={"Accept": accept, "X-Who": user_name})
    assert response.status_code == 200, response.text
    session_id: str | None = response.headers.get("mcp-session-id")
    return session_id


def headers(session: str, user_name: str = "jo") -> dict[str, str]:
    """Returns the headers of a message in a session."""
    return {
        "Accept": BOTH,
        "X-Who": user_name,
        "Mcp-Session-Id": session,
        "MCP-Protocol-Version": "2025-11-25",
    }


def call(name: str = "ask", arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """Returns the message of a call."""
    params = {"name": name, "arguments": arguments or {}}
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}


async def answer_questions(
    http: httpx2.AsyncClient,
    session: str,
    answers: Sequence[Any],
    *,
    user_name: str = "jo",
    accept: str = BOTH,
) -> dict[str, Any]:
    """Calls `ask`, posts each answer to the elicitation, and returns the result of the call."""
    async with http.stream("POST", "", json=call(), headers=headers(session)) as stream:
        async for line in stream.aiter_lines():
            if not line.startswith("data: {"):
                continue
            message: dict[str, Any] = json.loads(line.removeprefix("data: "))
            if message.get("method") == "elicitation/create":
                for answer in answers:
                    answer_message = {"jsonrpc": "2.0", "id": message["id"], **answer}
                    answer_headers = {**headers(session, user_name), "Accept": accept}
                    await http.post("", json=answer_message, headers=answer_headers)
            elif message.get("id") == 7:
                return message
    raise AssertionError("the call was not answered")


async def _read_messages(lines: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yields the messages in the lines of a stream."""
    async for line in lines:
        if line.startswith("data: {"):
            yield line.removeprefix("data: ")


async def _read_question(lines: AsyncIterator[str]) -> str:
    """Returns the question in the lines of a stream."""
    async for message in _read_messages(lines):
        if "elicitation/create" in message:
            return message
    raise AssertionError("nobody was asked")


def text(message: dict[str, Any]) -> str:
    """Returns the text of a result."""
    return str(message["result"]["content"][0]["text"])


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("is_fast", [True, False])
async def test_official_client_is_asked_and_told_of_progress(mode: str, is_fast: bool) -> None:
    lines: list[str] = []

    async def fill_in(context: Any, params: Any) -> ElicitResult:
        lines.append(params.message)
        return ElicitResult(action="accept", content={"name": "Bo", "extras": ["ice"]})

    async def note(progress: float, total: float | None, message: str | None) -> None:
        lines.append(f"{progress:g}/{total:g} {message}")

    async with (
        serving(create_server(fast_path=is_fast)) as url,
        Official(url, mode=mode, elicitation_callback=fill_in) as client,
    ):
        result = await client.call_tool("ask", {}, progress_callback=note)

    assert result.content[0].text == 'accept {"name": "Bo", "extras": ["ice"]}'  # type: ignore[union-attr]
    assert lines[:2] == ["1/2 asking", "Who?"]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize(
    ("answer", "expected", "is_failed"),
    [
        (ElicitResult(action="accept", content={"ok": True}), 'User provided: {"ok":true}', False),
        (ElicitResult(action="decline", content={"reason": "Too dear"}), "Too dear", True),
        (ElicitResult(action="decline"), "User declined: no reason was given", True),
        (ElicitResult(action="cancel"), "User cancelled", True),
    ],
)
async def test_tool_elicit_tells_what_the_user_did(
    mode: str, answer: ElicitResult, expected: str, is_failed: bool
) -> None:
    output: list[Any] = []

    async def fill_in(context: Any, params: Any) -> ElicitResult:
        output.append(params)
        return answer

    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    arguments = {"message": "Go?", "schema": schema, "uiType": "slack"}
    async with (
        serving(create_server()) as url,
        Official(url, mode=mode, elicitation_callback=fill_in) as client,
    ):
        result = await client.call_tool("elicit", arguments)

    assert expected in result.content[0].text  # type: ignore[union-attr]
    assert bool(result.is_error) is is_failed
    assert output[0].message == "Go?"
    # An elicitation embedded in a result (revision 2026-07-28) has no `_meta`.
    assert mode != "legacy" or output[0].meta["uiType"] == "slack"


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([{"result": {"action": "accept", "content": {"name": 7}}}], "name: must be string"),
        ([{"result": {"action": "accept"}}], "name: required"),
        ([{"result": {"action": "accept", "content": {"name": "A", "x": 1}}}], "x: unknown"),
        (
            [{"result": {"action": "accept", "content": {"name": "A", "size": "L"}}}],
            "size: must be",
        ),
        ([{"result": {"action": "perhaps"}}], "action:"),
        ([{"result": {"action": "accept", "content": {"name": {"a": 1}}}}], "content"),
        ([{"error": {"code": -1, "message": "busy" * 500}}], "did not ask its user: busybusy"),
    ],
)
async def test_answer_that_is_none_fails_the_call_in_few_words(
    answers: list[Any], reason: str
) -> None:
    async with open_client(create_server()) as http:
        session = await start_session(http)
        assert session
        message = await answer_questions(http, session, answers)
        second_message = await answer_questions(http, session, [{"result": {"action": "cancel"}}])

    assert message["result"]["isError"]
    assert reason in text(message)
    assert len(text(message)) < 2000
    assert text(second_message).startswith("cancel")


async def test_first_of_two_answers_counts() -> None:
    twice = [{"result": {"action": "decline"}}, {"result": {"action": "cancel"}}]
    async with open_client(create_server()) as http:
        session = await start_session(http)
        assert session
        message = await answer_questions(http, session, twice)

    assert text(message).startswith("decline")


async def test_nobody_answers_for_another() -> None:
    accept = [{"result": {"action": "accept", "content": {"name": "Eve"}}}]
    async with open_client(create_server(answer_seconds=0.3)) as http:
        session = await start_session(http)
        assert session
        message = await answer_questions(http, session, accept, user_name="eve")

    assert "Nobody answered within 0.3 seconds" in text(message)


async def test_answer_of_a_client_that_wants_none_to_it_is_heard() -> None:
    async with open_client(create_server(answer_seconds=2)) as http:
        session = await start_session(http)
        assert session
        decline = [{"result": {"action": "decline"}}]
        message = await answer_questions(http, session, decline, accept="application/json")

    assert text(message).startswith("decline")


@pytest.mark.parametrize("id", [7, "7", "_GET_stream"])
async def test_id_of_a_request_under_way_is_no_other_request_s(id: Any) -> None:
    async with open_client(create_server()) as http:
        session = await start_session(http)
        assert session
        async with http.stream("POST", "", json=call(), headers=headers(session)) as stream:
            lines = stream.aiter_lines()
            question = await _read_question(lines)
            second_response = await http.post(
                "", json={**call(), "id": id}, headers=headers(session)
            )
            answer = {
                "jsonrpc": "2.0",
                "id": json.loads(question)["id"],
                "result": {"action": "cancel"},
            }
            await http.post("", json=answer, headers=headers(session))
            message = await anext(_read_messages(lines))
        second_message = await answer_questions(http, session, [{"result": {"action": "decline"}}])

    assert (second_response.status_code, second_response.json()["id"]) == (400, id)
    assert text(json.loads(message)).startswith("cancel")
    assert text(second_message).startswith("decline")


async def test_open_questions_and_streams_end_with_the_server() -> None:
    messages: list[str] = []

    async with (
        run_server(create_server(grace_seconds=15)) as (url, server),
        httpx2.AsyncClient(base_url=url, timeout=120) as http,
    ):
        session = await start_session(http)
        assert session
        session_headers = headers(session)
        async with (
            http.stream("GET", "", headers=session_headers) as listening_stream,
            http.stream("POST", "", json=call(), headers=session_headers) as call_stream,
        ):
            lines = call_stream.aiter_lines()
            await _read_question(lines)
            server.should_exit = True
            messages += [message async for message in _read_messages(lines)]
            messages += [
                message async for message in _read_messages(listening_stream.aiter_lines())
            ]

    assert "about to end" in text(json.loads(messages[-1]))


async def test_call_on_a_stream_is_answered_before_the_server_ends() -> None:
    under_way = asyncio.Event()

    async def ask_slowly(call: Call) -> Result:
        under_way.set()
        await asyncio.sleep(0.8)
        return Result.text("done")

    async with (
        run_server(create_server(ask_slowly)) as (url, server),
        httpx2.AsyncClient(base_url=url, timeout=120) as http,
    ):
        session = await start_session(http)
        assert session
        calling = asyncio.create_task(http.post("", json=call(), headers=headers(session)))
        await asyncio.wait_for(under_way.wait(), 120)
        server.should_exit = True
        answer = await calling

    assert '"text":"done"' in answer.text


async def test_session_belongs_to_who_began_it() -> None:
    async with open_client(create_server()) as http:
        session = await start_session(http, "jo")
        assert session
        foreign_headers = headers(session, "eve")
        response = await http.post("", json=call("elicit"), headers=foreign_headers)
        listen_response = await http.get("", headers=foreign_headers)
        delete_response = await http.delete("", headers=foreign_headers)
        own_response = await http.delete("", headers=headers(session))
        late_response = await http.post("", json=call(), headers=headers(session))

    assert [answer.status_code for answer in (response, listen_response, delete_response)] == [
        404,
        404,
        404,
    ]
    assert own_response.status_code == 200
    assert late_response.status_code == 404


async def test_idle_session_ends() -> None:
    async with open_client(create_server(session_idle_seconds=0.05)) as http:
        session = await start_session(http)
        assert session
        statuses = [200]
        while statuses[-1] != 404 and len(statuses) < 100:
            await asyncio.sleep(0.1)
            list_message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            response = await http.post("", json=list_message, headers=headers(session))
            statuses.append(response.status_code)

    assert statuses[-1] == 404


async def test_client_beyond_the_bound_is_served_without_a_session() -> None:
    async with open_client(create_server(sessions_at_once=1)) as http:
        first, second = await start_session(http), await start_session(http)
        answer = await http.post("", json=call(), headers={"Accept": "application/json"})

    assert first
    assert second is None
    assert "keeps no session" in text(answer.json())


async def test_caller_has_a_share_of_the_sessions_and_leaves_the_rest_to_others() -> None:
    async with open_client(create_server(sessions_at_once=4, sessions_per_caller=2)) as http:
        greedy_sessions = [await start_session(http, user_name="jo") for _ in range(6)]
        other_session = await start_session(http, user_name="al")
        response = await http.post(
            "",
            json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
            headers=headers(str(greedy_sessions[0])),
        )
        await http.delete("", headers=headers(str(greedy_sessions[1])))
        later_session = await start_session(http, user_name="jo")

    assert [bool(session) for session in greedy_sessions] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert other_session
    assert response.status_code == 200
    assert later_session


async def test_callers_without_a_name_share_all_sessions() -> None:
    async with open_client(create_server(sessions_at_once=4, sessions_per_caller=2)) as http:
        sessions = [await start_session(http, user_name="") for _ in range(5)]

    assert [bool(session) for session in sessions] == [True, True, True, True, False]


async def test_client_that_reads_no_events_gets_no_session_and_is_not_asked() -> None:
    async with open_client(create_server()) as http:
        session = await start_session(http, accept="application/json")
        answer = await http.post("", json=call(), headers={"Accept": "application/json"})

    assert session is None
    assert answer.json()["result"]["isError"]
    assert "keeps no session" in text(answer.json())


async def test_no_more_questions_are_open_than_allowed() -> None:
    async with open_client(create_server(questions_at_once=1)) as http:
        session = await start_session(http)
        assert session
        async with http.stream("POST", "", json=call(), headers=headers(session)) as stream:
            async for line in stream.aiter_lines():
                if "elicitation/create" in line:
                    break
            second_call = {**call(), "id": 8}
            refusal = await http.post("", json=second_call, headers=headers(session))

    assert "Too many questions are open" in refusal.text


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_without_a_session_there_is_nothing_to_hear_or_to_end(method: str) -> None:
    async with open_client(create_server()) as http:
        response = await http.request(method, "", headers={"Accept": BOTH})

    assert response.status_code == 405


async def test_server_without_sessions_names_what_is_missing() -> None:
    async with open_client(create_server(sessions=False)) as http:
        assert await start_session(http) is None
        answer = await http.post("", json=call(), headers={"Accept": BOTH})

    assert "Its operator can switch sessions on" in answer.text


def test_sessions_and_several_workers_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="CANARY_WORKERS=1"):
        create_server(workers=2)

    assert create_server(workers=2, sessions=False)


async def test_several_questions_are_asked_one_after_the_other() -> None:
    async def ask_twice(call: Call) -> Result:
        first = await call.elicit("One?", SCHEMA)
        second = await call.elicit("Two?", SCHEMA)
        return Result.text(f"{first.content['name']} {second.content['name']}")

    async def fill_in(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": params.message})

    for mode in ("legacy", "2026-07-28"):
        async with (
            serving(create_server(ask_twice)) as url,
            Official(url, mode=mode, elicitation_callback=fill_in) as client,
        ):
            result = await client.call_tool("ask", {})
        assert result.content[0].text == "One? Two?"  # type: ignore[union-attr]


async def test_client_hears_of_the_log() -> None:
    log_records: list[Any] = []

    async def log_stock(call: Call) -> Result:
        await call.log("warning", {"left": 3}, "stock")
        return Result.text("done")

    async def note(params: Any) -> None:
        log_records.append((params.level, params.data, params.logger))

    async with (
        serving(create_server(log_stock)) as url,
        Official(url, mode="legacy", logging_callback=note) as client,
    ):
        await client.call_tool("ask", {})

    assert log_records == [("warning", {"left": 3}, "stock")]


async def test_client_goes_on_from_messages() -> None:
    async def sample_message(call: Call) -> Result:
        message = {"role": "user", "content": {"type": "text", "text": "Hello"}}
        answer = await call.sample([message], 50)
        return Result.text(answer["content"]["text"])

    async def go_on(context: Any, params: Any) -> CreateMessageResult:
        content = TextContent(type="text", text="Good day")
        return CreateMessageResult(role="assistant", content=content, model="m")

    for mode in ("legacy", "2026-07-28"):
        async with (
            serving(create_server(sample_message)) as url,
            Official(url, mode=mode, sampling_callback=go_on) as client,
        ):
            result = await client.call_tool("ask", {})
        assert result.content[0].text == "Good day"  # type: ignore[union-attr]
