"""The reverse proxy of the Compose file, tested with a real nginx."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from emit_servers import PETS
from tests.programs import NGINX, find_program
from tests.redis_server import START_SECONDS

from mcpgen.config import Config, DeploymentConfig
from mcpgen.conformance.targets.command import free_port
from mcpgen.diagnostics import Diagnostics
from mcpgen.emit import emit

ADDRESS, PORT = "server server:8000;", "listen 8080;"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n%b\r\n\r\n"
CHUNKED, CLOSED = b"Transfer-Encoding: chunked", b"Connection: close"
"""Two ways to end a response. A buffering nginx forwards chunks immediately, but holds back a
response that ends with the connection until a buffer is full."""

EVENTS = [b"event: message\ndata: %d\n\n" % number for number in range(4)]


def configuration(api_port: int, port: int, folder: Path) -> Path:
    """Returns the emitted file with local addresses and a temporary folder for nginx's files."""
    config = Config(deployment=DeploymentConfig(compose=True))
    texts = {file.path: file.text for file in emit(PETS, config, Diagnostics()).files}
    text = texts["deploy/nginx.conf"]
    assert ADDRESS in text
    assert PORT in text
    text = text.replace(ADDRESS, f"server 127.0.0.1:{api_port};")
    text = text.replace(PORT, f"listen 127.0.0.1:{port};")
    path = folder / "nginx.conf"
    path.write_text(text.replace(" /tmp/", f" {folder}/"), encoding="utf-8")
    return path


def command(path: Path, *more: str) -> list[str]:
    """Returns the command line of nginx."""
    program = find_program(NGINX)
    messages = ["-p", str(path.parent), "-e", "stderr", "-c", str(path), "-g", "daemon off;"]
    return [program, *messages, *more]


@contextmanager
def running(path: Path, port: int) -> Iterator[None]:
    """Runs nginx on a port."""
    with subprocess.Popen(command(path), stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + START_SECONDS
            while not listens(port):
                assert process.poll() is None, f"nginx ended with {process.returncode}"
                assert time.monotonic() < deadline, "nginx does not listen"
                time.sleep(0.02)
            yield
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def listens(port: int) -> bool:
    """True if a connection to the port is accepted."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def chunk(content: bytes) -> bytes:
    """Returns a chunk of an answer."""
    return b"%x\r\n%s\r\n" % (len(content), content)


async def events_through(folder: Path, ending: bytes) -> str:
    """Returns the request received by the server, after a client has read every event. The server
    sends an event only when the client has read the previous event."""
    heads: list[str] = []
    read = [asyncio.Event() for _ in EVENTS]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(HEAD % ending)
        for event, arrived in zip(EVENTS, read, strict=True):
            writer.write(chunk(event) if ending is CHUNKED else event)
            await writer.drain()
            await arrived.wait()
        writer.write(b"0\r\n\r\n" if ending is CHUNKED else b"")
        writer.close()

    port = free_port()
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as api:
        with running(configuration(api.sockets[0].getsockname()[1], port, folder), port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /mcp HTTP/1.1\r\nHost: pets.example\r\nContent-Length: 2\r\n\r\n{}")
            for event, arrived in zip(EVENTS, read, strict=True):
                await asyncio.wait_for(reader.readuntil(event), START_SECONDS)
                arrived.set()
            writer.close()
    return heads[0]


def test_nginx_takes_the_file(tmp_path: Path) -> None:
    path = configuration(8000, free_port(), tmp_path)

    completed = subprocess.run(command(path, "-t"), capture_output=True, text=True, timeout=30)

    assert completed.returncode == 0, completed.stderr
    assert "[warn]" not in completed.stderr.replace('the "user" directive', "")


@pytest.mark.parametrize("ending", [CHUNKED, CLOSED], ids=["chunked", "closed"])
def test_an_event_arrives_before_the_next_one_is_sent(tmp_path: Path, ending: bytes) -> None:
    head = asyncio.run(events_through(tmp_path, ending))

    assert "Host: pets.example\r\n" in head
    assert "X-Forwarded-For: 127.0.0.1\r\n" in head
    assert "Connection:" not in head


def test_metrics_are_not_for_everybody(tmp_path: Path) -> None:
    async def request_metrics() -> bytes:
        port = free_port()
        with running(configuration(free_port(), port, tmp_path), port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            answer = await reader.readline()
            writer.close()
        return answer

    assert asyncio.run(request_metrics()) == b"HTTP/1.1 404 Not Found\r\n"
