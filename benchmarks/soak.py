"""Whether a server keeps what it should have given back: `python -m benchmarks.soak [--minutes N]`.

Clients list and call through an API with faults (resets, stalls, errors, garbage), plainly and so that
the SDK answers, and some hang up while they are waited for. Before, and after the server has come to
rest, its tasks, open files and objects are counted; it fails if any are left over.
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

from benchmarks.markdown import size, table
from benchmarks.serving.catalogue import COUNTED, TRIVIAL, UPSTREAM, request
from benchmarks.serving.processes import Process, module, running

CLIENTS = 32
REST_SECONDS = 20.0
"""Longer than connections are kept that nobody uses, by the server and to the API."""

LEFT_OBJECTS, LEFT_BYTES = 2000, 8_000_000
"""How many objects and bytes may come and go with what is remembered, such as names and moulds."""


@dataclass(frozen=True)
class Held:
    """What a server holds at rest."""

    tasks: int
    files: int
    objects: int
    memory: int


def main() -> int:
    """Asks for some minutes, prints what is held before and after; the exit code, 1 if more is."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    seconds = parser.parse_args().minutes * 60
    with running(module("faulty")) as api:
        upstream = f"http://127.0.0.1:{api.port}"
        limits = {"MEASURED_TIMEOUT_SECONDS": "2"}
        with running(module("generated"), "50", upstream, **limits) as server:
            asyncio.run(_ask(server.port, min(seconds / 6, 20)))
            before = _held(server)
            done = asyncio.run(_ask(server.port, seconds))
            after = _held(server)
    print(table(["outcome", "requests"], [[name, f"{n:,}"] for name, n in done.most_common()]))
    rows = [
        [name, shown(getattr(before, name)), shown(getattr(after, name))]
        for name, shown in (("tasks", str), ("files", str), ("objects", str), ("memory", size))
    ]
    print(table(["at rest", "before", "after"], rows))
    left = (
        after.tasks > before.tasks
        or after.files > before.files
        or after.objects > before.objects + LEFT_OBJECTS
        or after.memory > before.memory + LEFT_BYTES
    )
    print("something is left over" if left else "nothing is left over")
    return int(left)


def _held(server: Process) -> Held:
    """What a server holds once it has come to rest."""
    time.sleep(REST_SECONDS)
    head, _, body = request("tools/call", COUNTED).partition(b"\r\n\r\n")
    lines = head.decode().splitlines()[1:]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/mcp", body, dict(line.split(": ", 1) for line in lines))
    told = json.loads(json.load(connection.getresponse())["result"]["content"][0]["text"])
    connection.close()
    time.sleep(0.5)
    return Held(told["tasks"], server.files(), told["objects"], server.memory())


async def _ask(port: int, seconds: float) -> Counter[str]:
    """What has become of the requests of all clients."""
    ends = time.perf_counter() + seconds
    done: Counter[str] = Counter()
    async with asyncio.TaskGroup() as clients:
        for seed in range(CLIENTS):
            clients.create_task(_client(port, Random(seed), ends, done))
    return done


async def _client(port: int, random: Random, ends: float, done: Counter[str]) -> None:
    """Asks over one connection after the other."""
    while time.perf_counter() < ends:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(random.randrange(1, 200)):
            writer.write(_request(random))
            if random.random() < 0.01:
                done["hung up"] += 1
                break
            done[await _outcome(reader)] += 1
        writer.close()


def _request(random: Random) -> bytes:
    """A request; one in five is not plain, so that the SDK answers it."""
    drawn = random.random()
    if drawn < 0.2:
        whole = request("tools/list")
    else:
        whole = request("tools/call", TRIVIAL if drawn < 0.4 else UPSTREAM)
    if random.random() < 0.2:
        whole = whole.replace(b"application/json\r\nA", b"application/json; charset=utf-8\r\nA", 1)
    return whole


async def _outcome(reader: asyncio.StreamReader) -> str:
    """What a server has answered, in a word."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    body = await reader.readexactly(int(head.partition("content-length: ")[2].partition("\r\n")[0]))
    result = json.loads(body).get("result")
    if result is None:
        return "refused"
    return "failed, and said so" if result.get("isError") else "answered"


if __name__ == "__main__":
    sys.exit(main())
