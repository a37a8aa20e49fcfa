"""Calls that elicit input in revision 2026-07-28: in rounds, without sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.datastructures import Headers
from tests.runtime.conftest import Client, Serving, WireUpstream

from mcpgen_runtime.caller import Caller, scope_with_caller
from mcpgen_runtime.elicitation.forms import Question
from mcpgen_runtime.hooks import Call, Hooks, Result
from mcpgen_runtime.server.asgi import Asgi, Receive, Scope, Send
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

pytestmark = pytest.mark.anyio

ORDER = Tool(
    "order",
    "",
    "",
    Route("POST", "/orders"),
    Hints(read_only=False, destructive=True, idempotent=False),
    (Argument("item", "query", {"type": "string"}, style="form", explode=True),),
)
SCHEMA = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}},
    "required": ["approved"],
}
FORMS: dict[str, Any] = {"elicitation": {}}


async def approve(call: Call) -> Result:
    """Orders if the user approves."""
    reply = await call.elicit("Order it?", SCHEMA)
    if not reply.accepted or not reply.content["approved"]:
        return Result.error(f"The user said no ({reply.action}).")
    return await call.upstream()


HOOKS = Hooks({"order": approve})


class WhoHeaderRule(Middleware):
    """Takes the caller's name from the header `x-who`."""

    def gate(self, app: Asgi) -> Asgi:
        async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
            caller = Caller(subject=Headers(scope=scope).get("x-who") or "anonymous")
            await app(scope_with_caller(scope, caller), receive, send)

        return app_with_caller


