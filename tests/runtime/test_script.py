"""The script tool runs scripts that call the other tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from tests.runtime.conftest import Client, WireRequest, WireUpstream, upstream_running
from tests.runtime.scripting import script_value, scripting, scripts

from mcpgen_runtime.scripts.sandbox import DenoMissing

pytestmark = pytest.mark.anyio


def json_answer(value: object, status: str = "200 OK") -> bytes:
    """Returns the bytes of a JSON response."""
    body = json.dumps(value).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Event loop shared by the tests of this module."""
    return "asyncio"


@pytest.fixture(scope="module")
async def api() -> AsyncIterator[WireUpstream]:
    """API with numbered orders."""

    def answer(request: WireRequest) -> bytes:
        *_, last = request.target.split("/")
        if last == "404":
            return json_answer({"error": "no such order"}, "404 Not Found")
        if last.startswith("orders"):
            return json_answer([{"id": 1, "name": "Acme Corp"}, {"id": 2, "name": "Zed"}])
        return json_answer({"id": int(last)})

    async with upstream_running() as running:
        running.answer = answer
        yield running


@pytest.fixture(scope="module")
async def client(api: WireUpstream) -> AsyncIterator[Client]:
    """Client of a server that runs scripts with the default limits."""
    async with scripting(api.url) as client:
        yield client


async def test_the_tool_stands_behind_those_of_the_api(client: Client) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}

    tools = (await client.post(message)).json()["result"]["tools"]

    assert [tool["name"] for tool in tools] == ["list_orders", "get_order", "delete_order", "do"]


async def test_a_script_of_one_call_gives_the_answer_as_compact_json(client: Client) -> None:
    result = await client.call("do", script="db.Orders.list()")

    text = '[{"id":1,"name":"Acme Corp"},{"id":2,"name":"Zed"}]'
    assert result["content"] == [{"type": "text", "text": text}]
    assert not result["isError"]


async def test_arguments_go_where_those_of_the_tool_go(client: Client, api: WireUpstream) -> None:
    await script_value(client, "await db.orders.list({ limit: 7 })")

    assert api.requests[-1].line == "GET /orders?limit=7 HTTP/1.1"


async def test_one_script_does_what_many_calls_would(client: Client) -> None:
    script = """
interface Order { id: number; name?: string }
const orders: Order[] = await db.orders.list();
const whole = await Promise.all(orders.map(async (o: Order) => await db.orders.get({ id: o.id })));
whole.map((order: Order) => order.id * 10)
"""

    assert await script_value(client, script) == [10, 20]


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("1 + 1", 2),
        ("const a = 3\na * 2 // doubled\n", 6),
        ("const a = 3;\nreturn a", 3),
        ("if (true) { return 7 }", 7),
        ("const x = 1\n+ 2", None),
        ("let sum = 0\nfor (const x of [1, 2]) sum += x\nsum", 3),
        ("({ a: 1, b: [2] })", {"a": 1, "b": [2]}),
        ("const a = 1;\n{ a }", {"a": 1}),
        ("[1, 2, 3]\n  .filter((x) => /[2;]/.test(String(x)))", [2]),
        ("`a${`b${1}`};`", "ab1;"),
        ("f()\nfunction f() { return 9 }", None),
        ("const r = /[/;]`/\nr.source", "[/;]`"),
        ("undefined", None),
        ("", None),
        ("// nothing", None),
        ("(1, 2);;", 2),
        ("true ?\n 1\n : 2", 1),
        ("const do$ = (x: number) => x\ndo$(3)", 3),
        ("let a = 1\na" + " + 1" * 200, 201),
        ("'é' + '\\ud800'", "é\ufffd"),
    ],
)
async def test_the_value_of_a_script_is_that_of_its_last_expression(
    client: Client, script: str, value: object
) -> None:
    assert await script_value(client, script) == value


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (
            "const a: any = null\n\n  a.name.first",
            "Error: Cannot read properties of null (reading 'name')\n  at line 3:5",
        ),
        (
            "const rows: any[] = [{}]\nconst f = () => rows.map(\n  (row: any) => row.a.b)\nf()",
            "Error: Cannot read properties of undefined (reading 'b')\n  at line 3:23",
        ),
        (
            "const a = 1;\n\n const b: = 3",
            "Error: Unexpected token `=`. Expected an identifier, void, yield, null, await, break, "
            "a string literal, a numeric literal, true, false, `, -, import, this, typeof, {, [, ("
            "\n  at line 3:11",
        ),
        (
            "let a = 1;\n let a = 2",
            "Error: Identifier 'a' has already been declared\n  at line 2:6",
        ),
        (
            "const a = 1\nenum Kind { A }",
            "Error: TypeScript enum is not supported in strip-only mode\n  at line 2:1",
        ),
        ("await db.orders.get({ id: 404 })", "no such order"),
        ("\ndb.orders.get(1)", "Error: a method takes one object of named arguments"),
        ("db.orders.get([1] as any)", "Error: a method takes one object of named arguments"),
        ("db.orders.get(new Date() as any)", "Error: a method takes one object of named arguments"),
        ("await db.orders.get({})", "`get_order` was not called, and nothing was sent"),
        ("db.odrers.list()", "Error: there is no `db.odrers`; there are: orders\n  at line 1:4"),
        ("db.orders.lst()", "there is no `db.orders.lst`; there are: list, get, delete"),
        ("throw 'a text'", "Error: a text"),
        ("null.x", "at line 1:6"),
        ("x.y", "Error: x is not defined\n  at line 1:1"),
        ("10n", "Error: Do not know how to serialize a BigInt"),
        ("import fs from 'node:fs'", "cannot be used outside of module code\n  at line 1:1"),
    ],
)
async def test_an_error_tells_its_message_and_its_place_in_the_script(
    client: Client, script: str, text: str
) -> None:
    assert text in await client.error("do", script=script)


