"""An API with faults, drawn from a seed: it answers, resets, stalls, breaks off, and says what is no HTTP.

`python -m benchmarks.serving.faulty_api PORT`
"""

from __future__ import annotations

import asyncio
import sys
from random import Random

from benchmarks.serving.api import ANSWER

FAULTS: tuple[bytes, ...] = (
    b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nnope",
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"half": ',
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"\x00\xff\xfe garbage \r\n\r\n" * 20,
    b"",
)
"""What is written before the connection is closed; nothing is a reset."""

STALL_SECONDS = 3


async def answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, random: Random
) -> None:
    """Answers the requests of one connection, until one of them fares badly."""
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            drawn = random.random()
            if drawn < 0.9:
                writer.write(ANSWER)
                continue
            if drawn < 0.92:
                await asyncio.sleep(STALL_SECONDS)
                writer.write(ANSWER)
                continue
            fault = random.choice(FAULTS)
            writer.write(fault)
            if not fault:
                writer.transport.abort()
            break
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        pass
    finally:
        writer.close()


async def serve(port: int) -> None:
    """Answers until the process ends."""
    random = Random(1)
    server = await asyncio.start_server(lambda r, w: answer(r, w, random), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
