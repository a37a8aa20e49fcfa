"""Limits of scripts: every attempt to break out ends with a short error, and the server goes on."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from tests.runtime.conftest import Client, WireUpstream, upstream_running
from tests.runtime.scripting import script_value, scripting, scripts_running
from tests.thorough import sample

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Event loop shared by the tests of this module."""
    return "asyncio"


@pytest.fixture(scope="module")
async def api() -> AsyncIterator[WireUpstream]:
    """API with short answers."""
    async with upstream_running() as running:
        yield running


@pytest.fixture(scope="module")
async def client(api: WireUpstream) -> AsyncIterator[Client]:
    """Client of a server with tight script limits."""
    async with scripting(
        api.url,
        script_seconds=6,
        script_cpu_seconds=1,
        script_megabytes=32,
        script_calls=5,
        script_result_bytes=1000,
    ) as client:
        yield client


FILE = Path(__file__).resolve().as_posix()

ROOT = Path(__file__).parents[2]

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
    "an import of nothing": "await import('')",
    "an import that changes its name": (
        "let n = 0; await import({ toString: () => (n++ ? 'node:fs' : '') } as any)"
    ),
    "an import of a text": "await import('file:///etc/hostname', { with: { type: 'text' } } as any)",
    "an import that is put off": "await eval(`import.defer('node:fs')`)",
    "an import by another function": "await (async () => {}).constructor('return import(`node:fs`)')()",
    "a caller of a function": "Function('return arguments.callee.caller')().caller",
    "functions of a stack": (
        "(Error as any).prepareStackTrace = (_: any, all: any[]) => all;"
        "(new Error() as any).stack.find((each: any) => each.getFunction() || each.getThis()).x"
    ),
    "memory that is shared": "new SharedArrayBuffer(8)",
    "a wait without an end": "Atomics.wait(new Int32Array(8), 0, 0)",
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
"""Scripts that request a forbidden capability, by capability."""


@pytest.mark.parametrize("script", FORBIDDEN.values(), ids=FORBIDDEN.keys())
async def test_what_a_script_may_not_have_is_an_error(client: Client, script: str) -> None:
    message = await client.error("do", script=script)

    assert message.startswith("Error: ")
    assert len(message) < 500


BOMBS = {
    "a loop of promises": "const next = (): any => Promise.resolve().then(next); await next()",
    "objects": "const all: any[] = []; for (;;) all.push({ a: [1, 2, 3], b: {} })",
    "texts": "let text = 'x'.repeat(1000); const all = []; for (;;) all.push(text += text + 'y')",
    "buffers": "const all = []; for (;;) all.push(new Uint8Array(10_000_000).fill(1))",
    "a great array": "new Array(2 ** 32 - 1).fill(0)",
    "a great value": "'x'.repeat(10_000)",
    "many calls at once": "await Promise.all(Array.from({ length: 99 }, () => db.orders.list()))",
    "calls without end": "for (;;) db.orders.list()",
    "recursion": "const f = (): any => f() + 1; f()",
    "a deep value": "let a: any = []; for (let i = 0; i < 1e5; i++) a = [a]; a",
    "a circle": "const a: any = {}; a.a = a; a",
    "a rejection nobody handles": "Promise.reject(new Error('later')); await new Promise(() => {})",
    "an error in a timer": "setTimeout(() => { throw new Error('later') }); await new Promise(() => {})",
    "an error that throws": "throw { get message() { throw 1 }, toString() { throw 2 } }",
    "an error that lies": (
        "const e = new Error('x'); Object.defineProperty(e, 'stack', { get() { throw 1 } }); throw e"
    ),
    "a value that throws": "({ toJSON() { throw new Error('no JSON') } })",
}
"""Scripts that exhaust a resource, by resource."""


@pytest.mark.parametrize("name", sample(BOMBS, 3, "repeats the proof with other resources"))
async def test_a_script_that_takes_what_it_can_ends_in_time(client: Client, name: str) -> None:
    began = monotonic()

    message = await client.error("do", script=BOMBS[name])

    assert message.startswith("Error: ")
    assert len(message) < 5000
    assert monotonic() - began < 60
    assert await script_value(client, "1 + 1") == 2


ENDLESS = {
    "a loop": "for (;;) {}",
    "a loop behind an await": "await null; for (;;) {}",
    "a promise that nothing resolves": "await new Promise(() => {})",
    "a long wait": "await new Promise((done) => setTimeout(done, 60_000))",
    "a wait again and again": "setInterval(() => {}, 1); await new Promise(() => {})",
    "a loop of tasks": "const f = () => queueMicrotask(f); f(); await new Promise(() => {})",
    "a pattern": "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "a value that never comes": "({ then() {} })",
    "a value that gives itself": "const t: any = { then(done: any) { done(t) } }; t",
}
"""Endless scripts, by kind."""


