"""Declared answers: results, and messages to the client."""

from __future__ import annotations

from typing import Any

import pytest
from tests.runtime.conftest import Client, Serving

from mcpgen_runtime.elicitation.interactive_steps import (
    Ask,
    Close,
    FormQuestion,
    Log,
    Progress,
    Roots,
    Sample,
)
from mcpgen_runtime.hooks import Call, Hooks, Result
from mcpgen_runtime.server.declared_answer import (
    AnswerAction,
    Audio,
    DeclaredAnswer,
    Embedded,
    Fail,
    Image,
    ResourceLink,
    Structured,
    Text,
    Wait,
)
from mcpgen_runtime.tool import Argument, Hints, Json, Tool

pytestmark = pytest.mark.anyio

READS = Hints(read_only=True, destructive=False, idempotent=True)
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
YES = {"action": "accept", "content": {"city": "Paris"}}
NO = {"action": "decline"}
WRITTEN = {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"}


def make_tool(*acts: AnswerAction) -> Tool:
    """Returns a tool with two arguments and a declared answer of these steps."""
    arguments = (
        Argument("name", "handler", {"type": "string"}, required=True),
        Argument("age", "handler", {"type": "integer"}),
    )
    return Tool("greet", "", "", None, READS, arguments, answer=DeclaredAnswer(acts))


async def call_for_ada(
    client: Client, capabilities: dict[str, Any] | None = None, age: int | None = None, **more: Any
) -> dict[str, Any]:
    """Returns the JSON-RPC response to a call for Ada in revision 2026-07-28."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities or {},
        **more.pop("meta", {}),
    }
    arguments = {"name": "Ada"} | ({} if age is None else {"age": age})
    params = {"name": "greet", "arguments": arguments, "_meta": meta, **more}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Mcp_Method": "tools/call",
        "Mcp_Name": "greet",
        "MCP_Protocol_Version": "2026-07-28",
    }
    answer: dict[str, Any] = (await client.post(message, **headers)).json()
    return answer


async def result(serving: Serving, *acts: AnswerAction, **call_options: Any) -> dict[str, Any]:
    """Returns the result of a call of a tool with these steps."""
    async with serving(make_tool(*acts), upstream="") as client:
        call_result: dict[str, Any] = (await call_for_ada(client, **call_options))["result"]
    return call_result


async def test_acts_are_performed_in_their_order(serving: Serving) -> None:
    tool_result = await result(
        serving,
        Text("A text"),
        Image("aGk=", "image/png"),
        Wait(1),
        Audio("aGk=", "audio/wav"),
        Embedded("test://a", "text/plain", "words"),
        Embedded("test://b", data="aGk="),
        ResourceLink("test://c", "c", description="Third"),
    )

    assert [block["type"] for block in tool_result["content"]] == [
        *("text", "image", "audio"),
        *("resource", "resource", "resource_link"),
    ]
    assert tool_result["content"][1] == {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    assert tool_result["content"][3]["resource"]["text"] == "words"
    assert tool_result["content"][4]["resource"] == {"uri": "test://b", "blob": "aGk="}
    assert tool_result["content"][5]["description"] == "Third"
    assert not tool_result["isError"]


async def test_answer_ends_with_the_act_that_fails(serving: Serving) -> None:
    tool_result = await result(serving, Text("So far"), Fail("No, ${name}."), Text("never"))

    assert [block["text"] for block in tool_result["content"]] == ["So far", "No, Ada."]
    assert tool_result["isError"]


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("${name}, ${age}", "Ada, 7"),
        ("${name.x}|${nobody}|", "||"),
        ("$${name} $$ {name} ${}", "${name} $$ {name} "),
        ("${name}${name}", "AdaAda"),
    ],
)
async def test_placeholders_stand_for_arguments(serving: Serving, template: str, text: str) -> None:
    tool_result = await result(serving, Text(template), age=7)

    assert tool_result["content"][0]["text"] == text


async def test_argument_that_looks_like_a_placeholder_is_text(serving: Serving) -> None:
    async with serving(make_tool(Text("${name}")), upstream="") as client:
        tool_result = await client.call("greet", name="${age}")

    assert tool_result["content"][0]["text"] == "${age}"


async def test_structured_value_keeps_types_and_is_told_as_text(serving: Serving) -> None:
    tool_result = await result(
        serving, Structured({"age": "${age}", "said": "is ${age}", "all": ["${age}"]}), age=7
    )

    assert tool_result["structuredContent"] == {"age": 7, "said": "is 7", "all": [7]}
    assert tool_result["content"][0]["text"] == '{"age":7,"said":"is 7","all":[7]}'


async def test_answers_to_questions_are_known_by_their_names(serving: Serving) -> None:
    ask = Ask(
        {"where": FormQuestion("Where, ${name}?", CITY), "word": Sample("A word", 9), "at": Roots()}
    )
    capabilities: Json = {"elicitation": {}, "sampling": {}, "roots": {}}
    answers = {"where": YES, "word": WRITTEN, "at": {"roots": [{"uri": "file:///a"}]}}
    text = Text("${where.content.city} ${word.content.text} ${at.roots.0.uri}")
    async with serving(make_tool(ask, text), upstream="") as client:
        question_result = (await call_for_ada(client, capabilities))["result"]
        state = question_result["requestState"]
        final_result = (
            await call_for_ada(client, capabilities, inputResponses=answers, requestState=state)
        )["result"]

    assert question_result["inputRequests"].keys() == answers.keys()
    assert question_result["inputRequests"]["where"]["params"]["message"] == "Where, Ada?"
    assert final_result["content"] == [{"type": "text", "text": "Paris Hi file:///a"}]


async def test_second_question_comes_after_the_first(serving: Serving) -> None:
    first_question = Ask({"a": FormQuestion("First?", CITY)})
    second_question = Ask({"b": FormQuestion("And after ${a.content.city}?", CITY)})
    capabilities: Json = {"elicitation": {}}
    async with serving(
        make_tool(first_question, second_question, Text("${a.content.city} ${b.content.city}")),
        upstream="",
    ) as client:
        first_result = (await call_for_ada(client, capabilities))["result"]
        state, answers = first_result["requestState"], {"a": YES}
        second_result = (
            await call_for_ada(client, capabilities, inputResponses=answers, requestState=state)
        )["result"]
        state, answers = second_result["requestState"], {"b": {**YES, "content": {"city": "Rome"}}}
        final_result = (
            await call_for_ada(client, capabilities, inputResponses=answers, requestState=state)
        )["result"]

    assert second_result["inputRequests"]["b"]["params"]["message"] == "And after Paris?"
    assert final_result["content"][0]["text"] == "Paris Rome"


async def test_no_ends_the_answer_unless_the_question_is_optional(serving: Serving) -> None:
    capabilities: Json = {"elicitation": {}}
    required_question, optional_question = Ask({"a": FormQuestion("A?", CITY)}), Ask(
        {"a": FormQuestion("A?", CITY, optional=True)}
    )

    declined_result = await result(
        serving, required_question, Text("on"), capabilities=capabilities, inputResponses={"a": NO}
    )
    continued_result = await result(
        serving,
        optional_question,
        Text("on: ${a.action}"),
        capabilities=capabilities,
        inputResponses={"a": NO},
    )

    assert declined_result["isError"]
    assert declined_result["content"][0]["text"] == "The user said no (`decline`) to: A?"
    assert continued_result["content"][0]["text"] == "on: decline"


async def test_client_that_cannot_be_asked_is_told_what_it_lacks(serving: Serving) -> None:
    async with serving(
        make_tool(Ask({"word": Sample("A word", 9)}), Text("on")), upstream=""
    ) as client:
        error = (await call_for_ada(client))["error"]

    assert error["code"] == -32021
    assert error["data"]["requiredCapabilities"] == {"sampling": {}}


async def test_optional_questions_are_asked_of_those_that_can_answer(serving: Serving) -> None:
    ask = Ask(
        {"a": FormQuestion("A?", CITY, optional=True), "word": Sample("A word", 9, optional=True)}
    )

    sampling_result = await result(serving, ask, Text("on"), capabilities={"sampling": {}})
    plain_result = await result(serving, ask, Text("on"))

    assert [*sampling_result["inputRequests"]] == ["word"]
    assert plain_result["content"][0]["text"] == "on"


async def test_progress_and_log_go_to_clients_that_want_them(serving: Serving) -> None:
    acts = (
        Progress(1, 2, "Half, ${name}"),
        Log("Seen ${name}", "warning", "me"),
        Close(),
        Text("x"),
    )
    wanted_meta = {"progressToken": "p", "io.modelcontextprotocol/logLevel": "info"}
    meta: Json = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    meta |= {"io.modelcontextprotocol/clientCapabilities": {}}
    headers = {
        "Mcp_Method": "tools/call",
        "Mcp_Name": "greet",
        "MCP_Protocol_Version": "2026-07-28",
    }

    def call(meta: dict[str, Any]) -> dict[str, Any]:
        params = {"name": "greet", "arguments": {"name": "Ada"}, "_meta": meta}
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    async with serving(make_tool(*acts), upstream="") as client:
        events = {"Accept": "application/json, text/event-stream", **headers}
        stream_with_log = (await client.post(call(meta | wanted_meta), **events)).text
        stream_without_log = (await client.post(call(meta), **events)).text

    assert '"message":"Half, Ada"' in stream_with_log
    assert '"data":"Seen Ada"' in stream_with_log
    assert "notifications" not in stream_without_log


async def test_handler_wins_and_gets_the_declared_answer(serving: Serving) -> None:
    async def greet_loudly(call: Call) -> Result:
        declared_result = await call.upstream({**call.arguments, "name": "Bea"})
        return Result.text(declared_result.content[0]["text"].upper())

    async with serving(
        make_tool(Text("Hello, ${name}")), hooks=Hooks({"greet": greet_loudly}), upstream=""
    ) as client:
        tool_result = await client.call("greet", name="Ada")

    assert tool_result["content"][0]["text"] == "HELLO, BEA"


async def test_conditions_among_arguments_are_announced_and_hold(serving: Serving) -> None:
    tool = make_tool(Text("${name}"))
    conditions = {"dependentRequired": {"age": ["other"]}}
    tool = Tool(**{**vars(tool), "conditions": conditions})
    async with serving(tool, upstream="") as client:
        invalid_result = await client.call("greet", name="Ada", age=7)
        valid_result = await client.call("greet", name="Ada")

    assert tool.input_schema["dependentRequired"] == {"age": ["other"]}
    assert invalid_result["isError"]
    assert "other" in invalid_result["content"][0]["text"]
    assert not valid_result["isError"]
