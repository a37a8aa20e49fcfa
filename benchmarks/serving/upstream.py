"""The API behind the servers: answers every request with a short JSON document.

`python -m benchmarks.serving.upstream PORT [faulty]`. With `faulty`, a tenth of the requests meets a fault
drawn from a seed: an error, a stall, a reset, a truncated response, or bytes that are not HTTP.
"""

from __future__ import annotations

import asyncio
import sys
from random import Random

BODY = (
    b'{"harbour":"south","wind":{"from":"south-west","knots":12},"boats":["Ada","Grace","Barbara"]}'
)
RESPONSE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY)
) + BODY

FAULTS: tuple[bytes, ...] = (
    b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nnope",
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"half": ',
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"\x00\xff\xfe garbage \r\n\r\n" * 20,
    b"",
)
"""Bytes before the connection closes; `b""` resets the connection instead."""

STALL_SECONDS = 3


class UpstreamConnection(asyncio.Protocol):
    """A connection whose requests have no body. A protocol takes less processor time than streams."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._incomplete = b""

    def data_received(self, data: bytes) -> None:
        """Answers every complete request."""
        *requests, self._incomplete = (self._incomplete + data).split(b"\r\n\r\n")
        self._transport.write(RESPONSE * len(requests))


async def answer_with_faults(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, random: Random
) -> None:
    """Answers the requests of a connection until a fault closes the connection."""
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            number = random.random()
            if number >= 0.92:
                fault = random.choice(FAULTS)
                writer.write(fault)
                if not fault:
                    writer.transport.abort()
                break
            if number >= 0.9:
                await asyncio.sleep(STALL_SECONDS)
            writer.write(RESPONSE)
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        pass
    finally:
        writer.close()


async def serve_upstream(port: int, faulty: bool) -> None:
    """Serves until the process ends."""
    if faulty:
        random = Random(1)
        server = await asyncio.start_server(
            lambda reader, writer: answer_with_faults(reader, writer, random), "127.0.0.1", port
        )
    else:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(UpstreamConnection, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve_upstream(int(sys.argv[1]), "faulty" in sys.argv[2:]))
