"""A run: clients call three instances behind a proxy, over one Redis, while faults happen."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
from tests.chaos.history import Call, History, Outcome
from tests.chaos.network import FlappingApi, Proxy, listen
from tests.redis_server import RedisServer, redis_server

ROOT = Path(__file__).parents[2]

INSTANCES = 3

CLIENTS = 4
"""How many clients order, and how many remove things, at the same time."""

REPLAYS = 3
"""How many times the answer of a user is sent at the same time."""

PATIENCE = 60
"""Seconds that a client waits for an answer."""

SHIFTS = (-86_000, -3600, -120, 0, 120, 3600, 86_000)
"""By how many seconds the clock of an instance is wrong."""

_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}
_HEADERS = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Accept": "application/json, text/event-stream",
    "Connection": "close",
}
_YES = {"confirm": {"action": "accept", "content": {"confirm": True}}}


@dataclass
class Instance:
    """A process of the server, always on the port of its first start."""

    environment: dict[str, str]
    port: int = 0
    process: asyncio.subprocess.Process | None = field(default=None, repr=False)

    async def start(self, shift: int) -> None:
        """Starts the process with a wall clock that is wrong by `shift` seconds, and waits until it serves."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.chaos.instance",
            "--port",
            str(self.port),
            cwd=ROOT,
            env={**self.environment, "CHAOS_CLOCK": str(shift)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        await self.serving()

    async def serving(self) -> None:
        """Waits until the process says that it serves."""
        assert self.process
        assert self.process.stdout
        line = (await self.process.stdout.readline()).decode()
        self.port = int(line.rsplit(":", 1)[1].partition("/")[0])

    def send(self, number: signal.Signals) -> None:
        """Sends a signal."""
        assert self.process
        self.process.send_signal(number)

    async def stop(self) -> None:
        """Ends the process gracefully."""
        if self.process and self.process.returncode is None:
            self.send(signal.SIGCONT)
            self.send(signal.SIGTERM)
            await self.process.wait()


@dataclass
class Run:
    """Instances, API, proxy, Redis, clients and history of a run."""

    random: random.Random
    api: FlappingApi
    proxy: Proxy
    redis: RedisServer
    instances: list[Instance]
    client: httpx2.AsyncClient
    history: History
    over: asyncio.Event = field(default_factory=asyncio.Event)
    ids: Callable[[], int] = field(default_factory=lambda: count().__next__)

    async def pause(self) -> None:
        """Stops an instance for a moment (SIGSTOP), its pending calls included."""
        instance = self._random_instance()
        instance.send(signal.SIGSTOP)
        await asyncio.sleep(self.random.uniform(0.2, 1.5))
        instance.send(signal.SIGCONT)

    async def restart(self) -> None:
        """Restarts an instance during calls."""
        instance = self._random_instance()
        instance.send(signal.SIGHUP)
        await instance.serving()

    async def replace(self) -> None:
        """Removes an instance from rotation, ends the process, and starts another with a different
        clock."""
        instance = self._random_instance()
        self.proxy.ports.remove(instance.port)
        await instance.stop()
        await instance.start(self.random.choice(SHIFTS))
        self.proxy.ports.append(instance.port)

    async def take_api_down(self) -> None:
        """Lets the API answer 503 for a while, long enough for the circuit to open."""
        self.api.is_down = True
        await asyncio.sleep(self.random.uniform(0.3, 1))
        self.api.is_down = False

    async def pause_redis(self) -> None:
        """Stops Redis for a moment, shorter or longer than the instances' time limit."""
        assert self.redis.process
        self.redis.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(self.random.uniform(0.2, 1.5))
        self.redis.process.send_signal(signal.SIGCONT)

    async def cause(self, seconds: float) -> None:
        """Causes each kind of fault once, then random faults, for at least `seconds`."""
        kinds = [self.pause, self.replace, self.restart, self.take_api_down, self.pause_redis]
        self.random.shuffle(kinds)
        end = time.monotonic() + seconds
        for number in count():
            if number >= len(kinds) and time.monotonic() > end:
                break
            kind = kinds[number] if number < len(kinds) else self.random.choice(kinds)
            self.history.faults.append(kind.__name__)
            await kind()
            await asyncio.sleep(self.random.uniform(0, 0.5))

    async def order(self) -> None:
        """Calls `order` repeatedly."""
        while not self.over.is_set():
            await self._call("order", f"o{self.ids()}")
            await asyncio.sleep(0.04)

    async def remove(self) -> None:
        """Calls `remove`, and sends each confirmation several times at once."""
        while not self.over.is_set():
            id = f"r{self.ids()}"
            result = await self._call("remove", id)
            if state := result.get("requestState"):
                more = {"requestState": state, "inputResponses": _YES}
                await asyncio.gather(*(self._call("remove", id, **more) for _ in range(REPLAYS)))
            await asyncio.sleep(0.1)

    def _random_instance(self) -> Instance:
        return self.random.choice(self.instances)

    async def _call(self, tool: str, id: str, **more: Any) -> dict[str, Any]:
        """The result of a call over a connection of its own; the call goes into the history."""
        params = {"name": tool, "arguments": {"id": id}, "_meta": _META, **more}
        message = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
        start, answer, fault = time.monotonic(), {}, ""
        try:
            url = f"http://127.0.0.1:{self.proxy.port}/mcp"
            headers = {**_HEADERS, "Mcp-Name": tool}
            response = await self.client.post(url, json=message, headers=headers)
            answer = response.json()
        except (httpx2.HTTPError, ValueError) as failure:
            fault = f"{type(failure).__name__} {failure}"
        if answer and answer.get("id") != id:
            answer, fault = {}, f"the answer is that of {answer.get('id')}"
        outcome, reason = _outcome(answer, fault)
        self.history.calls.append(Call(tool, id, start, time.monotonic(), outcome, reason))
        result: dict[str, Any] = answer.get("result", {})
        return result


def _outcome(answer: dict[str, Any], fault: str) -> tuple[Outcome, str]:
    """The outcome of a call, and the reason of a failure, a refusal or a missing answer."""
    if fault:
        return "lost", fault
    if "error" in answer:
        return "refused", answer["error"]["message"]
    result = answer["result"]
    if result.get("resultType") == "input_required":
        return "asked", ""
    if not result["isError"]:
        return "done", ""
    return "failed", result["content"][0]["text"]


@asynccontextmanager
async def _running(seed: int) -> AsyncIterator[Run]:
    """A started run without clients and faults."""
    chance = random.Random(seed)
    api, proxy, history = FlappingApi(random.Random(seed)), Proxy(), History()
    history.received = api.received
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(listen(api))
        await stack.enter_async_context(listen(proxy))
        redis = stack.enter_context(redis_server())
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "CHAOS_UPSTREAM": f"http://127.0.0.1:{api.port}",
            "CHAOS_LIMIT_STORE": redis.url,
            "CHAOS_STATE_KEY": "k" * 32,
            "CHAOS_SEVERAL_INSTANCES": "true",
            "CHAOS_LOG_LEVEL": "error",
        }
        instances = [Instance(environment) for _ in range(INSTANCES)]
        for instance in instances:
            stack.push_async_callback(instance.stop)
        await asyncio.gather(*(instance.start(chance.choice(SHIFTS)) for instance in instances))
        proxy.ports = [instance.port for instance in instances]
        client = await stack.enter_async_context(httpx2.AsyncClient(timeout=PATIENCE))
        yield Run(chance, api, proxy, redis, instances, client, history)


async def chaos(seed: int, seconds: float) -> History:
    """The history of a run with faults for at least `seconds`, every kind of fault included."""
    async with _running(seed) as run:
        async with asyncio.TaskGroup() as clients:
            works: list[Callable[[], Coroutine[Any, Any, None]]] = [run.order, run.remove]
            for work in works * CLIENTS:
                clients.create_task(work())
            await run.cause(seconds)
            run.over.set()
        return run.history
