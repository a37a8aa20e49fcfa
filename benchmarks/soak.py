"""Measures leaks of a server: `python -m benchmarks.soak [--minutes N]`.

Clients list tools and call an API with faults (resets, stalls, errors, garbage), through the fast path and
through the SDK, and some clients disconnect before the response. Tasks, open files, objects and memory at
rest are compared before and after; the program fails if the server holds more after.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from random import Random

from benchmarks.markdown import decimal_size, markdown_table
from benchmarks.servers import ServerProcess, run_command_server, serving_command
from benchmarks.serving.catalogue import COUNTED, TRIVIAL, UPSTREAM, request

CLIENTS = 32
REST_SECONDS = 20.0
"""Longer than the server keeps idle connections of clients and to the API."""

MORE_OBJECTS, MORE_BYTES = 2000, 8_000_000
"""Tolerated growth, since caches of names and response templates fill during the run."""


@dataclass(frozen=True)
class ServerState:
    """Numbers of asyncio tasks, open files and Python objects, and bytes of memory, at rest."""

    tasks: int
    files: int
    objects: int
    memory: int


def main() -> int:
    """Sends requests, prints the states before and after; returns 1 if the server holds more after."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    seconds = parser.parse_args().minutes * 60
    with run_command_server(serving_command("upstream"), "faulty") as api:
        upstream = f"http://127.0.0.1:{api.port}"
        limits = {"MEASURED_TIMEOUT_SECONDS": "2"}
        with run_command_server(
            serving_command("runtime_server"), "50", upstream, **limits
        ) as server:
            asyncio.run(_run_clients(server.port, min(seconds / 6, 20)))
            before = _state_at_rest(server)
            outcomes = asyncio.run(_run_clients(server.port, seconds))
            after = _state_at_rest(server)
    print(
        markdown_table(
            ["outcome", "requests"], [[name, f"{n:,}"] for name, n in outcomes.most_common()]
        )
    )
    rows = [
        [name, render(getattr(before, name)), render(getattr(after, name))]
        for name, render in (
            ("tasks", str),
            ("files", str),
            ("objects", str),
            ("memory", decimal_size),
        )
    ]
    print(markdown_table(["at rest", "before", "after"], rows))
    leaking = (
        after.tasks > before.tasks
        or after.files > before.files
        or after.objects > before.objects + MORE_OBJECTS
        or after.memory > before.memory + MORE_BYTES
    )
    print("something is left over" if leaking else "nothing is left over")
    return int(leaking)


def _state_at_rest(server: ServerProcess) -> ServerState:
    time.sleep(REST_SECONDS)
    head, _, body = request("tools/call", COUNTED).partition(b"\r\n\r\n")
    lines = head.decode().splitlines()[1:]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/mcp", body, dict(line.split(": ", 1) for line in lines))
    counts = json.loads(json.load(connection.getresponse())["result"]["content"][0]["text"])
    connection.close()
    time.sleep(0.5)
    return ServerState(counts["tasks"], server.files(), counts["objects"], server.resident_size())


async def _run_clients(port: int, seconds: float) -> Counter[str]:
    """Outcomes of the requests of all clients, counted."""
    ends = time.perf_counter() + seconds
    outcomes: Counter[str] = Counter()
    async with asyncio.TaskGroup() as clients:
        for seed in range(CLIENTS):
            clients.create_task(_run_client(port, Random(seed), ends, outcomes))
    return outcomes


async def _run_client(port: int, random: Random, ends: float, outcomes: Counter[str]) -> None:
    """Sends requests over a sequence of connections."""
    while time.perf_counter() < ends:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(random.randrange(1, 200)):
            writer.write(_random_request(random))
            if random.random() < 0.01:
                outcomes["hung up"] += 1
                break
            outcomes[await _classify_response(reader)] += 1
        writer.close()


def _random_request(random: Random) -> bytes:
    """A random request; a fifth has a charset parameter, which the fast path leaves to the SDK."""
    number = random.random()
    if number < 0.2:
        message = request("tools/list")
    else:
        message = request("tools/call", TRIVIAL if number < 0.4 else UPSTREAM)
    if random.random() < 0.2:
        message = message.replace(
            b"application/json\r\nA", b"application/json; charset=utf-8\r\nA", 1
        )
    return message


async def _classify_response(reader: asyncio.StreamReader) -> str:
    """Reads one response and classifies the result."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    body = await reader.readexactly(int(head.partition("content-length: ")[2].partition("\r\n")[0]))
    result = json.loads(body).get("result")
    if result is None:
        return "refused"
    return "error result" if result.get("isError") else "answered"


if __name__ == "__main__":
    sys.exit(main())
