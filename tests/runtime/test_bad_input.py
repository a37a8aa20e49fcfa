"""Invalid arguments: all problems are reported at once, and nothing is sent."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=False, destructive=False, idempotent=False)
LINES = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["sku"],
        "properties": {"sku": {"type": "string"}, "price": {"type": "number", "minimum": 0}},
    },
}
TOOL = Tool(
    "order",
    "Order",
    "",
    Route("POST", "/orders", body=Body("application/json", True)),
    HINTS,
    (
        Argument("quantity", "body", {"type": "integer", "minimum": 1}, True),
        Argument("color", "body", {"type": "string", "enum": ["red", "blue"]}),
        Argument("note", "body", {"type": "string", "maxLength": 3}),
        Argument("lines", "body", {"type": "string"}, text="json", check=LINES),
        Argument("photo", "body", {"type": "string"}, text="base64"),
    ),
)
TRAILING_COMMA = (
    "Illegal trailing comma before end of object at line 1, column 13"
    if sys.version_info >= (3, 13)
    else "Expecting property name enclosed in double quotes at line 1, column 14"
)
"""The reason that the `json` module of this Python gives."""

HEAD = "`order` was not called, and nothing was sent:"


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({"quantity": "two"}, ['quantity: must be integer, got "two"']),
        ({"quantity": True}, ["quantity: must be integer, got true"]),
        ({"quantity": None}, ["quantity: must be integer, got null"]),
        ({}, ["quantity: required, but missing"]),
        ({"quantity": 0}, ["quantity: must be >= 1, got 0"]),
        ({"quantity": 1, "note": "long"}, ["note: must have at most 3 characters, has 4"]),
        ({"quantity": 1, "color": "green"}, ['color: must be one of "red", "blue", got "green"']),
        ({"quantity": 1, "colour": "red"}, ["colour: unknown argument; did you mean `color`?"]),
        ({"quantity": 1, "zzz": "red"}, ["zzz: unknown argument"]),
        ({"quantity": 1, "photo": "?"}, ["photo: is not base64"]),
        (
            {"quantity": 1, "lines": '[{"sku": "a",}]'},
            [f"lines: is not JSON: {TRAILING_COMMA}"],
        ),
        (
            {"quantity": 1, "lines": '[{"\\ud800": 1}]'},
            ["a text holds half of a surrogate pair"],
        ),
        ({"quantity": 1, "lines": "[NaN]"}, ["lines: is not JSON: NaN is no number there"]),
        (
            {"quantity": 1, "lines": '[{"sku": "a"}, {"price": -1}]'},
            ["lines[1].sku: required, but missing", "lines[1].price: must be >= 0, got -1"],
        ),
        ({"quantity": 1, "lines": "{}"}, ["lines: must be array, got {}"]),
    ],
)
async def test_what_is_wrong_is_told_in_words_and_nothing_is_sent(
    upstream: WireUpstream, serving: Serving, arguments: Any, lines: list[str]
) -> None:
    async with serving(TOOL, upstream=upstream.url) as client:
        messages = (await client.error("order", **arguments)).split("\n")

    assert messages[0] == HEAD
    assert sorted(messages[1:]) == sorted(f"- {line}" for line in lines)
    assert not upstream.requests


async def test_all_that_is_wrong_is_told_at_once(upstream: WireUpstream, serving: Serving) -> None:
    wrong = {
        "quantity": 0,
        "colour": "red",
        "note": 7,
        "lines": '[{"price": -1}]',
        "photo": "not base64!",
    }

    async with serving(TOOL, upstream=upstream.url) as client:
        message = await client.error("order", **wrong)

    assert sorted(message.split("\n")[1:]) == [
        "- colour: unknown argument; did you mean `color`?",
        "- lines[0].price: must be >= 0, got -1",
        "- lines[0].sku: required, but missing",
        "- note: must be string, got 7",
        "- photo: is not base64",
        "- quantity: must be >= 1, got 0",
    ]
    assert not upstream.requests


async def test_what_is_wrong_in_each_place_is_told_at_once(
    upstream: WireUpstream, serving: Serving
) -> None:
    body = Body("application/json", True, check={"type": "object", "minProperties": 2})
    tool = Tool(
        "send",
        "Send",
        "",
        Route("POST", "/to/{box}", body=body),
        HINTS,
        (
            Argument("box", "path", {"type": "string"}, True, style="simple"),
            Argument("page", "query", {"type": "integer"}, style="form"),
            Argument("trace", "header", {"type": "string"}, style="simple"),
            Argument("visit", "cookie", {"type": "string"}, style="cookie"),
            Argument("text", "body", {"type": "string"}),
        ),
    )
    wrong = {"box": "..", "page": "one", "trace": "a\r\nb", "visit": "a;b", "text": "x"}

    async with serving(tool, upstream=upstream.url) as client:
        message = await client.error("send", **wrong)

    assert sorted(line.split(":")[0] for line in message.split("\n")[1:]) == [
        "- body",
        "- box",
        "- page",
        "- trace",
        "- visit",
    ]
    assert not upstream.requests


async def test_a_fault_is_not_told_again_for_what_it_leaves_missing(
    upstream: WireUpstream, serving: Serving
) -> None:
    body = Body("application/json", True, check={"type": "object", "required": ["a", "b"]})
    fields = (Argument("a", "body", {"type": "integer"}), Argument("b", "body", {"type": "string"}))
    tool = Tool("send", "Send", "", Route("POST", "/", body=body), HINTS, fields)

    async with serving(tool, upstream=upstream.url) as client:
        message = await client.error("send", a="x", b="y")

    assert message.split("\n")[1:] == ['- a: must be integer, got "x"']


async def test_half_of_a_surrogate_pair_beside_a_wrong_argument_is_told_by_a_tool_with_a_handler(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def send_on(call: Call) -> Result:
        return await call.upstream()

    fields = (
        Argument("page", "query", {"type": "integer"}),
        Argument("lines", "body", {"type": "string"}, text="json"),
    )
    route = Route("POST", "/", body=Body("application/json"))
    tool = Tool("send", "Send", "", route, HINTS, fields)

    async with serving(tool, upstream=upstream.url, hooks=Hooks({"send": send_on})) as client:
        message = await client.error("send", page="one", lines=r'["\ud800"]')

    assert message.split("\n")[1:] == [
        '- page: must be integer, got "one"',
        "- a text holds half of a surrogate pair",
    ]
