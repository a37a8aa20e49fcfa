"""What a script cannot do, whatever it tries: each attempt ends in bounded words, and the server goes on."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic

import pytest
from tests.runtime.conftest import Client, WireUpstream, upstream_running
from tests.runtime.scripting import ran, scripting

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The event loop that all tests of this module share."""
    return "asyncio"


@pytest.fixture(scope="module")
async def api() -> AsyncIterator[WireUpstream]:
    """An API that has little to say."""
    async with upstream_running() as running:
        yield running


@pytest.fixture(scope="module")
async def client(api: WireUpstream) -> AsyncIterator[Client]:
    """A client of a server that bounds scripts narrowly."""
    async with scripting(
        api.url,
        script_seconds=3,
        script_cpu_seconds=1,
        script_megabytes=32,
        script_calls=5,
        script_result_bytes=1000,
    ) as client:
        yield client


FILE = Path(__file__).resolve().as_posix()

FORBIDDEN = {
    "a file by Deno": "Deno.readTextFileSync('/etc/passwd')",
    "a command by Deno": "new Deno.Command('id').outputSync()",
    "an environment by Deno": "Deno.env.toObject()",
    "the insides of Deno": "(globalThis as any)[Symbol.for('Deno.internal')].core.ops",
    "a file by Node": "(await import('node:fs')).readFileSync('/etc/passwd', 'utf8')",
    "a folder by Node": "(await import('node:fs')).readdirSync('/')",
    "the environment by Node": "(await import('node:process')).env.PATH.length",
    "a command by Node": "(await import('node:child_process')).execSync('id').length",
    "a worker by Node": "new (await import('node:worker_threads')).Worker('1', { eval: true })",
    "a socket by Node": "(await import('node:net')).connect(80, '127.0.0.1').constructor.name.x.y",
    "the host by Node": "(await import('node:os')).hostname()",
    "an import of a URL": "await import('https://example.com/x.js')",
    "an import of a package": "await import('npm:left-pad')",
    "an import of a registry": "await import('jsr:@std/path')",
    "an import of a file": f"await import('file://{FILE}')",
    "an import that is evaluated": "await eval(`import('https://example.com/x.js')`)",
    "a file in a module of its own": (
        "await import('data:text/javascript,' + encodeURIComponent("
        "'import x from \"file:///etc/hostname.js\"; export default x'))"
    ),
    "a request": "await fetch('http://127.0.0.1:1')",
    "a request of another kind": "new WebSocket('ws://127.0.0.1:1')",
    "a worker": "new Worker('data:text/javascript,1', { type: 'module' })",
    "WebAssembly": "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "a module of Node": "require('fs')",
    "the process": "process.exit(0)",
    "a function of another realm": "(0, eval)('this').constructor.constructor('return Deno')()",
}
"""Scripts that ask for what no script has, by what it is."""


@pytest.mark.parametrize("script", FORBIDDEN.values(), ids=FORBIDDEN.keys())
async def test_what_a_script_may_not_have_is_an_error(client: Client, script: str) -> None:
    told = await client.error("do", script=script)

    assert told.startswith("Error: ")
    assert len(told) < 500


BOMBS = {
    "a loop": "for (;;) {}",
    "a loop behind an await": "await null; for (;;) {}",
    "a promise that nothing resolves": "await new Promise(() => {})",
    "a long wait": "await new Promise((done) => setTimeout(done, 60_000))",
    "a loop of promises": "const next = (): any => Promise.resolve().then(next); await next()",
    "objects": "const all: any[] = []; for (;;) all.push({ a: [1, 2, 3], b: {} })",
    "texts": "let text = 'x'.repeat(1000); const all = []; for (;;) all.push(text += text + 'y')",
    "buffers": "const all = []; for (;;) all.push(new Uint8Array(10_000_000).fill(1))",
    "a great array": "new Array(2 ** 32 - 1).fill(0)",
    "a great value": "'x'.repeat(10_000)",
    "many calls at once": "await Promise.all(Array.from({ length: 99 }, () => db.orders.list()))",
    "calls without end": "for (;;) db.orders.list()",
    "recursion": "const f = (): any => f() + 1; f()",
    "a pattern": "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "a deep value": "let a: any = []; for (let i = 0; i < 1e5; i++) a = [a]; a",
    "a circle": "const a: any = {}; a.a = a; a",
    "a rejection nobody handles": "Promise.reject(new Error('later')); await new Promise(() => {})",
    "an error in a timer": "setTimeout(() => { throw new Error('later') }); await new Promise(() => {})",
    "an error that throws": "throw { get message() { throw 1 }, toString() { throw 2 } }",
    "an error that lies": (
        "const e = new Error('x'); Object.defineProperty(e, 'stack', { get() { throw 1 } }); throw e"
    ),
    "a value that throws": "({ toJSON() { throw new Error('no JSON') } })",
    "a value that never comes": "({ then() {} })",
}
"""Scripts that take what they can, by what that is."""


@pytest.mark.parametrize("script", BOMBS.values(), ids=BOMBS.keys())
async def test_a_script_that_takes_what_it_can_ends_in_time(client: Client, script: str) -> None:
    began = monotonic()

    told = await client.error("do", script=script)

    assert told.startswith("Error: ")
    assert len(told) < 5000
    assert monotonic() - began < 30
    assert await ran(client, "1 + 1") == 2