async def test_scripts_that_do_not_end_are_ended_beside_one_another(api: WireUpstream) -> None:
    async with scripting(api.url, script_seconds=6, scripts_at_once=len(ENDLESS)) as client:
        calls = (client.error("do", script=script) for script in ENDLESS.values())
        messages = await asyncio.gather(*calls)
        after = await script_value(client, "1 + 1")

    assert messages == ["Error: the script took longer than 6 seconds"] * len(ENDLESS)
    assert after == 2


async def test_a_script_says_how_it_was_ended(client: Client) -> None:
    timeout_error = await client.error(
        "do", script="await db.orders.list(); await new Promise(() => {})"
    )
    call_limit_error = await client.error("do", script=BOMBS["calls without end"])
    depth_error = await client.error("do", script=BOMBS["a deep value"])

    assert call_limit_error == "Error: the script asked for call after call; it had begun 5 calls"
    assert depth_error == "Error: the script gave a value that is nested too deeply"
    assert timeout_error == "Error: the script took longer than 6 seconds; it had begun 1 call"


async def test_a_script_says_what_it_took_too_much_of(api: WireUpstream) -> None:
    async with scripting(api.url, script_cpu_seconds=1, script_megabytes=16) as client:
        scripts = ("for (;;) {}", BOMBS["objects"])
        cpu_error, memory_error = await asyncio.gather(
            *(client.error("do", script=script) for script in scripts)
        )

    assert cpu_error == "Error: the script took more than 1 seconds of CPU"
    assert memory_error == "Error: the script took more than 16 MB of memory"


async def test_a_number_that_no_double_holds_is_told(client: Client) -> None:
    message = await client.error("do", script="[(JSON as any).rawJSON('1e999')]")

    assert message == "Error: the script gave a number that is too large"


async def test_an_answer_that_no_script_can_hold_is_an_error_of_its_call(client: Client) -> None:
    async with upstream_running() as own_upstream:
        body = b"[1e999]"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        own_upstream.answer = lambda _: head.encode() + b"\r\n\r\n" + body
        async with scripting(own_upstream.url) as client:
            error = await client.error("do", script="\n await db.orders.list()")

    message = "the answer holds a number that is too large, or is nested too deeply"
    assert error == f"Error: {message}\n  at line 2:18"


async def test_a_place_that_is_none_of_the_script_is_not_told(client: Client) -> None:
    script = "const e = new Error('x'); e.stack = 'at script.ts:1:1'; throw e"

    assert await client.error("do", script=script) == "Error: x"


async def test_the_calls_within_the_limit_are_made_where_too_many_begin_at_once(
    client: Client,
) -> None:
    script = """
const ended = await Promise.allSettled(Array.from({ length: 50 }, () => db.orders.list()))
ended.map((each) => each.status).filter((status) => status === "fulfilled").length
"""

    assert await script_value(client, script) == 5


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
"""Changes to the language before a call, by the changed object."""


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS.keys())
async def test_a_changed_language_changes_no_call(
    client: Client, api: WireUpstream, trick: str
) -> None:
    api.requests.clear()

    result = await client.call("do", script=f"{trick}\nawait db.orders.get({{ id: 7 }}); 5")

    assert [request.line for request in api.requests] == ["GET /orders/7 HTTP/1.1"]
    assert len(json.dumps(result)) < 1000
    assert await script_value(client, "1 + 1") == 2


async def test_arguments_that_a_changed_language_makes_are_checked_as_any(
    client: Client, api: WireUpstream
) -> None:
    api.requests.clear()
    script = "(Object.prototype as any).toJSON = () => 'evil'; await db.orders.get({ id: 7 })"

    message = await client.error("do", script=script)

    assert message.startswith("Error: ")
    assert not api.requests


async def test_a_call_that_is_no_method_of_the_sdk_is_never_made(
    client: Client, api: WireUpstream
) -> None:
    api.requests.clear()
    script = (
        "const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];"
        "names.map((name) => { try { return typeof (db as any)[name] } catch { return 'missing' } })"
    )

    assert await script_value(client, script) == ["missing"] * 4
    assert not api.requests


async def test_the_modules_of_the_sdk_cannot_be_changed(client: Client) -> None:
    message = await client.error("do", script="(db as any).orders = {}")

    assert "orders" in message


async def test_nothing_of_a_script_is_left_when_it_is_over(client: Client) -> None:
    for script in ("1", "null.x"):
        await client.call("do", script=script)
    await script_value(client, "1")

    assert 1 <= len(scripts_running()) <= 2


