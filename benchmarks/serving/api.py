"""The API behind the servers: it answers every request at once with a little JSON.

`python -m benchmarks.serving.api PORT`
"""

from __future__ import annotations

import asyncio
import sys

BODY = (
    b'{"harbour":"south","wind":{"from":"south-west","knots":12},"boats":["Ada","Grace","Barbara"]}'
)
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY)
) + BODY


class Api(asyncio.Protocol):
    """A connection; none of its requests has a body."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        """Answers as many requests as have come."""
        *whole, self._rest = (self._rest + data).split(b"\r\n\r\n")
        self._transport.write(ANSWER * len(whole))


async def serve(port: int) -> None:
    """Answers until the process ends."""
    server = await asyncio.get_running_loop().create_server(Api, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
