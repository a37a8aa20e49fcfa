"""Requests to an application in the same process: order, back pressure, limits, and cancellation."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.upstream.exchange import UpstreamError, UpstreamRequest, UpstreamResponse
from mcpgen_runtime.upstream.in_process import BUFFERED, InProcessClient

PIECES = 3 * BUFFERED


class Pieces:
    """An application that sends pieces of 100 bytes; `sent` counts the pieces that were taken."""

    def __init__(self) -> None:
        self.sent = 0
        self.is_cancelled = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Sends the response."""
        await send({"type": "http.response.start", "status": 200, "headers": []})
        try:
            for _ in range(PIECES):
                await send({"type": "http.response.body", "body": b"x" * 100, "more_body": True})
                self.sent += 1
            await send({"type": "http.response.body", "body": b""})
        except asyncio.CancelledError:
            self.is_cancelled = True
            raise


async def answer(app: Any, **settings: Any) -> UpstreamResponse:
    """The response of an application to a request."""
    server_settings = ServerSettings(upstream="http://localhost/v1", **settings)
    async with InProcessClient(app, server_settings, "test") as client:
        return await client.send(UpstreamRequest("GET", "/pieces", "a=%20b"))


def test_long_response_waits_for_its_reader_and_arrives_whole() -> None:
    app = Pieces()

    async def main() -> tuple[int, UpstreamResponse]:
        task = asyncio.create_task(answer(app))
        while not app.sent:
            await asyncio.sleep(0)
        return app.sent, await task

    sent_count, response = asyncio.run(main())

    assert sent_count < BUFFERED
    assert (response.body, response.complete) == (b"x" * 100 * PIECES, True)


def test_application_is_cancelled_behind_the_limit_of_a_response() -> None:
    app = Pieces()

    response = asyncio.run(answer(app, result_bytes=150))

    assert (len(response.body), response.complete) == (150, False)
    assert app.is_cancelled
    assert app.sent < PIECES


def test_cancelled_request_cancels_the_application() -> None:
    cancelled = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(scope["path"])
            raise

    async def main() -> None:
        task = asyncio.create_task(answer(app))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0)

    asyncio.run(main())

    assert cancelled == ["/v1/pieces"]


@pytest.mark.parametrize(
    "messages",
    [[], [{"type": "http.response.start", "status": 200}], [{"type": "http.response.body"}]],
    ids=["nothing", "no body", "no start"],
)
def test_application_without_a_whole_response_breaks_off(messages: list[dict[str, Any]]) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        for message in messages:
            await send(message)

    with pytest.raises(UpstreamError, match="broke off the connection"):
        asyncio.run(answer(app))