def message(
    capabilities: dict[str, Any] = FORMS,
    arguments: dict[str, Any] | None = None,
    **param_members: Any,
) -> dict[str, Any]:
    """Returns a call in revision 2026-07-28 with these client capabilities."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    params = {
        "name": "order",
        "arguments": arguments or {"item": "tea"},
        "_meta": meta,
        **param_members,
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


async def post_message(client: Client, content: dict[str, Any], **headers: str) -> dict[str, Any]:
    """Posts a message, and returns the response."""
    request_headers = {
        "MCP_Protocol_Version": "2026-07-28",
        "Mcp_Method": "tools/call",
        "Mcp_Name": "order",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    answer: dict[str, Any] = (await client.post(content, **request_headers)).json()
    return answer


@pytest.mark.parametrize("is_fast", [True, False])
async def test_call_is_made_anew_with_the_answer(
    upstream: WireUpstream, serving: Serving, is_fast: bool
) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS, fast_path=is_fast) as client:
        first_result = (await post_message(client, message()))["result"]
        count_before = len(upstream.requests)
        yes = {"action": "accept", "content": {"approved": True}}
        (key,) = first_result["inputRequests"]
        retry = message(inputResponses={key: yes}, requestState=first_result["requestState"])
        result = (await post_message(client, retry))["result"]

    assert first_result["resultType"] == "input_required"
    assert first_result["inputRequests"][key]["params"]["message"] == "Order it?"
    assert (count_before, len(upstream.requests)) == (0, 1)
    assert result["resultType"] == "complete"
    assert not result["isError"]


async def start_elicitation(client: Client, **headers: str) -> tuple[str, str]:
    """Calls, and returns the key and the state of the elicitation."""
    result = (await post_message(client, message(), **headers))["result"]
    (key,) = result["inputRequests"]
    return key, result["requestState"]


YES = {"action": "accept", "content": {"approved": True}}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"action": "accept", "content": {"approved": "yes"}}, "approved: must be boolean"),
        ({"action": "accept"}, "approved: required"),
        ({"action": "accept", "content": {"approved": True, "by": "me"}}, "by: unknown"),
    ],
)
async def test_answer_that_is_none_fails_the_call(
    upstream: WireUpstream, serving: Serving, answer: dict[str, Any], reason: str
) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS) as client:
        key, state = await start_elicitation(client)
        retry = message(inputResponses={key: answer}, requestState=state)
        result = (await post_message(client, retry))["result"]

    assert result["isError"]
    assert reason in result["content"][0]["text"]
    assert upstream.requests == []


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_what_comes_with_a_refusal_is_no_content(
    upstream: WireUpstream, serving: Serving, action: str
) -> None:
    """The content of a refusal matches no schema, and a handler could take the content for an
    answer."""

    async def order(call: Call) -> Result:
        reply = await call.elicit("Order it?", SCHEMA)
        return Result.json([reply.action, dict(reply.content)])

    async with serving(ORDER, upstream=upstream.url, hooks=Hooks({"order": order})) as client:
        key, state = await start_elicitation(client)
        answer = {"action": action, "content": {"approved": True}}
        retry = message(inputResponses={key: answer}, requestState=state)
        result = (await post_message(client, retry))["result"]

    assert result["content"][0]["text"] == f'["{action}",{{}}]'


@pytest.mark.parametrize(
    "responses", [{}, {"other": YES}, None], ids=["none", "another", "no answers at all"]
)
async def test_question_without_an_answer_is_asked_again(
    upstream: WireUpstream, serving: Serving, responses: Any
) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS) as client:
        _, state = await start_elicitation(client)
        more = {} if responses is None else {"inputResponses": responses}
        result = (await post_message(client, message(requestState=state, **more)))["result"]

    assert result["resultType"] == "input_required"
    assert result["requestState"] != state


async def test_answer_to_what_nobody_asked_is_none(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS) as client:
        early = message(inputResponses={"question1": YES})
        result = (await post_message(client, early))["result"]

    assert result["resultType"] == "input_required"
    assert upstream.requests == []


async def test_question_may_take_an_answer_that_comes_with_the_call(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def greet(call: Call) -> Result:
        reply = await call.elicit("Order it?", SCHEMA, key="yes", early=True)
        return Result.text(reply.action)

    async with serving(ORDER, upstream=upstream.url, hooks=Hooks({"order": greet})) as client:
        early = message(inputResponses={"yes": YES, "more": {"action": "accept"}})
        result = (await post_message(client, early))["result"]

    assert result["content"][0]["text"] == "accept"


def change_last_character(state: str) -> str:
    """Returns the state with its last character changed."""
    return state[:-1] + ("A" if state[-1] != "A" else "B")


@pytest.mark.parametrize(
    "change", [change_last_character, lambda _: "", lambda _: "v1.x", lambda s: s + "-more"]
)
async def test_forged_state_is_refused(
    upstream: WireUpstream, serving: Serving, change: Callable[[str], str]
) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS) as client:
        key, state = await start_elicitation(client)
        retry = message(inputResponses={key: YES}, requestState=change(state))
        answer = await post_message(client, retry)

    assert answer["error"]["code"] == -32602
    assert upstream.requests == []


async def test_state_holds_for_no_other_arguments(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS) as client:
        key, state = await start_elicitation(client)
        request = message(arguments={"item": "gold"}, inputResponses={key: YES}, requestState=state)
        answer = await post_message(client, request)

    assert answer["error"]["code"] == -32602
    assert upstream.requests == []


async def test_state_holds_for_no_other_caller(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(
        ORDER, upstream=upstream.url, hooks=HOOKS, rules=(WhoHeaderRule(),)
    ) as client:
        key, state = await start_elicitation(client, X_Who="jo")
        retry = message(inputResponses={key: YES}, requestState=state)
        foreign_response = await post_message(client, retry, X_Who="eve")
        own_response = await post_message(client, retry, X_Who="jo")

    assert foreign_response["error"]["code"] == -32602
    assert not own_response["result"]["isError"]
    assert len(upstream.requests) == 1


async def test_state_is_taken_once(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS) as client:
        key, state = await start_elicitation(client)
        retry = message(inputResponses={key: YES}, requestState=state)
        first, second = await post_message(client, retry), await post_message(client, retry)

    assert not first["result"]["isError"]
    assert second["error"]["message"] == "This requestState was answered before"
    assert len(upstream.requests) == 1


async def test_state_grows_old(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS, answer_seconds=1e-6) as client:
        key, state = await start_elicitation(client)
        answer = await post_message(client, message(inputResponses={key: YES}, requestState=state))

    assert answer["error"]["code"] == -32602
    assert upstream.requests == []


async def test_other_process_with_the_key_goes_on(upstream: WireUpstream, serving: Serving) -> None:
    settings: dict[str, Any] = {"upstream": upstream.url, "hooks": HOOKS, "state_key": "k" * 32}
    async with serving(ORDER, **settings) as client, serving(ORDER, **settings) as second_client:
        key, state = await start_elicitation(client)
        result = await post_message(
            second_client, message(inputResponses={key: YES}, requestState=state)
        )

    assert not result["result"]["isError"]


async def test_other_process_without_the_key_does_not(
    upstream: WireUpstream, serving: Serving
) -> None:
    settings: dict[str, Any] = {"upstream": upstream.url, "hooks": HOOKS}
    async with serving(ORDER, **settings) as client, serving(ORDER, **settings) as second_client:
        key, state = await start_elicitation(client)
        answer = await post_message(
            second_client, message(inputResponses={key: YES}, requestState=state)
        )

    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize("is_fast", [True, False])
async def test_client_that_cannot_be_asked_learns_what_it_lacks(
    upstream: WireUpstream, serving: Serving, is_fast: bool
) -> None:
    async with serving(ORDER, upstream=upstream.url, hooks=HOOKS, fast_path=is_fast) as client:
        answer = await post_message(client, message(capabilities={"sampling": {}}))

    assert answer["error"]["code"] == -32021
    needs: dict[str, Any] = {"requiredCapabilities": {"elicitation": {"form": {}}}}
    assert answer["error"]["data"] == needs
    assert upstream.requests == []


async def test_earlier_answers_are_kept_and_every_question_is_asked_once(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def ask_twice(call: Call) -> Result:
        reply = await call.elicit("One?", SCHEMA)
        second_reply = await call.elicit("Two?", SCHEMA)
        return Result.text(f"{reply.content['approved']} {second_reply.content['approved']}")

    no = {"action": "accept", "content": {"approved": False}}
    async with serving(ORDER, upstream=upstream.url, hooks=Hooks({"order": ask_twice})) as client:
        first, state = await start_elicitation(client)
        second = (
            await post_message(client, message(inputResponses={first: YES}, requestState=state))
        )["result"]
        (key,) = second["inputRequests"]
        param_members = {"inputResponses": {key: no}, "requestState": second["requestState"]}
        result = (await post_message(client, message(**param_members)))["result"]

    assert second["inputRequests"][key]["params"]["message"] == "Two?"
    assert result["content"][0]["text"] == "True False"


async def test_several_questions_are_asked_at_once(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def survey(call: Call) -> Result:
        name, folders = await call.inquire(
            Question.form("Who?", SCHEMA, key="who"), Question.roots(key="where")
        )
        return Result.text(f"{name['action']} {len(folders['roots'])}")

    capabilities: dict[str, Any] = {"elicitation": {"form": {}}, "roots": {}}
    async with serving(ORDER, upstream=upstream.url, hooks=Hooks({"order": survey})) as client:
        result = (await post_message(client, message(capabilities=capabilities)))["result"]
        answers = {"who": YES, "where": {"roots": [{"uri": "file:///a"}]}}
        param_members = {"inputResponses": answers, "requestState": result["requestState"]}
        done = (await post_message(client, message(capabilities=capabilities, **param_members)))[
            "result"
        ]

    assert list(result["inputRequests"]) == ["who", "where"]
    assert done["content"][0]["text"] == "accept 1"


async def test_user_is_sent_to_a_page(upstream: WireUpstream, serving: Serving) -> None:
    async def pay(call: Call) -> Result:
        reply = await call.elicit_visit("Pay here", "https://pay.example/7", "pay-7")
        return Result.text(reply.action)

    capabilities: dict[str, Any] = {"elicitation": {"url": {}}}
    async with serving(ORDER, upstream=upstream.url, hooks=Hooks({"order": pay})) as client:
        result = (await post_message(client, message(capabilities=capabilities)))["result"]
        error_response = await post_message(client, message())

    ((_, request),) = result["inputRequests"].items()
    assert request["params"]["mode"] == "url"
    assert request["params"]["url"] == "https://pay.example/7"
    assert error_response["error"]["data"] == {"requiredCapabilities": {"elicitation": {"url": {}}}}


async def test_handler_asks_before_it_changes_something(
    upstream: WireUpstream, serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    """Repeated with the answer, the call would send its request a second time."""

    async def ask_late(call: Call) -> Result:
        await call.upstream()
        await call.elicit("Was that right?", SCHEMA)
        return Result.text("never")

    async with serving(ORDER, upstream=upstream.url, hooks=Hooks({"order": ask_late})) as client:
        result = (await post_message(client, message()))["result"]

    assert result["isError"]
    assert "a handler must ask before" in caplog.text
    assert len(upstream.requests) == 1


@pytest.mark.parametrize(
    ("schema", "flaw"),
    [
        ({"type": "string"}, "must be an object schema"),
        ({"type": "object", "properties": {}}, "must have `properties`"),
        ({"type": "object", "properties": {"a": {"type": "object"}}}, "`a`: must be a string"),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}}, "`pattern`"),
        ({"type": "object", "properties": {"a": {"type": "array"}}}, "must be choices"),
        ({"type": "object", "properties": {"a": {"type": "string", "enum": [1]}}}, "list texts"),
        ({"type": "object", "properties": {"a": {"$ref": "#/x"}}}, "`a`: must be a string"),
        ({"type": "object", "properties": {"a": {"type": ["string"]}}}, "`a`: must be a string"),
        ({"type": "object", "properties": {"a": {"type": "number"}}, "allOf": []}, "`allOf`"),
        (
            {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["b"]},
            "`required` must list",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}},
            "must be choices",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "integer", "minimum": "1"}}},
            "`minimum` must be a number",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string", "minLength": -1}}},
            "`minLength` must be a number",
        ),
        ({"type": "object", "properties": {"a": {"type": "boolean", "default": 1}}}, "`default`"),
        ({"type": "object", "properties": {"a": {"type": "string", "format": []}}}, "`format`"),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": [[]]}, "list"),
        (
            {
                "type": "object",
                "properties": {str(number): {"type": "number"} for number in range(51)},
            },
            "more than 50 fields",
        ),
    ],
)
def test_form_that_mcp_does_not_know_is_no_question(schema: Any, flaw: str) -> None:
    with pytest.raises(ValueError, match="a form cannot be made") as error:
        Question.form("Hm?", schema)

    assert flaw in str(error.value)


def form(name: str = "a", **shape: Any) -> dict[str, Any]:
    """Returns the schema of a form with one field."""
    return {"type": "object", "properties": {name: {"type": "string", **shape}}}


@pytest.mark.parametrize(
    ("schema", "flaw"),
    [
        ({**form(), "$schema": "http://127.0.0.1:9/schema"}, "`$schema` must be"),
        ({**form(), "$schema": {}}, "`$schema` must be"),
        ({**form(), "title": {}}, "`title` must be text"),
        (form(description="x" * 64_000), "more than 64000 characters"),
        (form(type="number", minimum=float("inf")), "JSON cannot write"),
        (form(type="number", default=float("nan")), "JSON cannot write"),
        (form(type="integer", minimum=10**400), "must not be larger"),
        (form(minLength=2**70), "must not be larger"),
        (form(minLength=5, maxLength=2), "`minLength` is larger than `maxLength`"),
        ({**form(), "required": ["a", "a"]}, "each field once"),
        ({**form("1"), "required": [1]}, "`required` must list"),
        (form(enum=["a"], enumNames={}), "`enumNames` must list"),
        (form(enum=["a", "b"], enumNames=["A"]), "`enumNames` must list"),
        (form(enum=["a", "a"]), "a choice twice"),
        (form(oneOf=[{"const": "a"}, {"const": "a"}]), "a choice twice"),
        (form(enum=["a"], oneOf=[{"const": "a"}]), "exclude each other"),
        (form("__proto__"), "cannot be the name"),
        (form("constructor"), "cannot be the name"),
        (form(""), "cannot be the name"),
        (form("a\nb"), "cannot be the name"),
        (form("a" * 101), "cannot be the name"),
        (form(title="\x1b[2J"), "control characters"),
        (form(enum=["yes \u202eon"]), "control characters"),
        (form("\ud800"), "control characters"),
    ],
)
def test_form_that_would_trouble_a_client_is_no_question(schema: Any, flaw: str) -> None:
    with pytest.raises(ValueError, match="a form cannot be made") as error:
        Question.form("Hm?", schema)

    assert flaw in str(error.value)


def test_message_steers_no_terminal_and_turns_no_text_around() -> None:
    output = Question.form("Dear\n\x1b[2Jgold \u202eeert\ud800", SCHEMA).wire["params"]["message"]

    assert output == "Dear\n\ufffd[2Jgold \ufffdeert\ufffd"


def test_form_of_every_kind_of_field_is_a_question() -> None:
    choices = [{"const": "s", "title": "Small"}, {"const": "m", "title": "Medium"}]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 9, "default": "Ada"},
            "mail": {"type": "string", "format": "email", "title": "Mail"},
            "age": {"type": "integer", "minimum": 0, "maximum": 150, "default": 30},
            "score": {"type": "number", "default": 0.5},
            "sure": {"type": "boolean", "default": True},
            "plain": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "named": {"type": "string", "enum": ["a"], "enumNames": ["A"]},
            "titled": {"type": "string", "oneOf": choices, "default": "s"},
            "many": {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1},
            "several": {"type": "array", "items": {"anyOf": choices}, "default": ["s"]},
        },
        "required": ["name"],
    }

    assert Question.form("Hm?", schema).wire["params"]["requestedSchema"] == schema


@pytest.mark.parametrize(
    "url", ["http://evil.example", "javascript:alert(1)", "https://", "file:///x"]
)
def test_user_is_sent_to_no_odd_page(url: str) -> None:
    with pytest.raises(ValueError, match="https"):
        Question.visit("Go", url, "1")


@pytest.mark.parametrize("message", ["", " ", "x" * 8001])
def test_question_has_a_message_of_some_length(message: str) -> None:
    with pytest.raises(ValueError, match="message"):
        Question.form(message, SCHEMA)
