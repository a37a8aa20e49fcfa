"""Null stands for an omitted optional argument, unless the schema announces null as a value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.test_discovery import discovery

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.scripts.documentation import Docs, DocsSettings
from mcpgen_runtime.search.connector import Connector, SearchShape
from mcpgen_runtime.server.invocation import Finish, Invocation
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.pagination import ResultPager
from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.tool_parts import Page

pytestmark = pytest.mark.anyio

READS = Hints(read_only=True, destructive=False, idempotent=True)
TEXT = {"type": "string"}
LIST = Tool(
    "list_pets",
    "",
    "",
    Route("GET", "/pets"),
    READS,
    (
        Argument("kind", "query", TEXT, required=True, style="form"),
        Argument("tag", "query", {"enum": ["a", "b"]}, style="form"),
        Argument("limit", "query", {"type": "integer"}, style="form"),
    ),
    page=Page(500, 0, "cursor"),
)


def saving(schema: dict[str, Any], **more: Any) -> Tool:
    """Returns a tool whose body has one optional property."""
    route = Route("POST", "/pets", body=Body("application/json", required=True))
    return Tool("save_pet", "", "", route, READS, (Argument("name", "body", schema),), **more)


@pytest.mark.parametrize("fast_path", [True, False])
async def test_null_for_an_optional_argument_is_not_sent(
    upstream: WireUpstream, serving: Serving, fast_path: bool
) -> None:
    async with serving(
        LIST, upstream=upstream.url, rules=[ResultPager()], fast_path=fast_path
    ) as client:
        result = await client.call("list_pets", kind="cat", tag=None, limit=None, cursor=None)

    assert not result["isError"], result
    assert [request.target for request in upstream.requests] == ["/pets?kind=cat"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"kind": None}, "kind: must be string, got null"),
        ({"kind": "cat", "colour": None}, "colour: unknown argument"),
    ],
)
async def test_null_is_refused_for_what_is_required_or_unknown(
    upstream: WireUpstream, serving: Serving, arguments: Any, line: str
) -> None:
    async with serving(LIST, upstream=upstream.url) as client:
        message = await client.error("list_pets", **arguments)

    assert message == f"`list_pets` was not called, and nothing was sent:\n- {line}"
    assert upstream.requests == []


@pytest.mark.parametrize(
    ("schema", "shared", "body"),
    [
        ({"type": ["string", "null"]}, {}, {"name": None}),
        ({"anyOf": [TEXT, {"type": "null"}]}, {}, {"name": None}),
        ({"enum": ["a", None]}, {}, {"name": None}),
        ({"description": "Anything."}, {}, {"name": None}),
        ({"$ref": "#/$defs/N"}, {"N": {"type": ["object", "null"]}}, {"name": None}),
        ({"$ref": "#/$defs/N"}, {"N": {"type": "object"}}, {}),
        ({"type": "string", "default": "Rex"}, {}, {}),
    ],
)
async def test_null_keeps_its_meaning_where_the_announced_schema_takes_it(
    upstream: WireUpstream, serving: Serving, schema: Any, shared: Any, body: Any
) -> None:
    async with serving(saving(schema, shared=shared), upstream=upstream.url) as client:
        await client.call("save_pet", name=None)

    assert json.loads(upstream.requests[0].body) == body


async def test_an_argument_that_is_null_gets_the_value_of_one_that_is_left_out(
    upstream: WireUpstream, serving: Serving
) -> None:
    tool = saving(TEXT, filled={"name": "Rex"})

    async with serving(tool, upstream=upstream.url) as client:
        await client.call("save_pet", name=None)

    assert json.loads(upstream.requests[0].body) == {"name": "Rex"}


async def test_rules_and_handlers_see_no_argument_that_is_left_out_with_null(
    upstream: WireUpstream, serving: Serving
) -> None:
    recorded_arguments: list[Any] = []

    class ArgumentRecordingRule(Middleware):
        async def call(self, invocation: Invocation, finish: Finish) -> Result:
            recorded_arguments.append(dict(invocation.arguments))
            return await finish()

    async def handle(call: Call) -> Result:
        recorded_arguments.append(dict(call.arguments))
        return await call.upstream()

    hooks = Hooks({"list_pets": handle})
    async with serving(
        LIST, upstream=upstream.url, rules=[ArgumentRecordingRule()], hooks=hooks
    ) as client:
        await client.call("list_pets", kind="cat", limit=None)

    assert recorded_arguments == [{"kind": "cat"}] * 2


async def test_null_in_the_first_call_does_not_hold_a_connector_to_its_announced_output(
    upstream: WireUpstream, serving: Serving
) -> None:
    arguments = (
        Argument("query", "query", TEXT, required=True, style="form"),
        Argument("tag", "query", TEXT, style="form"),
    )
    output = {"type": "object", "required": ["never"]}
    tool = Tool("search", "", "", Route("GET", "/s"), READS, arguments, output=output)
    body = b'[{"key":"a"}]'
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    upstream.answer = lambda _: head % len(body) + body

    rules = [Connector(SearchShape("key", "key"))]
    async with serving(tool, upstream=upstream.url, rules=rules) as client:
        result = await client.call("search", query="x", tag=None)

    assert not result["isError"], result


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_tools", {"query": "pets", "tag": None}),
        ("call_read_tool", {"name": "list_all", "arguments": None}),
        ("call_read_tool", {"name": "list_pets", "arguments": {"kind": "cat", "tag": None}}),
        ("call_read_tool", {"name": "list_pets", "arguments": '{"kind": "cat", "tag": null}'}),
    ],
)
async def test_tools_of_discovery_take_null_for_what_is_left_out(
    upstream: WireUpstream, serving: Serving, name: str, arguments: Any
) -> None:
    tools = (LIST, Tool("list_all", "", "", Route("GET", "/all"), READS))

    async with serving(*tools, upstream=upstream.url, surface=discovery(*tools)) as client:
        result = await client.call(name, **arguments)

    assert not result["isError"], result


async def test_the_tool_for_documentation_takes_null_for_its_index(
    upstream: WireUpstream, serving: Serving
) -> None:
    arguments = (Argument("about", "handler", TEXT),)
    tool = Tool("docs", "", "", None, READS, arguments)
    offer = Docs(tool, {"pets": ("list_pets",)}, DocsSettings())

    async with serving(LIST, upstream=upstream.url, offers=[offer]) as client:
        null = await client.call("docs", about=None)
        index = await client.call("docs")

    assert null == index
    assert not null["isError"]