async def test_a_failure_of_a_call_is_placed_where_the_call_stands(client: Client) -> None:
    message = await client.error("do", script="const id = 404;\n  await db.orders.get({ id })")

    assert message.endswith("\n  at line 2:19")


async def test_a_script_catches_what_a_call_throws(client: Client) -> None:
    script = (
        "try { await db.orders.get({ id: 404 }) } catch (error) { return (error as Error).message }"
    )

    assert "no such order" in await script_value(client, script)


UNAWAITED = {
    "one call": ("db.orders.delete({ id: 1 })", 1),
    "one call after another": (
        "db.orders.delete({ id: 1 }).then(() => db.orders.delete({ id: 2 }))",
        2,
    ),
    "calls of a function": (
        "(async () => { await null; for (const id of [1, 2, 3]) await db.orders.delete({ id }) })()",
        3,
    ),
}
"""Scripts that start calls without awaiting the results, and the number of calls, by kind."""


@pytest.mark.parametrize(("script", "count"), UNAWAITED.values(), ids=UNAWAITED.keys())
async def test_calls_that_a_script_does_not_wait_for_are_made_before_its_end(
    client: Client, api: WireUpstream, script: str, count: int
) -> None:
    api.requests.clear()

    assert await script_value(client, f"{script}\n'done'") == "done"

    assert len(api.requests) == count


async def test_a_call_that_a_script_does_not_wait_for_fails_it(client: Client) -> None:
    message = await client.error("do", script="db.orders.get({ id: 404 })\n'done'")

    assert "no such order" in message


async def test_what_a_script_logs_stands_behind_its_value(client: Client) -> None:
    result = await client.call("do", script="console.log('found', { a: 1 }); 5")

    assert [block["text"] for block in result["content"]] == ["5", 'Logged:\nfound {"a":1}\n']


async def test_what_a_script_has_logged_stands_behind_its_error(client: Client) -> None:
    result = await client.call("do", script="console.log('here'); throw new Error('no')")

    assert result["isError"]
    assert [block["text"] for block in result["content"]][1] == "Logged:\nhere\n"


async def test_no_deno_is_told_when_the_server_is_made() -> None:
    with pytest.raises(DenoMissing, match="SCRIPT_DENO: there is no program `/nowhere/deno`"):
        scripts(script_deno="/nowhere/deno")


async def test_scripts_run_beside_one_another_and_share_nothing(client: Client) -> None:
    first = "globalThis.left = 'behind'; await new Promise((done) => setTimeout(done, 50)); 1"
    second = "typeof (globalThis as any).left"

    assert await script_value(client, first) == 1
    values = await asyncio.gather(*(script_value(client, second) for _ in range(3)))

    assert values == ["undefined"] * 3