DYING = """
import asyncio, os, signal, sys
from mcpgen_runtime.scripts.sandbox import Sandbox
from mcpgen_runtime.scripts.sandbox import ScriptSettings

async def main():
    sandbox = Sandbox(ScriptSettings(script_cpu_seconds=1))
    async with sandbox.open(), sandbox.process() as waits, sandbox.process() as loops:
        order = {"root": "db", "modules": {}, "logs": 100}
        await waits.start({**order, "script": "setInterval(() => {}, 10); await new Promise(() => {})"})
        await loops.start({**order, "script": "console.log('looping'); for (;;) {}"})
        await loops.receive()
        print(*os.popen(f"pgrep -P {os.getpid()} deno").read().split(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""
"""Program that runs scripts and kills itself."""


async def test_no_script_and_no_folder_outlives_a_server_that_was_killed(tmp_path: Path) -> None:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", DYING),
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE,
    )

    assert program.stdout
    process_ids = (await program.stdout.readline()).decode().split()
    await program.wait()

    assert len(process_ids) >= 2
    async with asyncio.timeout(120):
        while any(Path(f"/proc/{name}").exists() for name in process_ids):
            await asyncio.sleep(0.02)
    assert not list(tmp_path.iterdir())


async def test_a_process_that_is_killed_from_outside_is_told_and_replaced(
    client: Client, api: WireUpstream
) -> None:
    api.requests.clear()
    script = "await db.orders.list(); await new Promise(() => {})"
    task = asyncio.create_task(client.call("do", script=script))
    while not api.requests:
        await asyncio.sleep(0.01)
    for process in scripts_running():
        os.kill(process, signal.SIGKILL)

    result = await task

    text = result["content"][0]["text"]
    assert text == "Error: the script ended without a value; it had begun 1 call"
    assert await script_value(client, "1 + 1") == 2


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
        assert await script_value(client, script) == 20


async def test_a_script_that_is_too_long_is_not_run(api: WireUpstream) -> None:
    async with scripting(api.url, script_bytes=100) as client:
        message = await client.error("do", script="1;" * 100)

    assert message == "Error: a script has at most 100 bytes"


async def test_a_server_without_processes_that_wait_runs_scripts_too(api: WireUpstream) -> None:
    async with scripting(api.url, script_warm=0) as client:
        assert await script_value(client, "6 * 7") == 42


FORGED = """
let left = 1;
const forge = function () {
  return left-- > 0 ? new TextEncoder().encode('{"value":"forged"}\\n') : new Uint8Array(0);
};
Object.defineProperty(Uint8Array.prototype, "constructor", { value: { [Symbol.species]: forge } });
console.log("anything");
"the script's own"
"""
"""Script that forges a line after a line of the bridge."""


async def test_a_script_cannot_write_messages_to_the_server(client: Client) -> None:
    assert await script_value(client, FORGED) == "the script's own"


FLOOD = """#!{python}
import json, os, sys
os.write(1, b'{{"ready": true}}\\n')
key = json.loads(sys.stdin.buffer.readline()).get("key", "").encode()
line = {line}
while True:
    os.write(1, line * 10_000)
"""
"""Process in place of Deno that floods the server with lines and reads no answer."""


ECHO = "key + b'{\"echo\": true}\\n'"


@pytest.mark.repeated("the tests of limits hold that a place is free after a script ends")
@pytest.mark.parametrize(
    ("line", "calls", "seconds", "reason"),
    [
        ("b'{\"echo\": true}\\n'", 100, 60, "wrote what is no message"),
        (ECHO, 100, 60, "asked for echo after echo"),
        # The server stops reading until its answers are read.
        (ECHO, 1_000_000, 2, "took longer than 2 seconds"),
        ("key + b'{\"log\": \"' + b'x' * 400 + b'\"}\\n'", 100, 60, "wrote more than"),
    ],
    ids=["of another", "of echoes", "of echoes that wait", "of logs"],
)
async def test_a_process_that_floods_the_server_is_gone_and_its_place_is_free(
    api: WireUpstream, tmp_path: Path, line: str, calls: int, seconds: int, reason: str
) -> None:
    deno = tmp_path / "deno"
    deno.write_text(FLOOD.format(python=sys.executable, line=line))
    deno.chmod(0o755)
    limits = {
        "script_seconds": seconds,
        "script_calls": calls,
        "script_warm": 0,
        "scripts_at_once": 1,
    }
    settings: dict[str, Any] = {"script_deno": str(deno), **limits}

    async with scripting(api.url, **settings) as client:
        texts = [
            await asyncio.wait_for(client.error("do", script="1"), timeout=90) for _ in range(2)
        ]

    assert all(text.startswith("Error: the script") and reason in text for text in texts)