async def test_a_script_says_how_it_was_ended(client: Client) -> None:
    waited = await client.error("do", script="await db.orders.list(); await new Promise(() => {})")
    asked = await client.error("do", script=BOMBS["calls without end"])
    deep = await client.error("do", script=BOMBS["a deep value"])

    assert asked == "Error: the script asked for call after call; it had begun 5 calls"
    assert deep == "Error: the script gave a value that is nested too deeply"
    assert waited == "Error: the script took longer than 3 seconds; it had begun 1 call"


async def test_a_script_says_what_it_took_too_much_of(api: WireUpstream) -> None:
    async with scripting(api.url, script_cpu_seconds=2, script_megabytes=16) as client:
        looped = await client.error("do", script="for (;;) {}")
        filled = await client.error("do", script=BOMBS["objects"])

    assert looped == "Error: the script took more than 2 seconds of CPU"
    assert filled == "Error: the script took more than 16 MB of memory"


async def test_a_gigabyte_of_logs_is_cut(client: Client) -> None:
    script = "const text = 'x'.repeat(1e6); for (let i = 0; i < 1000; i++) console.log(text); 1"

    result = await client.call("do", script=script)

    assert not result["isError"]
    assert len(result["content"][1]["text"]) < 10_100


TRICKS = {
    "setters of all objects": (
        "for (const name of ['id', 'failed', 'resolve', 'then', '1', 'value'])"
        " Object.defineProperty(Object.prototype, name, { set() { throw 1 }, get() { return 7 },"
        " configurable: true });"
    ),
    "JSON": "JSON.parse = JSON.stringify = () => { throw 1 };",
    "promises": "Promise.prototype.then = () => { throw 1 }; (globalThis as any).Promise = null;",
    "texts": "String.prototype.slice = String.prototype.indexOf = () => { throw 1 };",
    "patterns": "RegExp.prototype.exec = RegExp.prototype.test = () => { throw 1 };",
    "functions": "Function.prototype.call = Function.prototype.bind = () => { throw 1 };",
    "bytes": "TextDecoder.prototype.decode = TextEncoder.prototype.encode = () => { throw 1 };",
    "iteration": "(Array.prototype as any)[Symbol.iterator] = () => { throw 1 };",
    "arrays": "Array.prototype.push = Array.prototype.map = () => { throw 1 };",
}
"""What scripts change of the language before they call, by what that is."""


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS.keys())
async def test_a_changed_language_changes_no_call(
    client: Client, api: WireUpstream, trick: str
) -> None:
    api.requests.clear()

    result = await client.call("do", script=f"{trick}\nawait db.orders.get({{ id: 7 }}); 5")

    assert [request.line for request in api.requests] == ["GET /orders/7 HTTP/1.1"]
    assert len(json.dumps(result)) < 1000
    assert await ran(client, "1 + 1") == 2


async def test_arguments_that_a_changed_language_makes_are_checked_as_any(
    client: Client, api: WireUpstream
) -> None:
    api.requests.clear()
    script = "(Object.prototype as any).toJSON = () => 'evil'; await db.orders.get({ id: 7 })"

    told = await client.error("do", script=script)

    assert told.startswith("Error: ")
    assert not api.requests


async def test_a_call_that_is_no_method_of_the_sdk_is_never_made(
    client: Client, api: WireUpstream
) -> None:
    api.requests.clear()
    forged = (
        "const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];"
        "names.map((name) => { try { return typeof (db as any)[name] } catch { return 'missing' } })"
    )

    assert await ran(client, forged) == ["missing"] * 4
    assert not api.requests


async def test_the_modules_of_the_sdk_cannot_be_changed(client: Client) -> None:
    told = await client.error("do", script="(db as any).orders = {}")

    assert "orders" in told


async def test_nothing_of_a_script_is_left_when_it_is_over(client: Client) -> None:
    mine = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if not mine.exists():
        pytest.skip("the system does not tell the children of a process")

    for script in ("1", "for (;;) {}", "null.x"):
        await client.call("do", script=script)
    await ran(client, "1")

    assert len(mine.read_text().split()) <= 2


async def test_a_process_that_is_killed_from_outside_is_told_and_replaced(client: Client) -> None:
    task = asyncio.create_task(client.call("do", script="await new Promise(() => {})"))
    mine = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    await asyncio.sleep(0.5)
    for child in mine.read_text().split():
        os.kill(int(child), signal.SIGKILL)

    result = await task

    assert result["content"][0]["text"] == "Error: the script ended without a value"
    assert await ran(client, "1 + 1") == 2


async def test_one_script_too_many_is_told_to_come_again(api: WireUpstream) -> None:
    async with scripting(api.url, scripts_at_once=1) as client:
        wait = "await new Promise((done) => setTimeout(done, 300)); 1"
        first, second = await asyncio.gather(*(client.call("do", script=wait) for _ in range(2)))

    texts = sorted(result["content"][0]["text"] for result in (first, second))
    assert texts[0] == "1"
    assert json.loads(texts[1])["code"] == "too_many_calls"


async def test_calls_of_a_script_wait_for_one_another(api: WireUpstream) -> None:
    script = "(await Promise.all(Array.from({ length: 20 }, () => db.orders.list()))).length"

    async with scripting(api.url, script_calls_at_once=2, calls_at_once=3) as client:
        assert await ran(client, script) == 20


async def test_a_script_that_is_too_long_is_not_run(api: WireUpstream) -> None:
    async with scripting(api.url, script_bytes=100) as client:
        told = await client.error("do", script="1;" * 100)

    assert told == "Error: a script has at most 100 bytes"


async def test_a_server_without_processes_that_wait_runs_scripts_too(api: WireUpstream) -> None:
    async with scripting(api.url, script_warm=0) as client:
        assert await ran(client, "6 * 7") == 42
