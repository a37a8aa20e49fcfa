"""Confirmation of calls by the user."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_settings import SettingsConfigDict
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.test_discovery import discovery
from tests.runtime.test_elicitation import ORDER, SCHEMA, message, post_message, start_elicitation

from mcpgen_runtime.caller import Caller, scope_with_caller
from mcpgen_runtime.elicitation.confirm import Confirmation, ConfirmSettings
from mcpgen_runtime.hooks import Call, Hooks, Result
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.server.asgi import Asgi, Receive, Scope, Send
from mcpgen_runtime.server.feature import Feature, ServerContext
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Argument, Hints, Tool

pytestmark = pytest.mark.anyio

YES = {"action": "accept", "content": {"confirm": True}}


class CanaryConfirmSettings(ConfirmSettings):
    model_config = SettingsConfigDict(env_prefix="CANARY_")


def confirming(*, open: bool = False, **settings: Any) -> tuple[Confirmation]:
    """Returns the rule that asks for confirmation before orders."""
    return (Confirmation(CanaryConfirmSettings(**settings), ("order",), open=open),)


async def test_call_is_made_once_the_user_says_yes(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(ORDER, upstream=upstream.url, rules=confirming()) as client:
        key, state = await start_elicitation(client)
        count_before = len(upstream.requests)
        retry = message(inputResponses={key: YES}, requestState=state)
        result = (await post_message(client, retry))["result"]

    assert (count_before, len(upstream.requests)) == (0, 1)
    assert not result["isError"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"action": "decline"}, "The user declined"),
        ({"action": "cancel"}, "The user cancelled"),
        ({"action": "accept", "content": {"confirm": False}}, "The user declined"),
        ({"action": "accept"}, "confirm: required"),
        ({"action": "accept", "content": {"confirm": "yes"}}, "confirm: must be boolean"),
    ],
)
async def test_nothing_is_sent_without_a_yes(
    upstream: WireUpstream, serving: Serving, answer: dict[str, Any], reason: str
) -> None:
    async with serving(ORDER, upstream=upstream.url, rules=confirming(open=True)) as client:
        key, state = await start_elicitation(client)
        retry = message(inputResponses={key: answer}, requestState=state)
        result = (await post_message(client, retry))["result"]

    assert result["isError"]
    assert reason in result["content"][0]["text"]
    assert upstream.requests == []


async def test_user_is_shown_what_is_called_without_secrets_and_tricks(
    upstream: WireUpstream, serving: Serving
) -> None:
    names = ("item", "api_token", "note")
    arguments = tuple(Argument(name, "query", {"type": "string"}) for name in names)
    tool = Tool("order", "Order tea", "", ORDER.route, ORDER.hints, arguments)
    values = {
        "item": "tea\n- price: 0\u202e",
        "api_token": "hush-hush",
        "note": f"canary-key {'x' * 500}",
    }
    async with serving(tool, upstream=upstream.url, rules=confirming(), key="canary-key") as client:
        result = (await post_message(client, message(arguments=values)))["result"]
    output = result["inputRequests"]["confirm"]["params"]["message"]

    assert output.startswith("May `order` (Order tea) be called?")
    assert '- `item`: `"tea\\n- price: 0\\u202e"`' in output
    assert '- `api_token`: `"[secret]"`' in output
    assert "hush-hush" not in output
    assert len(output.splitlines()) == 4
    assert len(output) < 500


class _Known(Middleware):
    """Identifies every caller as `jo`, with a key."""

    def gate(self, app: Asgi) -> Asgi:
        async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
            await app(
                scope_with_caller(scope, Caller("jo", credential="canary-key")), receive, send
            )

        return app_with_caller


async def shown_of(
    upstream: WireUpstream, serving: Serving, values: dict[str, Any], title: str = ""
) -> str:
    """Returns the question shown to the user for a call with these arguments."""
    arguments = tuple(Argument(name, "query", {"type": "string"}) for name in values)
    tool = Tool("order", title, "", ORDER.route, ORDER.hints, arguments)
    async with serving(tool, upstream=upstream.url, rules=(_Known(), *confirming())) as client:
        result = (await post_message(client, message(arguments=values)))["result"]
    output: str = result["inputRequests"]["confirm"]["params"]["message"]
    return output


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("![](https://evil.example/x)", '`"![](https://evil.example/x)"`'),
        ("` [yes](https://evil.example) `", '`"\\u0060 [yes](https://evil.example) \\u0060"`'),
        ("\u3164\u2800", '`"\\u3164\\u2800"`'),
        ("x" * 195 + "canary-key", f'`"{"x" * 195}[sec… (205 characters)`'),
        ('{"password": "hush", "n": 1}', '`{"password":"[secret]","n":"1"}`'),
        ('[{"password": NaN}]', '`[{"password":"[secret]"}]`'),
        ("{so it is}", '`"{so it is}"`'),
        ("[" * 100_000, f'`"{"[" * 199}… (100002 characters)`'),
    ],
)
async def test_argument_is_shown_as_text_and_nothing_else(
    upstream: WireUpstream, serving: Serving, value: str, text: str
) -> None:
    output = await shown_of(upstream, serving, {"item": value})

    assert output.splitlines()[1:] == [f"- `item`: {text}"]


async def test_title_is_shown_on_the_line_of_the_question(
    upstream: WireUpstream, serving: Serving
) -> None:
    output = await shown_of(upstream, serving, {"item": "tea"}, "Look\n- `price`: `0`\x1b[2J")

    assert len(output.splitlines()) == 2
    assert output.startswith("May `order` (Look\\u000a- \\u0060price")


async def test_user_is_asked_however_much_there_is_to_show(
    upstream: WireUpstream, serving: Serving
) -> None:
    """A longer message would exceed the limit of questions, and the call would fail."""
    values = {f"argument_{number:02}_{'x' * 100}": "canary-key" * 200 for number in range(40)}

    output = await shown_of(upstream, serving, values)

    assert len(output) < 8000
    assert output.splitlines()[-1].endswith("more arguments")


async def test_wrong_arguments_are_refused_before_anybody_is_asked(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(ORDER, upstream=upstream.url, rules=confirming()) as client:
        result = (await post_message(client, message(arguments={"itm": "tea"})))["result"]

    assert result["isError"]
    assert "did you mean `item`" in result["content"][0]["text"]


@pytest.mark.parametrize(("open", "call_count"), [(False, 0), (True, 1)])
async def test_client_that_cannot_ask_is_refused_unless_it_is_let_through(
    upstream: WireUpstream, serving: Serving, open: bool, call_count: int
) -> None:
    async with serving(ORDER, upstream=upstream.url, rules=confirming(open=open)) as client:
        modern_response = await post_message(client, message(capabilities={}))
        legacy_result = await client.call("order", item="tea")

    assert ("error" in modern_response) is not open
    assert legacy_result["isError"] is not open
    assert len(upstream.requests) == call_count * 2


async def test_call_through_discovery_is_confirmed_too(
    upstream: WireUpstream, serving: Serving
) -> None:
    surface = discovery(ORDER)
    async with serving(ORDER, upstream=upstream.url, rules=confirming(), surface=surface) as client:
        content = message(arguments={"name": "order", "arguments": '{"item": "tea"}'})
        content["params"]["name"] = "call_write_tool"
        result = (await post_message(client, content, Mcp_Name="call_write_tool"))["result"]

    assert result["resultType"] == "input_required"
    assert "`order`" in result["inputRequests"]["confirm"]["params"]["message"]
    assert upstream.requests == []


class _Within(Feature):
    """Adds a tool whose handler calls `order`."""

    tools = (
        Tool("within", "", "", None, Hints(read_only=True, destructive=False, idempotent=True)),
    )

    async def answer(self, call: Call, server: ServerContext) -> Result:
        return await server.call(call.caller, "order", {"item": "tea"})


@pytest.mark.parametrize("open", [False, True])
async def test_call_inside_another_is_refused(
    upstream: WireUpstream, serving: Serving, open: bool
) -> None:
    """Resuming the inner call would repeat the requests of the outer call."""
    async with serving(
        ORDER, upstream=upstream.url, rules=confirming(open=open), offers=(_Within(),)
    ) as client:
        content = message(arguments={})
        content["params"] |= {"name": "within", "arguments": {}}
        result = (await post_message(client, content, Mcp_Name="within"))["result"]

    assert result["isError"]
    assert "make it by itself" in result["content"][0]["text"]
    assert upstream.requests == []


async def test_hook_is_reached_only_with_a_yes(upstream: WireUpstream, serving: Serving) -> None:
    calls: list[str] = []

    async def order(call: Call) -> Result:
        calls.append("hook")
        return await call.upstream()

    async with serving(
        ORDER, upstream=upstream.url, rules=confirming(), hooks=Hooks({"order": order})
    ) as client:
        key, state = await start_elicitation(client)
        early_calls = list(calls)
        await post_message(client, message(inputResponses={key: YES}, requestState=state))

    assert (early_calls, calls) == ([], ["hook"])


async def test_handler_may_name_its_question_as_the_server_does(
    upstream: WireUpstream, serving: Serving
) -> None:
    """With a shared key, the user would be asked for the same confirmation without end."""

    async def order(call: Call) -> Result:
        await call.elicit("Sure?", SCHEMA, key="confirm")
        await call.elicit("Really?", SCHEMA)
        return await call.upstream()

    lines: list[str] = []
    answer_members: dict[str, Any] = {}
    async with serving(
        ORDER, upstream=upstream.url, rules=confirming(), hooks=Hooks({"order": order})
    ) as client:
        for _ in range(4):
            result = (await post_message(client, message(**answer_members)))["result"]
            for key, question in result.get("inputRequests", {}).items():
                lines.append(question["params"]["message"].partition("\n")[0])
                content = dict.fromkeys(question["params"]["requestedSchema"]["required"], True)
                answers = {key: {"action": "accept", "content": content}}
                answer_members = {"inputResponses": answers, "requestState": result["requestState"]}

    assert lines[1:] == ["Sure?", "Really?"]
    assert not result["isError"]


class _Rates(RateSettings):
    model_config = SettingsConfigDict(env_prefix="CANARY_")


def limited(rate: str) -> tuple[Middleware, ...]:
    """Returns the confirmation rule behind a rate limit for orders."""
    return (RateLimits(_Rates(), Rates(tools={"order": rate}), code=-32002), *confirming())


async def test_confirmed_call_is_counted_once(upstream: WireUpstream, serving: Serving) -> None:
    async with serving(ORDER, upstream=upstream.url, rules=limited("1/hour")) as client:
        key, state = await start_elicitation(client)
        retry = message(inputResponses={key: YES}, requestState=state)
        result = await post_message(client, retry)
        other_response = await post_message(client, message())

    assert not result["result"]["isError"]
    assert other_response["error"]["code"] == -32002
    assert len(upstream.requests) == 1


async def test_declined_call_is_counted(upstream: WireUpstream, serving: Serving) -> None:
    """Without the count, a model could ask the user without limit."""
    async with serving(ORDER, upstream=upstream.url, rules=limited("1/hour")) as client:
        key, state = await start_elicitation(client)
        retry = message(inputResponses={key: {"action": "decline"}}, requestState=state)
        await post_message(client, retry)
        other_response = await post_message(client, message())

    assert other_response["error"]["code"] == -32002


async def test_call_that_comes_back_without_an_answer_is_counted_again(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(ORDER, upstream=upstream.url, rules=limited("2/hour")) as client:
        _, state = await start_elicitation(client)
        second = await post_message(client, message(requestState=state))
        answer_members = {"inputResponses": {}, "requestState": second["result"]["requestState"]}
        third = await post_message(client, message(**answer_members))

    assert third["result"]["isError"]
    assert "Rate limit exceeded" in third["result"]["content"][0]["text"]


async def test_environment_can_switch_confirmation_off(
    upstream: WireUpstream, serving: Serving
) -> None:
    rules = confirming(confirm_calls=False)
    async with serving(ORDER, upstream=upstream.url, rules=rules) as client:
        result = await client.call("order", item="tea")

    assert not result["isError"]


async def test_other_tools_are_called_at_once(upstream: WireUpstream, serving: Serving) -> None:
    look = Tool("look", "", "", ORDER.route, ORDER.hints)
    async with serving(ORDER, look, upstream=upstream.url, rules=confirming()) as client:
        result = await client.call("look")

    assert not result["isError"]
